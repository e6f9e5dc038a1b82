/** Compares the expectations of a test with its run. */
import {
  MAX_COMPONENT_DEPTH,
  MAX_STEPS,
  pathOf,
  type State,
  statesOf,
  takenId,
  type UnsetRead,
  variablesOf,
} from "../run/machine";
import { type Failure, type FlowPlace, nodePlace } from "./failure";
import type { FlowTest, Located } from "./file/test-file";

/** The failures of a run that reached an end; `used` steps were used. */
export function checkExpectations(test: FlowTest, last: State, used: number): Failure[] {
  const { ended } = last;
  const { expect } = test;
  if (ended?.kind === "endless" || (ended?.kind === "stuck" && !expect.stuck)) return [dead(test, last)];
  const end = wrongEnd(test, last);
  const path = pathOf(last);
  return [
    ...(end ? [end] : []),
    ...wrongPath(expect.path, path, last),
    ...wrongVariables(test, last),
    ...forbidden(test, last),
    ...leftOver(test, used, last),
    ...unsetReads(test, last),
  ];
}

function dead(test: FlowTest, last: State): Failure {
  const { kind, node } = last.ended as { kind: "stuck" | "endless"; node: string };
  const span = (test.expect.ends ?? { span: test.nameSpan }).span;
  const at = nodePlace(last);
  if (kind === "endless") {
    const why =
      last.steps >= MAX_STEPS
        ? "it didn't end within 10,000 nodes"
        : last.frame.depth > MAX_COMPONENT_DEPTH
          ? "components call each other recursively"
          : "a component's values grow without limit";
    const message = `The run is endless: ${why}, at "${shortened(node)}".`;
    return { kind, message, span, at };
  }
  const reason = last.taken
    ? `The edge "${takenId(last, last.taken)}" leads to "${last.taken.to}", which doesn't exist.`
    : whyStuck(last);
  return { kind: "stuck", message: `The run is stuck at "${node}". ${reason}`, span, at };
}

function whyStuck({ node }: State): string {
  if (node.edges.length === 0) return "No edge leaves it.";
  return "None of its edges can be taken: add a default edge, or an edge for the event that occurred.";
}

function wrongEnd({ expect, nameSpan }: FlowTest, last: State): Failure | undefined {
  const ended = last.ended as { kind: string; node: string };
  const expected = expect.stuck ?? expect.ends;
  if (!expected) return undefined;
  const isThere = ended.node === expected.value && (ended.kind === "stuck") === (expect.stuck !== undefined);
  // Without `transfer`, a transfer counts as an end.
  const transfer = expect.stuck ? undefined : expect.ends?.transfer;
  const isTransferred = ended.kind === "transfer";
  if (isThere && (transfer === undefined || transfer.value === isTransferred)) return undefined;
  const wanted = expect.stuck ? "get stuck" : transfer?.value ? "be transferred" : "end";
  const got = ended.kind === "stuck" ? "got stuck" : transfer && isTransferred ? "was transferred" : "ended";
  return {
    kind: "wrong-end",
    message: `Expected the run to ${wanted} at "${expected.value}", but it ${got} at "${ended.node}".`,
    span: (isThere ? transfer : expected)?.span ?? nameSpan,
    at: nodePlace(last),
    ...(ended.kind === "stuck" || expect.stuck || isThere
      ? {}
      : { fix: { title: `Change to "${ended.node}"`, span: expected.span, text: ended.node } }),
  };
}

function wrongPath(expected: FlowTest["expect"]["path"], path: readonly string[], last: State): Failure[] {
  if (!expected) return [];
  const pattern = expected.value;
  if (matches(pattern, path)) return [];
  const left = whereItLeft(pattern, path);
  const wanted = pattern[left.pattern];
  const got = path[left.path];
  const before = left.path === 0 ? "at the start" : `after "${path[left.path - 1]}"`;
  const wants = wanted === undefined ? "the path to end" : `"${wanted.value}"`;
  const found = got === undefined ? "the run ended" : `the run entered "${got}"`;
  const state = entered(last)[Math.min(left.path, path.length - 1)];
  const difference = pattern.length === 0 ? "`path` is empty." : `Expected ${wants} ${before}, but ${found}.`;
  return [
    {
      kind: "wrong-path",
      message: `${difference} The path was ${shownPath(path)}.`,
      span: wanted?.span ?? expected.span,
      ...(state ? { at: nodePlace(state) } : {}),
    },
  ];
}

/** Names in order, `...` for any number of nodes. After the last dots, a name may match at several positions. */
function matches(pattern: readonly Located<string>[], path: readonly string[]): boolean {
  let [at, index, dots, from] = [0, 0, -1, 0];
  while (index < path.length) {
    const wanted = pattern[at]?.value;
    if (wanted === "...") {
      dots = at++;
      from = index;
    } else if (wanted === path[index]) {
      at++;
      index++;
    } else if (dots < 0) return false;
    else {
      at = dots + 1;
      index = ++from;
    }
  }
  while (pattern[at]?.value === "...") at++;
  return at === pattern.length;
}

