/** `assistant-flow promote`: reads both environments, shows what would change in the target, and pushes it. */
import { FileScope, shownPath } from "../../files";
import { pathIn, Suite } from "../../files/suite";
import { applyEdits, FlowDocument, type Graph, graphOf, type RuleSettings } from "../../flow";
import { applyGraph } from "../../flow/edit";
import { type Environment, resolveNames, restoreNames } from "../../flow/project";
import { SharedWork } from "../../flow/run";
import { readTestFile, runSuiteFile } from "../../flow/test";
import type { Connection } from "../../platform";
import type { Expects } from "../../sync";
import { codeSpan, escapeComment, inCell, oneLine } from "../../text";
import { checkFiles } from "../check/check-files";
import { EXIT, type Input, Stop } from "../command";
import { isBad, judgeFlows } from "../commands/policies";
import { type FlowFile, findFiles, readSource } from "../files/flow-files";
import { type RuleOptions, ruleSettings } from "../files/rule-settings";
import { environmentConnection, type KeyOptions } from "../platform/cli-connection";
import { describeState, exitOf, type SyncResult, withSyncs, worst } from "../platform/flow-sync";
import { confirmedByHost, isHosted } from "../platform/host";
import { reviewsMarkdown } from "../review/markdown";
import { onDisk, type Review, review, type SourceFiles } from "../review/review";
import { reviewText } from "../review/review-text";
import { count, showJson, type Terminal } from "../terminal";
import { diskReader } from "../tests/load";
import { addressesOf, environmentOf, flowFileIn, type Listed, listedFlows, type PlacedFile } from "./projects";

interface PromoteFlags extends KeyOptions, RuleOptions {
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly format: string;
}

/** What a promotion of one flow would do. */
interface Promotion {
  readonly path: string;
  readonly blockers: readonly string[];
  readonly operations: number;
  /** Undefined if the target can't be read. */
  readonly review: Review | undefined;
  /** What is pushed if there are no blockers. */
  readonly push: { readonly file: PlacedFile; readonly expects: Expects } | undefined;
  /** Whether an environment couldn't be reached. */
  readonly isUnreachable: boolean;
}

interface Side {
  readonly environment: Environment;
  readonly connection: Connection;
}

export async function run({ args, options, terminal }: Input<PromoteFlags>): Promise<number> {
  const { from, to } = options;
  if (from === undefined || to === undefined) throw new Stop("Pass --from and --to.", EXIT.usage);
  if (from === to) throw new Stop("--from and --to name the same environment.", EXIT.usage);
  if (options.keyStdin)
    throw new Stop("--key-stdin has one key, and this command needs two. Use variables.", EXIT.usage);
  const listed = await listedFlows(args, terminal);
  const side = async (name: string): Promise<Side> => {
    const environment = environmentOf(listed, name, terminal);
    return { environment, connection: await environmentConnection(addressesOf(environment), options, terminal) };
  };
  const [source, target] = [await side(from), await side(to)];
  const isListed = ({ environment }: Side, flow: string) => environment.flows.has(pathIn(listed.found, flow));
  const sources = onDisk(terminal.cwd);
  const promotions: Promotion[] = [];
  for (const flow of listed.flows)
    if (args.length > 0 || (isListed(source, flow) && isListed(target, flow)))
      promotions.push(await promotionOf(listed, flow, source, target, options, sources, terminal));
  if (promotions.length === 0) throw new Stop(`No flow is listed in both "${from}" and "${to}".`);
  let text = "";
  const record = (more: string) => {
    text += more;
    terminal.out(more);
  };
  show(promotions, from, to, options.format, Object.create(terminal, { out: { value: record } }) as Terminal);
  const blocked = promotions.filter(({ blockers }) => blockers.length > 0);
  if (blocked.length > 0) {
    if (!options.dryRun) terminal.err("Nothing was promoted.\n");
    return blocked.some(({ isUnreachable }) => isUnreachable) ? EXIT.unreachable : EXIT.failed;
  }
  if (options.dryRun) return EXIT.fine;
  const operations = promotions.reduce((sum, each) => sum + each.operations, 0);
  if (isHosted() && !(await confirmedByHost(text, operations))) return EXIT.undecided;
  return pushAll(promotions, target, options, terminal);
}

