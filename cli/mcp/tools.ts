/** The tools for agents: commands of the command line, and queries about a flow. */
import path from "node:path";
import { confinedTo, shownPath } from "../../files";
import type { DocumentCache } from "../../files/suite";
import { FlowDocument, nearest, unreadWords } from "../../flow";
import { leadingTo, reachedFrom, routeBetween, routeByShape } from "../../flow/policy";
import { outlineOf } from "../../flow/review";
import { type Program, programOf, type RunNode, SharedWork } from "../../flow/run";
import { type FileRun, reportOf, runSuiteFile } from "../../flow/test";
import { withoutKeys } from "../../platform";
import { callReport } from "../calls/report";
import { CheckContext } from "../check/check-context";
import { checkFiles } from "../check/check-files";
import type { CheckedFile, FoundIn } from "../check/findings";
import { PolicyWorkspace } from "../check/policy-workspace";
import { Stop } from "../command";
import { judgeFlows, listBindings } from "../commands/policies";
import { CHECKED_KINDS, flowNamed, namedFiles, readFlowFiles, readSource } from "../files/flow-files";
import { ruleSettings } from "../files/rule-settings";
import { savedTools, toolListing } from "../platform/flow-tools";
import { findingJson, summaryOf } from "../report/json";
import { counted, type Terminal } from "../terminal";
import { expectSome, isWanted } from "../tests/choose";
import { diskReader, loadTests } from "../tests/load";
import type { Tool, ToolContext } from "./capabilities";
import { type Json, listRows, pageOf, type Rows, shortened } from "./page";
import { ShownPlans } from "./plans";
import { formatPage } from "./reference";
import { runScript } from "./run-script";
import { type Inputs, inputs, outputs, type ToolName } from "./schemas";

