/** `assistant-flow policies`. */

import path from "node:path";
import { shownPath } from "../../files";
import {
  type BreakingPath,
  fileKind,
  POLICY_FILE,
  type PolicyFile,
  type Program,
  positionsIn,
  readPolicyFile,
  unreadIn,
  type Verdict,
  verdictWords,
} from "../../flow";
import { visibleLine } from "../../text";
import { PolicyWorkspace, scopeIn } from "../check/policy-workspace";
import { EXIT, type Input } from "../command";
import { findFiles, readSource } from "../files/flow-files";
import { type Color, count, countedProgress, painter, type Terminal } from "../terminal";

export interface Judged {
  readonly policy: string;
  /** The policy file. */
  readonly file: string;
  /** Empty where a policy matches nothing in several flows, or in none. */
  readonly flow: string;
  readonly verdict: Verdict["verdict"] | "matches-nothing";
  readonly path: readonly string[];
  readonly edges: readonly string[];
  readonly severity: string;
  readonly message: string;
  readonly because?: string;
}

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export async function run({ args, options, terminal }: Input<{ readonly format: string }>): Promise<number> {
  const { verdicts, problems, note } = await judgeFlows(args, terminal);
  if (options.format === "json") terminal.out(`${JSON.stringify({ verdicts, problems })}\n`);
  else terminal.out(textOf(verdicts, problems, terminal));
  if (note !== undefined) terminal.err(`${note}\n`);
  return problems.length > 0 || verdicts.some(isBad) ? EXIT.failed : EXIT.fine;
}

export interface JudgedFlows {
  readonly verdicts: readonly Judged[];
  readonly problems: readonly Problem[];
  /** Said beside them. */
  readonly note: string | undefined;
}

/** The verdicts of the policies that count for files and folders. */
export async function judgeFlows(args: readonly string[], terminal: Terminal): Promise<JudgedFlows> {
  const workspace = new PolicyWorkspace(terminal.cwd);
  const { flows, files } = await wanted(args, workspace, terminal.cwd);
  const verdicts: Judged[] = [];
  const problems: Problem[] = [];
  const read = await Promise.all(
    files.map(async (absolute) => ({ absolute, file: readPolicyFile(await readSource(absolute, terminal.cwd)) })),
  );
  const total = read.reduce((sum, { file }) => sum + file.policies.length, 0);
  const line = countedProgress("Judging", total, terminal);
  for (const { absolute, file } of read) {
    const shown = shownPath(absolute, terminal.cwd);
    const positionOf = positionsIn(file.text);
    for (const { message, span } of file.problems) {
      const { line: row, character } = positionOf(span.start);
      problems.push({ file: shown, line: row + 1, column: character + 1, message });
    }
    verdicts.push(...(await judgeAll(file, absolute, flows, workspace, line.done)));
  }
  line.end();
  for (const flow of [...flows].sort())
    if (files.length > 0) problems.push(...unreadOf(await workspace.read(flow), shownPath(flow, terminal.cwd)));
  const note = files.length === 0 ? `There is no ${POLICY_FILE} beside these flows or above them.` : undefined;
  return { verdicts, problems, note };
}

/** A flow that isn't judged. */
function unreadOf({ document }: Program, file: string): Problem[] {
  const unread = unreadIn(document);
  if (!unread) return [];
  const { line, character } = document.positionAt(unread.span.start);
  const message = `The flow can't be read in full, so no policy is judged on it. ${unread.message}`;
  return [{ file, line: line + 1, column: character + 1, message }];
}

function isBad({ verdict }: Pick<Judged, "verdict">): boolean {
  return verdict === "broken" || verdict === "matches-nothing" || verdict === "not-checked";
}

/** The flows to judge, and the policy files that speak of them. */
async function wanted(
  args: readonly string[],
  workspace: PolicyWorkspace,
  cwd: string,
): Promise<{ flows: ReadonlySet<string>; files: readonly string[] }> {
  const named = args.length > 0 ? args : ["."];
  const isPolicyFile = (name: string) => fileKind(name) === "policies";
  const others = named.filter((name) => !isPolicyFile(name));
  const flows = new Set(others.length > 0 ? await findFiles(others, cwd, ["flow"]) : []);
  const files = new Set<string>();
  for (const name of named.filter(isPolicyFile)) {
    const file = path.resolve(cwd, name);
    files.add(file);
    for (const flow of await workspace.flowsOf(file)) flows.add(flow);
  }
  for (const flow of flows) {
    const file = await workspace.policyFileOf(flow);
    if (file !== undefined) files.add(file);
  }
  return { flows, files: [...files].sort() };
}