/** How far a path that doesn't match could be followed, by tracking all possible positions in the pattern. */
function whereItLeft(pattern: readonly Located<string>[], path: readonly string[]) {
  const skipDots = (from: Set<number>) => {
    for (const at of from) if (pattern[at]?.value === "...") from.add(at + 1);
    return from;
  };
  let reached = skipDots(new Set([0]));
  for (let index = 0; index < path.length; index++) {
    const after = new Set<number>();
    for (const at of reached) {
      const wanted = pattern[at]?.value;
      if (wanted === "...") after.add(at);
      else if (wanted === path[index]) after.add(at + 1);
    }
    if (after.size === 0) return { path: index, pattern: furthest(reached, pattern) };
    reached = skipDots(after);
  }
  return { path: path.length, pattern: furthest(reached, pattern) };
}

function furthest(reached: ReadonlySet<number>, pattern: readonly Located<string>[]): number {
  return [...reached].reduce((most, at) => (pattern[at]?.value === "..." ? most : Math.max(most, at)), 0);
}

function wrongVariables({ expect }: FlowTest, last: State): Failure[] {
  const variables = variablesOf(last);
  return [...expect.variables].flatMap(([name, { value, span }]): Failure[] => {
    const got = variables.get(name);
    if (sameValue(value, got)) return [];
    const message = `Expected "${name}" to be ${shownValue(value)}, but it is ${shownValue(got)}.`;
    return [{ kind: "wrong-variable", message, span, ...setPlace(name, last) }];
  });
}

/** Where a variable got its last value: the state before the one in which it differs. */
function setPlace(name: string, last: State): { at?: FlowPlace } {
  const final = variablesOf(last).get(name);
  let setter = last;
  for (let state: State | undefined = last; state; state = state.before) {
    if (!sameValue(variablesOf(state).get(name), final)) return { at: nodePlace(state) };
    setter = state;
  }
  return { at: nodePlace(setter) };
}

function forbidden({ expect }: FlowTest, last: State): Failure[] {
  if (expect.never.length === 0) return [];
  const states = entered(last);
  return expect.never.flatMap(({ value, span }): Failure[] => {
    const state = states.find(({ at }) => at === value);
    if (!state) return [];
    const from = state.taken ? ` by the edge "${takenId(state, state.taken)}"` : "";
    return [
      {
        kind: "entered-forbidden",
        message: `The run entered "${value}"${from}, which it never should.`,
        span,
        at: nodePlace(state),
      },
    ];
  });
}

function leftOver({ steps }: FlowTest, used: number, last: State): Failure[] {
  const step = steps[used];
  if (!step) return [];
  const count = steps.length - used;
  const message = `The run ended at "${last.at}" with ${count === 1 ? "1 step" : `${count} steps`} left over. Remove ${count === 1 ? "it" : "them"}, or fix the steps before.`;
  return [{ kind: "step-left-over", message, span: step.span, at: nodePlace(last) }];
}

function unsetReads({ expect, nameSpan }: FlowTest, last: State): Failure[] {
  const allowed = new Set(expect.unset.map(({ value }) => value));
  const seen = new Set<string>();
  const reading: State[] = [];
  for (let state: State | undefined = last; state; state = state.before)
    if (state.unset.length > 0) reading.push(state);
  const reads = reading.reverse().flatMap(({ unset }) => unset);
  return reads.flatMap((read): Failure[] => {
    const place = placeOf(read);
    const key = `${read.at} ${place.span.start}`;
    if (allowed.has(read.variable) || seen.has(key)) return [];
    seen.add(key);
    const message = `"${read.at}" reads "${read.variable}", which isn't set there. Set it before, or list it in \`expect.unset\`.`;
    return [{ kind: "unset-read", message, span: nameSpan, at: place }];
  });
}

function placeOf({ program: { document }, block, span }: UnsetRead): FlowPlace {
  return { document, span: document.absolute(block, span) };
}

function entered(last: State): State[] {
  return statesOf(last).filter((state) => state.steps > (state.before?.steps ?? 0));
}

/** Equality with types: "4711" isn't 4711. A missing value is undefined. */
function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return (a ?? undefined) === (b ?? undefined);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [own, other] = [Object.entries(a), Object.entries(b)];
  return (
    own.length === other.length &&
    own.every(([key, value]) => Object.hasOwn(b, key) && sameValue(value, (b as Record<string, unknown>)[key]))
  );
}

export function shownValue(value: unknown): string {
  return value === undefined ? "unset" : shortened(JSON.stringify(value));
}

/** A path as readable text; a long one is shortened in the middle. */
export function shownPath(path: readonly string[]): string {
  const names = path.length > 24 ? [...path.slice(0, 10), `(${path.length - 20} more)`, ...path.slice(-10)] : path;
  return names.map(shortened).join(" → ");
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 100)}…${text.slice(-80)}` : text;
}
