/** Lists and runs tests for VS Code: in a thread (worker.ts) if the program is bundled. */
import { FileRefused, FileScope } from "../../files";
import { DocumentCache, type LoadedSuite, Suite } from "../../files/suite";
import { addTo, type FlowDocument, unreadIn } from "../../flow";
import { type CallTrace, CallTracer, edgesTaken, readCall } from "../../flow/calls";
import { type FlowOf, type Program, SharedWork } from "../../flow/run";
import { type FileRun, readTestFile, reportOf, runsOf, type TestFile } from "../../flow/test";
import { KnownTools } from "../../flow/tools";
import { lstat, path, stat } from "../../system";
import { t } from "../../text";
import { uriOf } from "../protocol/uris";
import type { CallPathView, CallsView, TestFileView, TestRunView } from "../test-messages";
import { type NewTest, newTests } from "./create";
import { coverageViews, fileView, type Placed, resultViews, testIds } from "./view";

/** Requests to the thread. Paths are absolute. */
export type Work = { readonly unsaved: readonly (readonly [path: string, text: string])[] } & (
  | { readonly kind: "list"; readonly files: readonly WantedFile[] }
  | { readonly kind: "run"; readonly files: readonly WantedFile[]; readonly report: boolean }
  | ({ readonly kind: "new" } & NewTest)
  | ({ readonly kind: "calls"; readonly flow: string; readonly cwd: string } & CallsToTrace)
  | { readonly kind: "call"; readonly flow: string; readonly cwd: string; readonly call: unknown }
);

type Of<Kind> = Extract<Work, { readonly kind: Kind }>;

export interface WantedFile {
  readonly path: string;
  /** The working folder: where the command line would be run. */
  readonly cwd: string;
  /** The tests to run; all of them by default. */
  readonly tests?: readonly string[];
}

/** Runs tests and caches files between runs. */
export class TestRunner {
  #unsaved: ReadonlyMap<string, string> = new Map();
  readonly #texts = new Map<string, { readonly stamp: string; readonly text: string }>();
  /** Why existing files can't be read. */
  readonly #refused = new Map<string, string>();
  #used = new Set<string>();
  readonly #tracers = new Tracers();
  readonly #reader = new DocumentCache((absolute) => this.#textOf(absolute));

  /** `pause` is called often; it rejects when the work is cancelled. */
  constructor(private readonly pause: () => Promise<void>) {}

  async do(work: Work): Promise<unknown> {
    this.#unsaved = new Map(work.unsaved);
    this.#used = new Set();
    this.#refused.clear();
    if (work.kind === "list") return this.#list(work);
    if (work.kind === "new") return this.#new(work);
    if (work.kind === "calls" || work.kind === "call") return this.#calls(work);
    const result = await this.#run(work);
    // A run names all relevant files, so the others can be removed from the cache.
    this.#reader.keepOnly(this.#used);
    for (const known of this.#texts.keys()) if (!this.#used.has(known)) this.#texts.delete(known);
    return result;
  }

  async #list(work: Of<"list">): Promise<TestFileView[]> {
    const views: TestFileView[] = [];
    for (const { path: absolute } of work.files) {
      const file = await this.#tests(absolute);
      views.push(fileView(placed(absolute, file), { file }));
      await this.pause();
    }
    return views;
  }

  async #new(work: Of<"new">): Promise<unknown> {
    const look = async (absolute: string) => {
      const file = await this.#reader.tests(absolute);
      if (file) return file;
      // Anything else that exists there, such as a folder, is left alone.
      return (await lstat(absolute).catch(() => undefined)) ? "unreadable" : undefined;
    };
    const suite = new Suite(work.cwd, this.#reader);
    const program = await suite.flow(work.flow);
    const { flowOf } = await suite.loaded();
    // A project file that can't be read has no names; it is reported elsewhere.
    const environments = await suite.environmentsOf(work.flow).catch(() => []);
    const tools = KnownTools.ofSnapshot(work.tools, environments);
    return newTests({ ...work, tools }, program, { look }, flowOf);
  }

