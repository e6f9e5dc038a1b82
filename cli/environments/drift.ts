/** `assistant-flow drift`. */
import { FlowDocument } from "../../flow";
import { type Change, changesBetween } from "../../flow/review";
import type { Connection } from "../../platform";
import { type Drift, type DriftState, driftOf } from "../../sync";
import { codeSpan, escapeComment, inCell, oneLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { environmentConnection, type KeyOptions } from "../platform/cli-connection";
import { type SyncResult, withSyncs } from "../platform/flow-sync";
import { changesMarkdown } from "../review/markdown";
import { changesText } from "../review/review-text";
import { count, showJson, type Terminal } from "../terminal";
import { addressesOf, environmentOf, flowFileIn, type Listed, listedFlows } from "./projects";

interface DriftFlags extends KeyOptions {
  readonly format: string;
  readonly all?: boolean;
}

interface FileDrift extends Drift {
  readonly path: string;
  /** What only the platform has, and what only the file has. */
  readonly changes: readonly Change[];
}

interface EnvironmentDrift {
  readonly name: string;
  readonly files: readonly FileDrift[];
  /** Why none of the files was compared. */
  readonly problem?: Stop;
}

export async function run({ args, options, terminal }: Input<DriftFlags>): Promise<number> {
  const listed = await listedFlows(args, terminal);
  const first = environmentOf(listed, options.all ? listed.found.project.environments[0]?.name : options.env, terminal);
  const environments: EnvironmentDrift[] = [];
  for (const environment of options.all ? listed.found.project.environments : [first])
    environments.push(await driftIn(listed, environment, options, terminal));
  show(environments, options.format, terminal);
  for (const { name, problem } of environments)
    if (problem) terminal.err(oneLine`${name}: ${WORDS.unknown}: ${problem.message}\n`);
  const problems = environments.flatMap(({ problem }) => problem ?? []);
  const states = new Set(environments.flatMap(({ files }) => files.map(({ state }) => state)));
  if (problems.some(({ code }) => code === EXIT.undecided)) return EXIT.undecided;
  if (states.has("unknown")) return EXIT.unreachable;
  return [...states].every((state) => state === "in-step") ? EXIT.fine : EXIT.changes;
}

async function driftIn(
  listed: Listed,
  environment: Parameters<typeof flowFileIn>[1],
  options: DriftFlags,
  terminal: Terminal,
): Promise<EnvironmentDrift> {
  const { name } = environment;
  const found = await Promise.all(listed.flows.map((flow) => flowFileIn(listed, environment, flow, terminal)));
  const flows = found.filter((file) => file !== undefined);
  if (flows.length === 0) return { name, files: [] };
  let connection: Connection;
  try {
    connection = await environmentConnection(addressesOf(environment), options, terminal);
  } catch (error) {
    // The other environments are compared anyway.
    if (!options.all || !(error instanceof Stop)) throw error;
    const files = flows.map(({ path }) => ({ ...UNKNOWN, path, reason: error.message }));
    return { name, files, problem: error };
  }
  const drifts: FileDrift[] = [];
  for (const file of flows) {
    const { text, path } = file;
    if (text === undefined) {
      drifts.push({ ...UNKNOWN, path, reason: "the file can't be read" });
      continue;
    }
    const allowed = { ignoresErrors: true };
    const [result] = await withSyncs([{ ...file, text }], connection, allowed, {}, terminal, "look");
    if (result) drifts.push(fileDrift(result));
  }
  return { name, files: drifts };
}

const UNKNOWN = { state: "unknown", operations: 0, changes: [] } as const;

function fileDrift({ file, state, sync }: SyncResult): FileDrift {
  const drift = driftOf(sync, state, FlowDocument.read(file.text), file.environment);
  const { graphs } = drift;
  return { ...drift, path: file.path, changes: graphs ? changesBetween(graphs.from, graphs.to) : [] };
}

const WORDS: Readonly<Record<DriftState, string>> = {
  "in-step": "synced",
  ahead: "the file has changes that the platform doesn't have",
  behind: "the platform has changes that the file doesn't have",
  diverged: "the file and the platform differ",
  unknown: "couldn't be compared",
};

function show(environments: readonly EnvironmentDrift[], format: string, terminal: Terminal): void {
  if (format === "json") {
    const shown = environments.map(({ name, files }) => ({
      name,
      files: files.map(({ path, state, operations }) => ({ path, state, operations })),
    }));
    showJson({ version: 1, environments: shown }, terminal);
  } else if (format === "markdown") terminal.out(markdownOf(environments));
  else
    for (const { name, files, problem } of environments)
      for (const drift of problem ? [] : files) {
        const { path, state, operations, reason, changes, graphs } = drift;
        const more =
          state === "unknown" ? `: ${reason}` : state === "in-step" ? "" : ` (${count(operations, "operation")})`;
        terminal.out(oneLine`${name}: ${path}: ${WORDS[state]}${more}\n`);
        if (graphs && changes.length > 0)
          terminal.out(changesText(graphs, changes, terminal.color).replace(/^(?=.)/gm, "  "));
      }
}

function markdownOf(environments: readonly EnvironmentDrift[]): string {
  const all = environments.flatMap(({ files }) => files);
  const compared = all.filter(({ state }) => state !== "unknown");
  const differ = compared.filter(({ state }) => state !== "in-step").length;
  const unknown = all.length - compared.length;
  const summary = [
    differ > 0
      ? `${differ} of ${count(compared.length, "flow")} ${differ === 1 ? "differs" : "differ"} from the files.`
      : compared.length > 0 || unknown === 0
        ? `${count(compared.length, "flow")} compared. The platforms match the files.`
        : "",
    unknown > 0 ? `${count(unknown, "flow")} couldn't be compared.` : "",
  ];
  const parts = [
    "<!-- assistant-flow drift -->\n## Drift of assistant flows",
    summary.filter((sentence) => sentence !== "").join(" "),
  ];
  for (const { name, files, problem } of environments) {
    if (problem) {
      const paths = files.map(({ path }) => codeSpan(path)).join(", ");
      parts.push(`### ${escapeComment(name)}`, `Not compared: ${paths}. ${escapeComment(problem.message)}`);
      continue;
    }
    const rows = files.map(
      ({ path, state, operations, reason }) =>
        `| ${codeSpan(inCell(path))} | ${state === "unknown" ? escapeComment(inCell(`${WORDS.unknown}: ${reason}`)) : WORDS[state]} | ${state === "unknown" ? "" : operations} |`,
    );
    parts.push(`### ${escapeComment(name)}`, ["| Flow | State | Operations |", "|---|---|---|", ...rows].join("\n"));
    for (const { path, changes } of files)
      if (changes.length > 0)
        parts.push(
          // The summary is HTML, where a path isn't escaped by being code.
          `<details><summary>Changes on the platform</summary>\n\nCompared with ${codeSpan(path)}:\n\n${changesMarkdown(changes, 100)}\n\n</details>`,
        );
  }
  if (differ > 0)
    parts.push(
      "To pull platform changes, run `assistant-flow pull --env NAME FILE`. To replace them, push or promote the files.",
    );
  return `${parts.join("\n\n")}\n`;
}
