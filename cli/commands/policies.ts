/** `assistant-flow policies`. */
import path from "node:path";
import { shownPath } from "../../files";
import { today } from "../../files/suite";
import { fileKind, hasErrors, POLICY_FILE, type Span, unreadIn } from "../../flow";
import type { BreakingPath, PolicyFile, Verdict } from "../../flow/policy";
import { demanded, exceptedWords, exceptionsFor, policiesFor, readPolicyFile, verdictWords } from "../../flow/policy";
import type { Program } from "../../flow/run";
import { positionsIn } from "../../flow/test";
import { visibleLine } from "../../text";
import { pathFrom } from "../check/policy-files";
import { PolicyWorkspace, scopeIn } from "../check/policy-workspace";
import { EXIT, type Input } from "../command";
import { findFiles, readSource } from "../files/flow-files";
import { type Color, count, countedProgress, painter, type Terminal } from "../terminal";

export interface Judged {
  readonly policy: string;
  /** The policy file. */
  readonly file: string;
  /** Empty if a policy matches nothing in several flows, or has no flows. */
  readonly flow: string;
  readonly verdict: Verdict["verdict"] | "matches-nothing" | "excepted";
  readonly path: readonly string[];
  readonly edges: readonly string[];
  readonly severity: string;
  readonly message: string;
  readonly because?: string;
  /** The exceptions that count. */
  readonly except?: ReturnType<typeof exceptedIn>;
}

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface PolicyFlags {
  readonly format: string;
  readonly list?: boolean;
}

export async function run({ args, options, terminal }: Input<PolicyFlags>): Promise<number> {
  if (options.list) {
    const { flows, problems } = await listBindings(args, terminal);
    if (options.format === "json") terminal.out(`${JSON.stringify({ flows, problems })}\n`);
    else terminal.out([...problemLines(problems, terminal), bindingsText(flows, terminal)].join("\n"));
    return problems.length > 0 ? EXIT.failed : EXIT.fine;
  }
  const { verdicts, problems, note } = await judgeFlows(args, terminal);
  if (options.format === "json") terminal.out(`${JSON.stringify({ verdicts, problems })}\n`);
  else terminal.out(textOf(verdicts, problems, terminal));
  if (note !== undefined) terminal.err(`${note}\n`);
  return problems.length > 0 || verdicts.some(isBad) ? EXIT.failed : EXIT.fine;
}

/** Which policies bind which flows today, without judging them. */
export async function listBindings(
  args: readonly string[],
  terminal: Terminal,
): Promise<{ readonly flows: readonly FlowBindings[]; readonly problems: readonly Problem[] }> {
  const workspace = new PolicyWorkspace(terminal.cwd);
  const { flows, files } = await wanted(args, workspace, terminal.cwd);
  const read = await readAll(files, terminal.cwd);
  const bindings: FlowBindings[] = [];
  for (const flow of [...flows].sort()) {
    const own = await workspace.of(flow);
    bindings.push(
      bindingsOf(
        flow,
        read.find(({ absolute }) => absolute === own),
        terminal.cwd,
      ),
    );
  }
  return { flows: bindings, problems: read.flatMap(({ problems }) => problems) };
}

interface ReadFile {
  readonly absolute: string;
  readonly file: PolicyFile;
  readonly problems: readonly Problem[];
}

/** Policy files, with what in them can't be read. */
function readAll(files: readonly string[], cwd: string): Promise<ReadFile[]> {
  return Promise.all(
    files.map(async (absolute) => {
      const file = readPolicyFile(await readSource(absolute, cwd));
      return { absolute, file, problems: placed(file.problems, file, shownPath(absolute, cwd)) };
    }),
  );
}

function placed(
  problems: readonly { readonly message: string; readonly span: Span }[],
  { text }: PolicyFile,
  file: string,
): Problem[] {
  const positionOf = positionsIn(text);
  return problems.map(({ message, span }) => {
    const { line, character } = positionOf(span.start);
    return { file, line: line + 1, column: character + 1, message };
  });
}

export interface JudgedFlows {
  readonly verdicts: readonly Judged[];
  readonly problems: readonly Problem[];
  /** A note printed after the verdicts. */
  readonly note: string | undefined;
}

