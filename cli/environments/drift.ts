/** `assistant-flow drift`. */
import { FlowDocument, type Graph, graphOf, sameGraph } from "../../flow";
import { resolveNames, restoreNames } from "../../flow/project";
import { type Change, changesBetween } from "../../flow/review";
import { codeSpan, escapeComment, oneLine } from "../../text";
import { EXIT, type ExitCode, type Input } from "../command";
import { showJson } from "../output";
import { environmentConnection, type KeyOptions } from "../platform/cli-connection";
import { exitOf, type SyncResult, withSyncs } from "../platform/flow-sync";
import { changesMarkdown } from "../review/markdown";
import { changesText } from "../review/review-text";
import { count, type Terminal } from "../terminal";
import { environmentOf, flowFileIn, type Listed, listedFlows } from "./listed";

interface DriftFlags extends KeyOptions {
  readonly format: string;
  readonly all?: boolean;
}

type DriftState = "in-step" | "ahead" | "behind" | "diverged" | "unknown";

interface Drift {
  readonly path: string;
  readonly state: DriftState;
  readonly operations: number;
  /** Why it is unknown. */
  readonly reason?: string;
  /** What the platform has that the file doesn't, and the reverse. */
  readonly changes: readonly Change[];
  readonly graphs: { readonly from: Graph; readonly to: Graph } | undefined;
}

export async function run({ args, options, terminal }: Input<DriftFlags>): Promise<number> {
  const listed = await listedFlows(args, terminal);
  const first = environmentOf(listed, options.all ? listed.found.project.environments[0]?.name : options.env, terminal);
  const environments: { readonly name: string; readonly files: readonly Drift[] }[] = [];
  for (const environment of options.all ? listed.found.project.environments : [first])
    environments.push({ name: environment.name, files: await driftIn(listed, environment, options, terminal) });
  show(environments, options.format, terminal);
  const states = new Set(environments.flatMap(({ files }) => files.map(({ state }) => state)));
  if (states.has("unknown")) return EXIT.unreachable;
  return [...states].every((state) => state === "in-step") ? EXIT.fine : EXIT.changes;
}

async function driftIn(
  listed: Listed,
  environment: Parameters<typeof flowFileIn>[1],
  options: KeyOptions,
  terminal: Terminal,
): Promise<Drift[]> {
  const drifts: Drift[] = [];
  const url = { name: environment.name, url: environment.url?.text, callingUrl: environment.callingUrl?.text };
  const connection = await environmentConnection(url, options, terminal);
  for (const flow of listed.flows) {
    const file = await flowFileIn(listed, environment, flow, terminal);
    if (!file) continue;
    const { text, path } = file;
    if (text === undefined) {
      drifts.push({ ...UNKNOWN, path, reason: "the file can't be read" });
      continue;
    }
    const allowed = { ignoresErrors: true };
    const [result] = await withSyncs([{ ...file, text }], connection, allowed, {}, terminal, "look");
    if (result) drifts.push(driftOf(result));
  }
  return drifts;
}

const UNKNOWN = { state: "unknown", operations: 0, changes: [], graphs: undefined } as const;

function driftOf(result: SyncResult): Drift {
  const { file, state, sync } = result;
  const { path, text, environment } = file;
  const written = graphOf(FlowDocument.read(text));
  const own = environment ? resolveNames(written, environment.names) : written;
  const theirs = sync?.remoteFor(own);
  const compared = kindOf(result, own);
  if (!sync || !theirs || compared === "unknown" || COULD_NOT_COMPARE.has(exitOf(result)))
    return { ...UNKNOWN, path, reason: "message" in state ? state.message : "it can't be compared" };
  const to = environment ? restoreNames(theirs, written, environment.names) : theirs;
  const changes = changesBetween(written, to);
  const operations = compared === "in-step" ? 0 : (sync.plan?.ops.length ?? changes.length);
  const incoming = state.kind === "diverged" ? (state.incoming?.ops.length ?? 0) : 0;
  return { path, state: compared, operations: operations + incoming, changes, graphs: { from: written, to } };
}

const COULD_NOT_COMPARE: ReadonlySet<ExitCode> = new Set([EXIT.unreachable]);

function kindOf({ state, sync }: SyncResult, own: Graph): DriftState {
  const base = sync?.base;
  switch (state.kind) {
    case "synced":
      return "in-step";
    case "conflict":
      return "diverged";
    case "diverged":
      return base && sameGraph(base.graph, own) ? "behind" : "diverged";
    case "pending":
      // Without a common version it isn't known which side has changed.
      return state.reason === "manual" ? (base ? "ahead" : "diverged") : "unknown";
    default:
      return "unknown";
  }
}

const WORDS: Readonly<Record<DriftState, string>> = {
  "in-step": "in step",
  ahead: "the file has changes that the platform doesn't have",
  behind: "the platform has changes that the file doesn't have",
  diverged: "the file and the platform differ",
  unknown: "couldn't be compared",
};

type Environments = readonly { readonly name: string; readonly files: readonly Drift[] }[];

function show(environments: Environments, format: string, terminal: Terminal): void {
  if (format === "json") {
    const shown = environments.map(({ name, files }) => ({
      name,
      files: files.map(({ path, state, operations }) => ({ path, state, operations })),
    }));
    showJson({ version: 1, environments: shown }, terminal);
  } else if (format === "markdown") terminal.out(markdownOf(environments));
  else
    for (const { name, files } of environments)
      for (const drift of files) {
        const { path, state, operations, reason, changes, graphs } = drift;
        const more =
          state === "unknown" ? `: ${reason}` : state === "in-step" ? "" : ` (${count(operations, "operation")})`;
        terminal.out(oneLine`${name}: ${path}: ${WORDS[state]}${more}\n`);
        if (graphs && changes.length > 0)
          terminal.out(changesText(graphs, changes, terminal.color).replace(/^(?=.)/gm, "  "));
      }
}

function markdownOf(environments: Environments): string {
  const all = environments.flatMap(({ files }) => files);
  const differ = all.filter(({ state }) => state !== "in-step").length;
  const summary =
    differ === 0
      ? `${count(all.length, "flow")} compared. The platforms match the files.`
      : `${differ} of ${count(all.length, "flow")} ${differ === 1 ? "differs" : "differ"} from the files.`;
  const parts = ["<!-- assistant-flow drift -->\n## Drift of assistant flows", summary];
  for (const { name, files } of environments) {
    const rows = files.map(
      ({ path, state, operations, reason }) =>
        `| ${codeSpan(path)} | ${state === "unknown" ? escapeComment(`${WORDS.unknown}: ${reason}`) : WORDS[state]} | ${state === "unknown" ? "" : operations} |`,
    );
    parts.push(`### ${escapeComment(name)}`, ["| Flow | State | Operations |", "|---|---|---|", ...rows].join("\n"));
    for (const { path, changes } of files)
      if (changes.length > 0)
        parts.push(
          `<details><summary>On the platform, compared with ${codeSpan(path)}</summary>\n\n${changesMarkdown(changes, 100)}\n\n</details>`,
        );
  }
  if (differ > 0)
    parts.push(
      "To take platform changes into the files, run `assistant-flow pull --env NAME FILE`. To replace them, push or promote the files.",
    );
  return `${parts.join("\n\n")}\n`;
}