export function toolsFor(place: ToolContext, allowPush: boolean): Tool[] {
  const plans = new ShownPlans();
  // Unchanged flows aren't parsed again by the next call.
  const reader = diskReader();
  const all = [
    tool("check", {
      title: "Check Flows",
      description:
        "Checks flow files like a compiler: returns every finding with its rule, severity, location and, if available, the edit that fixes it. Works offline. Call it after each edit.",
      rows: async (input, terminal) => {
        const options = { platform: input.platform === true, fix: false, details: "when-asked" } as const;
        const rules = await ruleSettings({}, terminal);
        const files = await namedFiles(input.paths ?? [], terminal, CHECKED_KINDS);
        const { cwd, env } = terminal;
        const checked = await checkFiles(files, { ...options, rules, env, cwd, folders: [] }, terminal);
        const named = files.map(({ absolute }) => absolute);
        const policies = new PolicyWorkspace(cwd);
        const companions = await policies.unmatchedFor(named);
        return findingRows(
          [...checked, ...companions.filter(({ findings }) => findings.length > 0)],
          await policies.problemsOf(named),
        );
      },
    }),
    tool("outline", {
      title: "Outline Flow",
      description:
        "Lists the variables and nodes of a flow, with each node's edges, the variables it reads and sets, and whether it is reachable. Works offline.",
      rows: async ({ file }, { cwd }) => {
        const program = await readFlow(file, cwd, reader);
        const { entry, variables, nodes } = outlineOf(program);
        const shown = shownPath(path.resolve(cwd, file), cwd);
        const unread = unreadWords(program.document);
        const head = { file: shown, ...(entry === undefined ? {} : { entry }) };
        return listRows(unread === undefined ? head : { ...head, notes: [`${shown} ${unread}`] }, { variables, nodes });
      },
    }),
    tool("paths", {
      title: "Find Paths",
      description:
        "Finds the shortest path between two nodes that conditions allow, with the variables set along it. Without `to`, lists every node reachable from `from` and every node that can reach it. Works offline.",
      rows: async ({ file, from, to }, { cwd }) => {
        const program = await readFlow(file, cwd, reader);
        const shown = shownPath(path.resolve(cwd, file), cwd);
        const unread = unreadWords(program.document);
        if (unread !== undefined) throw new Stop(`${shown} ${unread}`);
        return pathRows(shown, program, from, to);
      },
    }),
    tool("run", {
      title: "Run Flow",
      description:
        "Runs a flow with a script, without the platform or a model, and returns its path, its variables and how it ended. If the script ends early, `asks` is what the run waits for.",
      answer: async (input, { cwd }) => runScript(input, await readFlow(input.file, cwd, reader), cwd, reader),
    }),
    tool("test", {
      title: "Test Flows",
      description:
        "Runs test files (*.flowtest.yaml) offline, and returns the results, the locations of failures, and the covered nodes and edges. Pass a flow in `paths` to run all its tests.",
      rows: async ({ paths = [], filter, tag, coverage = true }, terminal) => {
        const { files, flowOf, pathOf } = await loadTests(paths, terminal.cwd, reader);
        const runs: FileRun[] = [];
        const work = new SharedWork();
        for (const each of counted("Testing", files, terminal))
          runs.push(runSuiteFile(each, flowOf, work, isWanted({ filter, tag })));
        expectSome(runs, { filter, tag });
        return listRows({}, { ...reportOf(runs, pathOf, coverage) });
      },
    }),
    tool("policies", {
      title: "Check Policies",
      description:
        "Checks the policies (assistant-flow.policies.yaml) of flow files. Each policy is proved, broken (with the shortest violating path), or matches nothing, which is an error in the policy. Also reports syntax errors in policy files, failing examples and expired exceptions. With `list`, only lists the policies that apply to each flow. Works offline. Call it after each edit of a flow or a policy.",
      rows: async ({ paths = [], list = false }, terminal) => {
        if (list) return listRows({}, { ...(await listBindings(paths, terminal)) });
        const { verdicts, problems, note } = await judgeFlows(paths, terminal);
        const number = (...wanted: string[]) => verdicts.filter(({ verdict }) => wanted.includes(verdict)).length;
        const [broken, unmatched] = [number("broken"), number("matches-nothing")];
        const summary = {
          holds: broken + unmatched + number("not-checked") + problems.length === 0 && verdicts.length > 0,
          proved: number("proved-by-shape", "proved-given-conditions"),
          broken,
          matches_nothing: unmatched,
          problems: problems.length,
        };
        return listRows({ summary, ...(note === undefined ? {} : { notes: [note] }) }, { verdicts, problems });
      },
    }),
    tool("calls_report", {
      title: "Report Calls",
      description:
        "Traces recorded calls through a flow and counts the calls of each node and edge: where callers go, where they leave, and which edges no test takes. Contains counts and IDs of the flow, never transcripts. Works offline.",
      answer: async ({ file, calls }, terminal) => ({ ...(await callReport({ flow: file, calls }, terminal)) }),
    }),
    tool("tools", {
      title: "List Tools",
      description:
        "Lists the platform's tools that flows can call, with their inputs, mapped outputs and the nodes that use them: as of the last sync, then from assistant-flow.tools.json. Works offline. Call it before you write a tool node.",
      rows: async ({ paths = [] }, terminal) => {
        const { cwd, env } = terminal;
        const { tools, revisions } = new CheckContext({ cwd, folders: [], env });
        const files = await readFlowFiles(paths, terminal);
        const { flows, problems } = await savedTools(files, tools, cwd, revisions);
        const { tools: listed, ...head } = toolListing(flows);
        const notes = flows.length === 0 ? [...problems, NO_TOOLS] : problems;
        return listRows(notes.length > 0 ? { ...head, notes } : head, { tools: listed });
      },
    }),
    tool("format", {
      title: "Read Format",
      description:
        "Returns the format of flow, test and policy files and of saved tool definitions, with examples. Read it before you write one. Also available as the resource assistant-flow://format.",
      isPage: true,
      answer: async ({ of }) => ({ page: await formatPage(of) }),
    }),
    tool("plan", {
      title: "Plan Push",
      description:
        "Returns the operations that a push of flow files would send to the platform. Reads from the platform; changes neither it nor the file.",
      leavesMachine: true,
      rows: ({ paths }, terminal) => plans.show(paths ?? [], terminal),
    }),
    tool("push", {
      title: "Push Flow",
      description:
        "Pushes a flow file to the platform, exactly as in the plan with this fingerprint. Call `plan` first, show it to the user, and push only after they agree.",
      leavesMachine: true,
      changesPlatform: true,
      answer: (input, terminal) => plans.push(input, terminal),
    }),
  ];
  return all.filter(({ changesPlatform }) => allowPush || !changesPlatform);

  function tool<Name extends ToolName>(name: Name, made: Made<Inputs[Name]>): Tool {
    return {
      name,
      title: made.title,
      description: made.description,
      inputSchema: inputs[name],
      outputSchema: outputs[name],
      leavesMachine: made.leavesMachine === true,
      changesPlatform: made.changesPlatform === true,
      isPage: made.isPage === true,
      call: async (given, onProgress) => {
        const input = given as Inputs[Name];
        // The format page doesn't depend on any folder.
        if (made.isPage) return made.answer?.(input, { ...silent, cwd: "", env: place.env }) ?? {};
        const roots = await place.roots();
        const [cwd] = roots;
        if (cwd === undefined) throw new Stop("This server has no folder to work in.");
        return confinedTo(roots, async () => {
          // An agent sends nothing before it has shown a plan. Without keys, the platform's last answer is used.
          const env = made.leavesMachine ? place.env : withoutKeys(place.env);
          const terminal = { ...silent, cwd, env, onProgress };
          const answer = made.answer
            ? await made.answer(input, terminal)
            : pageOf(await made.rows(input, terminal), input as never);
          // What is pushed must have been shown in full.
          return made.leavesMachine ? answer : shortened(answer);
        });
      },
    };
  }
}

