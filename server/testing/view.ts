/** Test results in the form that VS Code shows. */

import { addTo, type FlowDocument, type Position, type Span, trimmedSpan } from "../../flow";
import type { Program } from "../../flow/run";
import {
  coverageOf,
  type Failure,
  type FileRun,
  type FlowTest,
  freshNames,
  placesOf,
  positionsIn,
  type SuiteFile,
  shownPath,
  shownValue,
  type TestFile,
  type TestResult,
  takeName,
} from "../../flow/test";
import type { TextRange } from "../messages";
import type {
  CoverageView,
  FailureView,
  FlowCoverageView,
  NodeCoverageView,
  PathFrame,
  TestFileView,
  TestResultView,
} from "../test-messages";

/** The maximum number of nodes of a path: an endless run has 10,000. */
const MAX_FRAMES = 100;

/** A test file with the URIs that its view needs. */
export interface Placed {
  readonly uri: string;
  readonly flowUri: string | undefined;
}

export function fileView(
  { uri, flowUri }: Placed,
  { file }: Pick<SuiteFile, "file">,
  problem = file.problems[0],
): TestFileView {
  const range = ranges(positionsIn(file.text));
  return {
    uri,
    ...(flowUri === undefined ? {} : { flow: flowUri }),
    ...(problem ? { problem: { message: problem.message, range: range(problem.span) } } : {}),
    tests: testIds(file).map((id, index) => {
      const test = file.tests[index] as FlowTest;
      return { id, name: test.name, range: range(test.case?.span ?? test.span) };
    }),
  };
}

/**
 * The names of a file's tests, numbered if two are equal. VS Code joins IDs with a character that must not be in them.
 */
export function testIds({ tests }: Pick<TestFile, "tests">): string[] {
  const fresh = freshNames();
  return tests.map(({ name }) => fresh(name.replaceAll("\0", "\u2400")));
}

/** `uriOfFlow` returns the URI of a flow, for paths through components. */
export function resultViews(run: FileRun, uriOfFlow: (document: FlowDocument) => string | undefined): TestResultView[] {
  const range = ranges(positionsIn(run.file.text));
  const ids = testIds(run.file);
  const idOf = new Map(run.file.tests.map((test, index) => [test, ids[index] as string]));
  return run.results.map((result) => {
    const id = idOf.get(result.test) as string;
    if (result.status === "passed") return { id, failures: [] };
    if (result.status === "skipped") return { id, failures: [], skipped: result.test.skip?.value ?? "" };
    const stack = stackOf(result, uriOfFlow);
    const failures = result.failures.map((failure): FailureView => {
      const { kind, message, span } = failure;
      return { kind, message, range: range(span), ...compared(failure, result), stack };
    });
    return { id, failures, path: shownPath(result.path) };
  });
}

/** The expected and the actual value, if a comparison shows more than the message. */
function compared({ kind, span }: Failure, { test, path: run, variables }: TestResult) {
  const { expect } = test;
  if (kind === "wrong-path" && expect.path)
    return { expected: expect.path.value.map(({ value }) => value).join("\n"), actual: run.join("\n") };
  if (kind !== "wrong-variable") return {};
  for (const [name, wanted] of expect.variables)
    if (wanted.span === span) return { expected: shownValue(wanted.value), actual: shownValue(variables.get(name)) };
  return {};
}

function stackOf({ last }: TestResult, uriOfFlow: (document: FlowDocument) => string | undefined): PathFrame[] {
  if (!last) return [];
  return placesOf(last, MAX_FRAMES).flatMap(({ at, place: { document, span } }) => {
    const uri = uriOfFlow(document);
    return uri === undefined ? [] : [{ label: at, uri, range: rangeIn(document)(span) }];
  });
}

/** Coverage of each flow that the test files name, with the tests that pass. Files that can't be run add nothing. */
export function coverageViews(runs: readonly (FileRun & Placed)[]): FlowCoverageView[] {
  const byFlow = new Map<string, { program: Program; results: [TestResult, number][] }>();
  let place = 0;
  for (const { flow, flowUri, problem, results } of runs) {
    if (!flow || flowUri === undefined || problem) continue;
    const known = byFlow.get(flowUri) ?? { program: flow, results: [] };
    for (const result of results) known.results.push([result, place++]);
    byFlow.set(flowUri, known);
  }
  return [...byFlow].map(([uri, { program, results }]) => ({ uri, nodes: nodeCoverage(program, results) }));
}

function nodeCoverage(program: Program, results: readonly (readonly [TestResult, number])[]): NodeCoverageView[] {
  const { document, nodes } = program;
  const passers = { nodes: new Map<string, number[]>(), edges: new Map<string, number[]>() };
  for (const [{ path: entered, edges }, place] of results) {
    for (const id of new Set(entered)) addTo(passers.nodes, id, place);
    for (const id of new Set(edges)) addTo(passers.edges, id, place);
  }
  const cover = coverageOf(program, [{ path: [...passers.nodes.keys()], edges: [...passers.edges.keys()] }]);
  const range = rangeIn(document);
  const state = (which: "nodes" | "edges") => {
    const [covered, missing] = [new Set(cover[which].covered), new Set(cover[which].missing)];
    return (id: string): CoverageView["state"] =>
      covered.has(id) ? "covered" : missing.has(id) ? "missing" : "unreachable";
  };
  const [stateOfNode, stateOfEdge] = [state("nodes"), state("edges")];
  return [...nodes.values()].map(({ id, block, edges }) => ({
    id,
    range: range(
      trimmedSpan(document.text, document.absolute(block, { start: block.keySpan.start, end: block.text.length })),
    ),
    state: stateOfNode(id),
    tests: passers.nodes.get(id) ?? [],
    edges: edges.map((edge) => ({
      id: edge.id,
      label: takeName(edge),
      range: range(trimmedSpan(document.text, document.absolute(block, edge.model.span))),
      state: stateOfEdge(edge.id),
      tests: passers.edges.get(edge.id) ?? [],
    })),
  }));
}

function rangeIn(document: FlowDocument): (span: Span) => TextRange {
  return ranges((offset) => document.positionAt(offset));
}

function ranges(position: (offset: number) => Position): (span: Span) => TextRange {
  return ({ start, end }) => ({ start: position(start), end: position(end) });
}