  async #calls(work: Of<"calls" | "call">): Promise<unknown> {
    const suite = new Suite(work.cwd, this.#reader);
    const program = await suite.flow(work.flow);
    if (!program?.entry || unreadIn(program.document)) return null;
    const { flowOf } = await suite.loaded();
    const flows = suite.flows.map(([, flow]) => flow);
    const tracer = this.#tracers.of(program, flows, flowOf);
    if (work.kind === "call") return traceCall(work.call, tracer) ?? null;
    return traceCalls(work, program, tracer, this.pause);
  }

  async #run(work: Of<"run">): Promise<TestRunView> {
    const runs: (FileRun & Placed)[] = [];
    const reports: { readonly runs: readonly FileRun[]; readonly pathOf: LoadedSuite["pathOf"] }[] = [];
    const uris = new Map<FlowDocument, string>();
    const steps = new SharedWork();
    for (const [cwd, wanted] of byFolder(work.files)) {
      const suite = new Suite(cwd, this.#reader);
      const places: Placed[] = [];
      for (const { path: absolute } of wanted) {
        const file = await this.#tests(absolute);
        places.push(placed(absolute, file));
        await suite.add(absolute, file);
        await this.pause();
      }
      const loaded = await suite.loaded();
      for (const [absolute, { document }] of suite.flows) uris.set(document, uriOf(absolute));
      const own: FileRun[] = [];
      for (const [index, each] of loaded.files.entries()) {
        const only = wanted[index]?.tests && new Set(wanted[index].tests);
        const ids = only && testIds(each.file);
        const running = runsOf(each, loaded.flowOf, steps, (_, test) => !only || only.has(ids?.[test] ?? ""));
        let step = running.next();
        for (; !step.done; step = running.next()) await this.pause();
        own.push(step.value);
        runs.push({ ...step.value, ...(places[index] as Placed) });
      }
      reports.push({ runs: own, pathOf: loaded.pathOf });
    }
    return {
      files: runs.map((run) => ({
        ...fileView(run, run, run.problem),
        results: resultViews(run, (document) => uris.get(document)),
      })),
      coverage: coverageViews(runs),
      ...(work.report ? { report: reportText(reports) } : {}),
    };
  }

  async #tests(absolute: string): Promise<TestFile> {
    const file = await this.#reader.tests(absolute);
    if (file) return file;
    const why = this.#refused.get(absolute);
    return unreadable(
      why === undefined ? t("The test file is no longer there.") : t("The test file can't be read: {0}", why),
    );
  }

  async #textOf(absolute: string): Promise<string | undefined> {
    this.#used.add(absolute);
    const unsaved = this.#unsaved.get(absolute);
    if (unsaved !== undefined) return unsaved;
    try {
      const { mtimeMs, size } = await stat(absolute);
      const stamp = `${mtimeMs} ${size}`;
      const kept = this.#texts.get(absolute);
      if (kept?.stamp === stamp) return kept.text;
      const text = await new FileScope([]).read(absolute);
      this.#texts.set(absolute, { stamp, text });
      return text;
    } catch (error) {
      if (error instanceof FileRefused) this.#refused.set(absolute, error.message);
      return undefined;
    }
  }
}

/** The folders in the order in which they would be passed to the command line. */
function byFolder(files: readonly WantedFile[]): Map<string, WantedFile[]> {
  const folders = new Map<string, WantedFile[]>();
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) addTo(folders, file.cwd, file);
  return folders;
}

function placed(absolute: string, file: TestFile): Placed {
  const flow = Suite.flowPath(absolute, file);
  return { uri: uriOf(absolute), flowUri: flow === undefined ? undefined : uriOf(path.normalize(flow)) };
}

function unreadable(message: string): TestFile {
  return { ...readTestFile(""), problems: [{ message, span: { start: 0, end: 0 } }] };
}