async function promotionOf(
  listed: Listed,
  flow: string,
  source: Side,
  target: Side,
  options: PromoteFlags,
  sources: SourceFiles,
  terminal: Terminal,
): Promise<Promotion> {
  const [there, here] = [
    await flowFileIn(listed, source.environment, flow, terminal),
    await flowFileIn(listed, target.environment, flow, terminal),
  ];
  const path = shownPath(flow, terminal.cwd);
  const none = { path, operations: 0, review: undefined, push: undefined, isUnreachable: false };
  const missing = [source, target].filter((_, index) => ![there, here][index]);
  if (!there || !here)
    return { ...none, blockers: missing.map(({ environment }) => `It isn't listed in "${environment.name}".`) };
  const { text } = here;
  if (text === undefined) return { ...none, blockers: ["The file can't be read."] };
  const rules = await ruleSettings(options, terminal);
  const look = async (file: PlacedFile, { connection }: Side) =>
    (await withSyncs([file], connection, {}, rules, terminal, "look"))[0] as SyncResult;
  const seen = { source: await look({ ...there, text }, source), target: await look({ ...here, text }, target) };
  const offline = await offlineBlockers({ ...here, text }, rules, terminal);
  const isListedAbove = offline.length > 0 && isBlockedByErrors(seen.target.state);
  const blockers = [
    ...sourceBlockers(seen.source, source.environment.name),
    ...offline,
    ...(isListedAbove ? [] : targetBlockers(seen.target, target.environment.name)),
  ];
  const { sync } = seen.target;
  const stored = sync?.remote?.graph;
  const plan = sync?.plan;
  const version = sync?.remote?.version;
  const planned = JSON.stringify(plan?.ops.map(({ op }) => op) ?? []);
  const expects: Expects = (now, onto) => onto === version && JSON.stringify(now.ops.map(({ op }) => op)) === planned;
  return {
    path,
    blockers,
    operations: plan?.ops.length ?? 0,
    review: stored && (await reviewOf(stored, { ...here, text }, seen.target, sources)),
    push: { file: { ...here, text }, expects },
    isUnreachable: [seen.source, seen.target].some((each) => exitOf(each) === EXIT.unreachable),
  };
}

/** Compares what the target really has with the file. Names are used for both. */
async function reviewOf(stored: Graph, file: PlacedFile, { sync }: SyncResult, sources: SourceFiles): Promise<Review> {
  const after = FlowDocument.read(file.text);
  const written = graphOf(after);
  const names = file.environment?.names ?? new Map();
  const shown = restoreNames(sync?.remoteFor(resolveNames(written, names)) ?? stored, written, names);
  const before = FlowDocument.read(applyEdits("", applyGraph(FlowDocument.read(""), shown)));
  return { ...(await review(before, after, file.absolute, file.absolute, sources)), links: [] };
}

/** The source was tested with its own content, so the file must match it. */
function sourceBlockers(result: SyncResult, name: string): string[] {
  if (result.state.kind === "synced") return [];
  const first = "message" in result.state ? result.state.message : "Both have changed.";
  return [`The file doesn't match "${name}". ${first}`];
}

/** What prevents a flow from being promoted, as far as its files show: errors, failing tests and broken policies. */
async function offlineBlockers(file: FlowFile, rules: RuleSettings, terminal: Terminal): Promise<string[]> {
  const { cwd, env } = terminal;
  const options = { rules, platform: false, fix: false, details: "none", env: { ...env }, cwd, folders: [] } as const;
  const input = () => terminal.input();
  const quiet: Terminal = { cwd, env, color: false, watched: false, input, out() {}, data() {}, err() {} };
  const checked = await checkFiles([file], options, quiet);
  // Policies are reported below.
  const errors = checked
    .flatMap(({ findings }) => findings)
    .filter(({ severity, code }) => severity === "error" && code !== "policy-broken");
  const { verdicts, problems } = await judgeFlows([file.absolute], quiet);
  const failed = await failedTests(file.absolute, cwd);
  return [
    ...errors.map(({ message, range }) => `${file.path}:${range.start.line + 1}: ${message}`),
    ...problems.map(({ file: at, line, message }) => `${at}:${line}: ${message}`),
    ...verdicts.filter(isBad).map(({ policy, message }) => `Policy "${policy}": ${message}`),
    ...(failed.length > 0 ? [`${count(failed.length, "test")} failed: ${failed.join(", ")}.`] : []),
  ];
}