/** The verdicts of all policies for some files and folders. */
export async function judgeFlows(args: readonly string[], terminal: Terminal): Promise<JudgedFlows> {
  const workspace = new PolicyWorkspace(terminal.cwd);
  const { flows, files } = await wanted(args, workspace, terminal.cwd);
  const verdicts: Judged[] = [];
  const problems: Problem[] = [];
  const read = await readAll(files, terminal.cwd);
  const total = read.reduce((sum, { file }) => sum + file.policies.length, 0);
  const line = countedProgress("Checking", total, terminal);
  for (const { absolute, file, problems: unread } of read) {
    const judged = await judgeAll(file, absolute, flows, workspace, line.done);
    for (const each of judged.verdicts) verdicts.push(each);
    for (const each of [...unread, ...judged.problems]) problems.push(each);
  }
  line.end();
  for (const flow of [...flows].sort())
    if (files.length > 0)
      for (const each of unreadOf(await workspace.read(flow), shownPath(flow, terminal.cwd))) problems.push(each);
  const note =
    files.length === 0 ? `No ${POLICY_FILE} found in the folders of these flows or their parents.` : undefined;
  return { verdicts, problems, note };
}

/** Reports a flow that isn't checked because of syntax errors. */
function unreadOf({ document }: Program, file: string): Problem[] {
  const unread = unreadIn(document);
  if (!unread) return [];
  const { line, character } = document.positionAt(unread.span.start);
  const message = `Not checked: the flow ${hasErrors(document)} ${unread.message}`;
  return [{ file, line: line + 1, column: character + 1, message }];
}

export function isBad({ verdict }: Pick<Judged, "verdict">): boolean {
  return verdict === "broken" || verdict === "matches-nothing" || verdict === "not-checked";
}

/** The flows to check, and their policy files. */
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
    const file = await workspace.of(flow);
    if (file !== undefined) files.add(file);
  }
  return { flows, files: [...files].sort() };
}

async function judgeAll(
  read: PolicyFile,
  absolute: string,
  wantedFlows: ReadonlySet<string>,
  workspace: PolicyWorkspace,
  done: (policy: { readonly path: string }) => void,
): Promise<Pick<JudgedFlows, "verdicts" | "problems">> {
  const file = shownPath(absolute, workspace.cwd);
  // A policy matches nothing only if it has no match in any of its flows, including those that weren't requested.
  const all = new Set(await workspace.flowsOf(absolute));
  for (const flow of wantedFlows) if ((await workspace.of(flow)) === absolute) all.add(flow);
  const judged: Judged[] = [];
  const problems: Problem[] = [];
  for (const policy of read.policies) {
    done({ path: policy.id });
    const { id, because, severity } = policy;
    const head = { policy: id, file };
    const tail = { severity, ...(because === undefined ? {} : { because }) };
    const scope = scopeIn([...all].sort(), policy, absolute);
    for (const each of placed(await workspace.problemsBeside(policy, scope, absolute), read, file)) problems.push(each);
    const missing = await workspace.missingPart(policy, scope);
    if (missing) {
      const [only] = scope;
      const flow = only !== undefined && scope.length === 1 ? shownPath(only, workspace.cwd) : "";
      const { message } = missing;
      judged.push({ ...head, flow, verdict: "matches-nothing", path: [], edges: [], message, ...tail });
    }
    for (const each of scope.filter((flow) => wantedFlows.has(flow))) {
      if (unreadIn((await workspace.read(each)).document)) continue;
      const flow = shownPath(each, workspace.cwd);
      const from = pathFrom(absolute, each);
      const except = exceptedIn(policy, from);
      const beside = { ...tail, ...(except.length > 0 ? { except } : {}) };
      const there = demanded(policy, from, today());
      if (!there) {
        if (missing) continue;
        const message = exceptedWords(policy, from, today());
        judged.push({ ...head, flow, verdict: "excepted", path: [], edges: [], message, ...beside });
        continue;
      }
      const judge = await workspace.judge(each);
      const verdict: Verdict = judge ? judge.judge(there.demand) : { verdict: "not-checked" };
      // A policy that matches nothing proves nothing, but may be broken: what it requires was removed.
      if (missing && verdict.verdict !== "broken") continue;
      const steps: BreakingPath = verdict.verdict === "broken" ? verdict.path : { nodes: [], edges: [] };
      const way = steps.way ? { way: steps.way } : {};
      const ids = steps.nodes.map((node) => node.id);
      const edges = steps.edges.flatMap((edge) => edge?.id ?? []);
      judged.push({
        ...head,
        flow,
        verdict: verdict.verdict,
        path: ids,
        edges,
        message: verdictWords(there, { verdict: verdict.verdict, path: ids, ...way }, judge?.unseen),
        ...beside,
      });
    }
  }
  return { verdicts: judged, problems };
}