type Made<Given> = {
  readonly title: string;
  readonly description: string;
  readonly leavesMachine?: boolean;
  readonly changesPlatform?: boolean;
  readonly isPage?: boolean;
} & (
  | { answer(input: Given, terminal: Terminal): Promise<Json>; readonly rows?: undefined }
  // biome-ignore lint/suspicious/noExplicitAny: the row type differs per tool, and only the tool itself reads its rows.
  | { rows(input: Given, terminal: Terminal): Promise<Rows<any>>; readonly answer?: undefined }
);

/** Standard output is used by the protocol, so tools print nothing. */
const silent: Omit<Terminal, "cwd" | "env"> = {
  color: false,
  watched: false,
  out: () => undefined,
  data: () => undefined,
  err: () => undefined,
  input: async () => {
    throw new Stop("Standard input (-) isn't available here. Pass a file.");
  },
};

async function readFlow(file: string, cwd: string, reader: DocumentCache): Promise<Program> {
  const absolute = await flowNamed(file, cwd);
  // The cache returns nothing for an unreadable file; reading it again reports the error.
  return (await reader.flow(absolute)) ?? programOf(FlowDocument.read(await readSource(absolute, cwd)));
}

/**
 * A file without findings is a row too. Fixes are computed only for the current page, because they take longer than the
 * check.
 */
function findingRows(files: readonly CheckedFile[], unchecked: readonly string[]): Rows {
  type Row = { readonly path: string; readonly found?: FoundIn };
  const rows = files.flatMap(({ file, findings }): Row[] =>
    findings.length === 0 ? [{ path: file.path }] : findings.map((found) => ({ path: file.path, found })),
  );
  const silent = files.flatMap(({ file, platformSilence: why }) =>
    why === undefined ? [] : [`${file.path}: no platform findings: ${why}.`],
  );
  const notes = [...silent, ...unchecked];
  const answer = (some: readonly Row[]) => {
    const byPath = new Map<string, object[]>();
    for (const { path: at, found } of some) {
      const known = byPath.get(at) ?? [];
      if (found) known.push(fromOne(findingJson(found)) as object);
      byPath.set(at, known);
    }
    return {
      version: 1,
      files: [...byPath].map(([at, findings]) => ({ path: at, findings })),
      summary: summaryOf(files),
      ...(notes.length > 0 ? { notes } : {}),
    };
  };
  return { rows, answer: answer as Rows["answer"], usual: FINDINGS_PER_PAGE };
}

const NO_TOOLS =
  "No tools are known. `assistant-flow tools --save`, run by the user with a connection, writes assistant-flow.tools.json.";

/** Small, because an agent fixes some findings and checks again. */
const FINDINGS_PER_PAGE = 20;

function pathRows(file: string, program: Program, from: string | undefined, to: string | undefined): Rows {
  const start = from === undefined ? program.entry : nodeOf(program, from);
  if (!start) throw new Stop(`${file} has no entry node. Set \`entry\` to a node ID, or pass \`from\`.`);
  const head = { file, from: start.id };
  if (to === undefined)
    return listRows(head, { reaches: reachedFrom(program, start), reached_by: leadingTo(program, [start]) });
  const targets = targetsOf(program, to);
  const isTarget = (node: RunNode) => targets.includes(node);
  const route = routeBetween(program, start, isTarget);
  const byShape = route ?? routeByShape(program, start, isTarget);
  const found = byShape ? { path: byShape.nodes, edges: byShape.edges, sets: byShape.sets } : {};
  const excluded = byShape && !route ? { only_by_shape: true } : {};
  const answered = { ...head, to, reachable: route !== undefined, ...excluded, ...found };
  return listRows(answered, { reached_by: leadingTo(program, targets) });
}

function targetsOf(program: Program, to: string): RunNode[] {
  const named = program.nodes.get(to);
  const ofType = [...program.nodes.values()].filter(({ type }) => type === to && (to === "end" || to === "transfer"));
  return named ? [named] : ofType.length > 0 ? ofType : [nodeOf(program, to)];
}

function nodeOf({ nodes }: Program, id: string): RunNode {
  const node = nodes.get(id);
  if (node) return node;
  const near = nearest(id, [...nodes.keys()]);
  throw new Stop(`Node "${id}" doesn't exist.${near === undefined ? "" : ` Did you mean "${near}"?`}`);
}

/** Converts every position in a value to 1-based. Positions are 1-based in tool responses, unlike in the command line's JSON. */
function fromOne(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromOne);
  if (typeof value !== "object" || value === null) return value;
  const { line, character } = value as { line?: unknown; character?: unknown };
  if (typeof line === "number" && typeof character === "number") return { line: line + 1, character: character + 1 };
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, fromOne(each)]));
}