async function judgeAll(
  { policies }: PolicyFile,
  absolute: string,
  wantedFlows: ReadonlySet<string>,
  workspace: PolicyWorkspace,
  done: (policy: { readonly path: string }) => void,
): Promise<Judged[]> {
  const file = shownPath(absolute, workspace.cwd);
  // A policy matches nothing only where it does so in all its flows, whichever of them are asked for.
  const all = new Set(await workspace.flowsOf(absolute));
  for (const flow of wantedFlows) if ((await workspace.policyFileOf(flow)) === absolute) all.add(flow);
  const judged: Judged[] = [];
  for (const policy of policies) {
    done({ path: policy.id });
    const { id, because, severity } = policy;
    const head = { policy: id, file };
    const tail = { severity, ...(because === undefined ? {} : { because }) };
    const scope = scopeIn([...all].sort(), policy, absolute);
    const missing = await workspace.missingPart(policy, scope);
    if (missing) {
      const [only] = scope;
      const flow = only !== undefined && scope.length === 1 ? shownPath(only, workspace.cwd) : "";
      const { message } = missing;
      judged.push({ ...head, flow, verdict: "matches-nothing", path: [], edges: [], message, ...tail });
      continue;
    }
    for (const each of scope.filter((flow) => wantedFlows.has(flow))) {
      if (unreadIn((await workspace.read(each)).document)) continue;
      const judge = await workspace.judge(each);
      const verdict: Verdict = judge ? judge.judge(policy.demand) : { verdict: "not-checked" };
      const steps: BreakingPath = verdict.verdict === "broken" ? verdict.path : { nodes: [], edges: [] };
      const way = steps.way ? { way: steps.way } : {};
      const ids = steps.nodes.map((node) => node.id);
      const edges = steps.edges.flatMap((edge) => edge?.id ?? []);
      const flow = shownPath(each, workspace.cwd);
      judged.push({
        ...head,
        flow,
        verdict: verdict.verdict,
        path: ids,
        edges,
        message: verdictWords(policy, { verdict: verdict.verdict, path: ids, ...way }, judge?.unseen),
        ...tail,
      });
    }
  }
  return judged;
}

const SIGNS: Readonly<Record<Judged["verdict"], readonly [string, Color]>> = {
  "proved-by-shape": ["✓", "green"],
  "proved-given-conditions": ["✓", "green"],
  broken: ["✗", "red"],
  "matches-nothing": ["?", "yellow"],
  "not-checked": ["?", "yellow"],
};

function textOf(verdicts: readonly Judged[], problems: readonly Problem[], terminal: Terminal): string {
  const paint = painter(terminal);
  const lines = problems.map(
    ({ file, line, column, message }) => `${paint("✗", "red")} ${file}:${line}:${column} ${visibleLine(message)}`,
  );
  for (const { policy, flow, file, verdict, path: steps, message, because } of verdicts) {
    const [sign, color] = SIGNS[verdict];
    const head = `${paint(sign, color)} ${paint(visibleLine(policy), "bold")}  ${flow || file}`;
    lines.push(`${head}  ${visibleLine(message)}`);
    if (steps.length > 0) lines.push(`    ${paint("path:", "dim")} ${visibleLine(steps.join(" → "))}`);
    if (because !== undefined && isBad({ verdict }))
      lines.push(`    ${paint("because:", "dim")} ${visibleLine(because)}`);
  }
  const number = (kind: Judged["verdict"][]) => verdicts.filter(({ verdict }) => kind.includes(verdict)).length;
  const summary = [
    `${number(["proved-by-shape", "proved-given-conditions"])} proved`,
    `${number(["broken"])} broken`,
    ...(number(["matches-nothing"]) > 0 ? [`${number(["matches-nothing"])} without a match`] : []),
    ...(number(["not-checked"]) > 0 ? [`${number(["not-checked"])} not checked`] : []),
    ...(problems.length > 0 ? [count(problems.length, "problem")] : []),
  ];
  return `${[...lines, "", `${summary.join(", ")}. What a model decides isn't proved.`, ""].join("\n")}`;
}