/** The names of the flow's tests that fail, and the files of those that can't be run. */
async function failedTests(flow: string, cwd: string): Promise<string[]> {
  const suite = new Suite(cwd, diskReader(cwd), new FileScope([], cwd));
  for (const absolute of await findFiles(["."], cwd, ["test"], "silent")) {
    const text = await readSource(absolute, cwd).catch(() => undefined);
    const file = text === undefined ? undefined : readTestFile(text);
    if (file && Suite.flowPath(absolute, file) === flow) await suite.add(absolute, file);
  }
  const { files, flowOf } = await suite.loaded();
  const work = new SharedWork();
  return files.flatMap((each) => {
    const { problem, results, path } = runSuiteFile(each, flowOf, work);
    if (problem) return [`${path} (${problem.message})`];
    return results.filter(({ status }) => status === "failed").map(({ test }) => `"${test.name}"`);
  });
}

const isBlockedByErrors = (state: SyncResult["state"]) => state.kind === "blocked" && state.reason === "local-errors";

function targetBlockers({ state, file }: SyncResult, name: string): string[] {
  switch (state.kind) {
    case "synced":
      return [];
    case "conflict":
    case "diverged":
      return [
        `"${name}" has changes that the file doesn't have. Run \`assistant-flow pull --env ${name} ${file.path}\`, then test and push them to the other environment.`,
      ];
    case "pending":
      return state.reason === "manual" ? [] : [`${name}: ${state.message}`];
    default:
      return [`${name}: ${"message" in state ? state.message : state.kind}`];
  }
}

async function pushAll(
  promotions: readonly Promotion[],
  { connection }: Side,
  options: PromoteFlags,
  terminal: Terminal,
): Promise<number> {
  const rules = await ruleSettings(options, terminal);
  const yes = options.yes === true;
  const results: SyncResult[] = [];
  for (const { push } of promotions) {
    if (!push) continue;
    const allowed = { firstPush: yes, removals: yes, promotes: true, expects: push.expects };
    const [result] = await withSyncs([push.file], connection, allowed, rules, terminal, "push");
    if (!result) continue;
    results.push(result);
    const isDone = result.state.kind === "synced";
    const words = describeState(result).replace(
      /Pass --allow-first-push.* to continue\.|Pass --allow-removals to continue\./,
      "Pass --yes to continue.",
    );
    // With JSON, standard output has the plan.
    (isDone && options.format !== "json" ? terminal.out : terminal.err)(`${words}${isDone ? "." : ""}\n`);
    // What follows may depend on this flow.
    if (!isDone) break;
  }
  return worst(results.map(exitOf));
}

function show(promotions: readonly Promotion[], from: string, to: string, format: string, terminal: Terminal): void {
  if (format === "json") {
    const files = promotions.map(({ path, blockers, operations, review: made }) => ({
      path,
      ready: blockers.length === 0,
      blockers,
      operations,
      behavior: made?.behavior ?? {},
    }));
    showJson({ version: 1, from, to, files }, terminal);
  } else if (format === "markdown") terminal.out(markdownOf(promotions, from, to));
  else
    for (const { path, blockers, operations, review: made } of promotions) {
      const what = operations === 0 ? `nothing to change in ${to}` : `${count(operations, "operation")} for ${to}`;
      terminal.out(oneLine`${path}: ${blockers.length > 0 ? "not ready" : what}\n`);
      for (const blocker of blockers) terminal.out(oneLine`    ${blocker}\n`);
      if (made && operations > 0) terminal.out(reviewText(made, terminal.color).replace(/^(?=.)/gm, "  "));
    }
}

function markdownOf(promotions: readonly Promotion[], from: string, to: string): string {
  const rows = promotions.map(
    ({ path, blockers, operations }) =>
      `| ${codeSpan(inCell(path))} | ${blockers.length > 0 ? "no" : "yes"} | ${operations} |`,
  );
  const blockers = promotions.flatMap(({ path, blockers: each }) =>
    each.map((blocker) => `- ${codeSpan(path)}: ${escapeComment(blocker)}`),
  );
  const reviews = promotions.flatMap(({ review: made, operations }) => (made && operations > 0 ? [made] : []));
  const parts = [
    `## Promote ${escapeComment(from)} to ${escapeComment(to)}`,
    ["| Flow | Ready | Operations |", "|---|---|---|", ...rows].join("\n"),
    ...(blockers.length > 0 ? [blockers.join("\n")] : []),
    ...(reviews.length > 0 ? [reviewsMarkdown(reviews).trimEnd()] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