const SIGNS: Readonly<Record<Judged["verdict"], readonly [string, Color]>> = {
  "proved-by-shape": ["✓", "green"],
  "proved-given-conditions": ["✓", "green"],
  broken: ["✗", "red"],
  "matches-nothing": ["?", "yellow"],
  "not-checked": ["?", "yellow"],
  excepted: ["○", "yellow"],
};

function problemLines(problems: readonly Problem[], terminal: Terminal): string[] {
  const sign = painter(terminal)("✗", "red");
  return problems.map(({ file, line, column, message }) => `${sign} ${file}:${line}:${column} ${visibleLine(message)}`);
}

function textOf(verdicts: readonly Judged[], problems: readonly Problem[], terminal: Terminal): string {
  const paint = painter(terminal);
  const lines = problemLines(problems, terminal);
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
    ...(number(["excepted"]) > 0 ? [`${number(["excepted"])} excepted`] : []),
    ...(problems.length > 0 ? [count(problems.length, "problem")] : []),
  ];
  return `${[...lines, "", `${summary.join(", ")}. Decisions of a model aren't verified.`, ""].join("\n")}`;
}

/** Which policies bind which flows. */
interface FlowBindings {
  readonly flow: string;
  /** The policy file that applies to it; empty if there is none. */
  readonly file: string;
  readonly policies: readonly Binding[];
}

interface Binding {
  readonly policy: string;
  readonly severity: string;
  readonly because?: string;
  /** The exceptions that count today; one without a node is for the whole flow. */
  readonly except?: readonly { readonly node?: string; readonly until: string; readonly because: string }[];
}

function bindingsOf(
  flow: string,
  own: { readonly absolute: string; readonly file: PolicyFile } | undefined,
  cwd: string,
): FlowBindings {
  const shown = shownPath(flow, cwd);
  if (!own) return { flow: shown, file: "", policies: [] };
  const from = pathFrom(own.absolute, flow);
  const policies = policiesFor(own.file.policies, from).map((policy): Binding => {
    const except = exceptedIn(policy, from);
    const because = policy.because === undefined ? {} : { because: policy.because };
    return { policy: policy.id, severity: policy.severity, ...because, ...(except.length > 0 ? { except } : {}) };
  });
  return { flow: shown, file: shownPath(own.absolute, cwd), policies };
}

/** The exceptions of a policy that count today, as programs read them. */
function exceptedIn(policy: Parameters<typeof exceptionsFor>[0], path: string): NonNullable<Binding["except"]> {
  return exceptionsFor(policy, path, today()).map(({ node, until, because }) => ({
    ...(node ? { node: node.text } : {}),
    until: until.text,
    because,
  }));
}

function bindingsText(flows: readonly FlowBindings[], terminal: Terminal): string {
  const paint = painter(terminal);
  const lines = flows.flatMap(({ flow, file, policies }) => [
    `${paint(flow, "bold")}  ${file || "no policy file"}`,
    ...policies.flatMap(({ policy, severity, because, except = [] }) => [
      `  ${visibleLine(policy)}  ${severity}${because === undefined ? "" : `  ${visibleLine(because)}`}`,
      ...except.map((each) => {
        const what = each.node === undefined ? "whole flow" : `"${each.node}"`;
        return `    ${visibleLine(`except ${what} until ${each.until}: ${each.because}`)}`;
      }),
    ]),
    ...(file && policies.length === 0 ? ["  no policies"] : []),
  ]);
  return `${lines.join("\n")}\n`;
}