function reportText(folders: readonly { readonly runs: readonly FileRun[]; readonly pathOf: LoadedSuite["pathOf"] }[]) {
  const reports = folders.map(({ runs, pathOf }) => reportOf(runs, pathOf, true));
  const [only] = reports;
  const whole =
    reports.length === 1
      ? only
      : { tests: reports.flatMap(({ tests }) => tests), coverage: reports.flatMap(({ coverage }) => coverage ?? []) };
  return `${JSON.stringify(whole)}\n`;
}

/** The most calls that are listed for one node or edge. */
const MAX_LISTED = 200;

/** Traces calls through a flow for the graph page. Returns IDs and counts; transcripts stay in this thread. */
interface CallsToTrace {
  readonly calls: readonly unknown[];
}

/** Keeps a tracer for further calls of the same flow: what it knows of the flow's runs takes time to find out. */
class Tracers {
  #kept: { readonly flows: readonly Program[]; readonly tracer: CallTracer } | undefined;

  /** `flows` are those that may be components. */
  of(program: Program, flows: readonly Program[], flowOf: FlowOf): CallTracer {
    const all = [program, ...flows];
    const kept = this.#kept?.flows;
    if (!this.#kept || kept?.length !== all.length || kept.some((each, index) => each !== all[index]))
      this.#kept = { flows: all, tracer: new CallTracer(program, flowOf) };
    return this.#kept.tracer;
  }
}

async function traceCalls(
  { calls }: CallsToTrace,
  program: Program,
  tracer: CallTracer,
  pause: () => Promise<void>,
): Promise<CallsView> {
  const totals = { calls: 0, placed: 0, partly: 0, unplaced: 0 };
  const nodes = new Map<string, Counted>();
  const edges = new Map<string, Counted>();
  for (const call of calls) {
    const read = readCall(call);
    if (!read) continue;
    const trace = tracer.trace(read);
    totals.calls++;
    totals[trace.verdict]++;
    add(trace, nodes, edges);
    await pause();
  }
  const edgeViews = [...program.nodes.values()].flatMap((node) =>
    node.edges.map((edge) => ({
      source: node.id,
      id: edge.id,
      ...(edges.get(`${node.id}:${node.block.edges.indexOf(edge.model)}`) ?? none()),
    })),
  );
  const nodeViews = [...program.nodes.keys()].map((id) => ({ id, ...(nodes.get(id) ?? none()) }));
  return { ...totals, nodes: nodeViews, edges: edgeViews };
}

/** Undefined if the data isn't a call. */
function traceCall(data: unknown, tracer: CallTracer): CallPathView | undefined {
  const call = readCall(data);
  if (!call) return undefined;
  const { verdict, steps, end } = tracer.trace(call);
  return {
    verdict,
    steps: steps.map(({ node, certainty, turns }) => ({ node, certainty, turns })),
    ...(end ? { end: end.node } : {}),
  };
}

interface Counted {
  calls: number;
  left: number;
  readonly ids: string[];
  readonly leftIds: string[];
}

const none = (): Counted => ({ calls: 0, left: 0, ids: [], leftIds: [] });

function add({ call, verdict, steps }: CallTrace, nodes: Map<string, Counted>, edges: Map<string, Counted>): void {
  for (const node of new Set(steps.map((step) => step.node))) count(nodes, node, call);
  for (const edge of edgesTaken(steps).keys()) count(edges, edge, call);
  const last = steps.at(-1);
  const left = verdict === "partly" && last ? nodes.get(last.node) : undefined;
  if (!left) return;
  left.left++;
  if (left.leftIds.length < MAX_LISTED) left.leftIds.push(call);
}

function count(counts: Map<string, Counted>, key: string, call: string): void {
  const counted = counts.get(key) ?? none();
  counts.set(key, counted);
  counted.calls++;
  if (counted.ids.length < MAX_LISTED) counted.ids.push(call);
}
