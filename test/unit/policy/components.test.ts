/**
 * Random small flows with components, and random policies: verdicts and path lengths equal those of an enumeration of
 * concrete runs through both flows, and every violating path can be run in the machine. `POLICY_ROUNDS` raises the
 * count.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import {
  type BreakingPath,
  FlowPolicies,
  Judge,
  matchedParts,
  readPolicyFile,
  verdictWords,
} from "../../../flow/policy";
import { type Answer, isEntry, next, type Program, programOf, type State, start, takenId } from "../../../flow/run";
import { cases } from "../../support/cases";
import { pick, type Random, seeded } from "../run/random-flows";
import {
  ASSIGNMENTS,
  type Edge,
  moves,
  type Node,
  randomFlow,
  randomPolicy,
  textOf,
  VALUES,
  type Values,
  type Wanted,
  type Way,
} from "./small-flows";

const ROUNDS = cases(6_000, "POLICY_ROUNDS", 600);

type Value = Values["v"];

/** The inputs and saved outputs of a component node; the output is a variable of the inner flow, or a string. */
interface Part {
  readonly inputs: Readonly<Partial<Record<"v" | "w", { readonly copy: "v" | "w" } | "x" | "y">>>;
  readonly saves: "it" | "nothing";
  readonly isSeen: boolean;
}

interface Whole {
  readonly text: string;
  readonly inner: string;
  /** Every node under the name it has in a run. */
  readonly nodes: readonly Node[];
  readonly parts: ReadonlyMap<string, Part>;
  readonly output: { readonly copy: "v" | "w" } | "x" | "y";
}

function randomWhole(random: Random): Whole {
  const outer = randomFlow(random).slice(0, 6);
  for (const node of outer)
    for (const edge of node.edges) if (!outer.some(({ id }) => id === edge.to)) edge.to = pick(random, outer).id;
  const inside = randomFlow(random).slice(0, 5);
  for (const node of inside)
    for (const edge of node.edges) if (!inside.some(({ id }) => id === edge.to)) edge.to = pick(random, inside).id;
  const source = () => pick(random, [{ copy: "v" }, { copy: "w" }, "x", "y"] as const);
  const output = source();
  const parts = new Map<string, Part>();
  const sets = new Set(inside.flatMap(({ variable }) => variable ?? []));
  const nodes = outer.map((node): Node => {
    if (node.type !== "tool") return node;
    // A copy that is then set inside would have to be tracked together with its source; see docs/policies.md.
    const input = (name: "v" | "w") => {
      const given = source();
      return random() < 0.4 || (typeof given === "object" && sets.has(name)) ? {} : { [name]: given };
    };
    parts.set(node.id, {
      inputs: { ...input("v"), ...input("w") },
      saves: random() < 0.8 ? "it" : "nothing",
      isSeen: random() < 0.85,
    });
    return { ...node, type: "component" };
  });
  const all = [...nodes];
  for (const [id, { isSeen }] of parts)
    if (isSeen)
      for (const node of inside)
        all.push({
          ...node,
          id: `${id}/${node.id}`,
          type: node.type === "end" ? "return" : node.type,
          edges: node.edges.map((edge) => ({ ...edge, to: `${id}/${edge.to}` })),
        });
  const written = (given: { readonly copy: string } | string) =>
    typeof given === "object" ? `"{{${given.copy}}}"` : given;
  let text = textOf(nodes);
  for (const [id, { inputs, saves, isSeen }] of parts) {
    const handed = Object.entries(inputs).map(([name, given]) => `${name}: ${written(given)}`);
    const own = `component: ${isSeen ? "seen" : "unseen"}, inputs: {${handed.join(", ")}}, saves: {${nodes.find((node) => node.id === id)?.variable}: $.${saves}}, `;
    text = text.replace(`  ${id}: {type: component, `, `  ${id}: {type: component, ${own}`);
  }
  const outputs = `component_outputs: [{name: it, value: ${written(output)}}]\n`;
  return { text, inner: outputs + textOf(inside), nodes: all, parts, output };
}

interface At {
  readonly id: string;
  readonly values: Values;
  readonly inner?: Values | undefined;
}

/** All possible steps at a place: the next place and the edge; entering a component has none. */
function* onwards(whole: Whole, at: At, byShape: boolean): Generator<{ edge?: Edge; to: At } | "ends"> {
  const node = whole.nodes.find(({ id }) => id === at.id) as Node;
  const [around] = at.id.split("/");
  const part = whole.parts.get(at.id);
  if (part && !part.isSeen) {
    for (const move of moves({ ...node, type: "tool" }, at.values, byShape))
      yield move === "ends" ? move : { edge: move.edge, to: { id: move.edge.to, values: move.values } };
  } else if (part) {
    const given = (name: "v" | "w"): Value => {
      const input = part.inputs[name];
      return typeof input === "object" ? at.values[input.copy] : input;
    };
    yield { to: { id: `${at.id}/n0`, values: at.values, inner: { v: given("v"), w: given("w") } } };
    const events = node.edges.filter(({ on }) => on);
    if (events.length > 0)
      for (const move of moves(
        { id: "", type: "message", edges: events.map(({ to, when }) => (when ? { to, when } : { to })) },
        at.values,
        byShape,
      )) {
        if (move === "ends") yield move;
        else yield* left(events, move.edge, move.values);
      }
  } else if (at.inner && node.type === "return") {
    const caller = whole.nodes.find(({ id }) => id === around) as Node;
    const { output } = whole;
    const saved =
      whole.parts.get(caller.id)?.saves === "nothing"
        ? undefined
        : typeof output === "object"
          ? at.inner[output.copy]
          : output;
    const values = { ...at.values, [caller.variable as "v"]: saved };
    const edges = caller.edges.filter(({ on }) => !on);
    for (const move of moves({ id: "", type: "message", edges }, values, byShape))
      yield move === "ends" ? move : { edge: move.edge, to: { id: move.edge.to, values: move.values } };
  } else if (at.inner) {
    for (const move of moves(node, at.inner, byShape))
      yield move === "ends"
        ? move
        : { edge: move.edge, to: { id: move.edge.to, values: at.values, inner: move.values } };
  } else {
    for (const move of moves(node, at.values, byShape))
      yield move === "ends" ? move : { edge: move.edge, to: { id: move.edge.to, values: move.values } };
  }
}

/** Events are evaluated without their `on`: the edge itself is the one at the same index. */
function* left(edges: readonly Edge[], taken: Edge, values: Values): Generator<{ edge: Edge; to: At }> {
  const edge = edges.find(({ to, when }) => to === taken.to && when === taken.when) as Edge;
  yield { edge, to: { id: edge.to, values } };
}

/** The length in nodes of a shortest run that violates a policy. */
function enumerate(whole: Whole, policy: Wanted, byShape: boolean): number | undefined {
  let layer = (byShape ? ASSIGNMENTS.slice(0, 1) : ASSIGNMENTS).map((values) => ({
    at: { id: "n0", values } as At,
    way: { nodes: ["n0"], edges: [] } as Way,
  }));
  const seen = new Set<string>();
  for (; layer.length > 0; ) {
    const following: typeof layer = [];
    for (const { at, way } of layer) {
      if (policy.breaks(way, false)) return way.nodes.length;
      const key = JSON.stringify([at.id, at.values.v, at.values.w, at.inner?.v, at.inner?.w, policy.summary(way)]);
      if (seen.has(key)) continue;
      seen.add(key);
      for (const move of onwards(whole, at, byShape)) {
        if (move === "ends") {
          if (policy.breaks(way, true)) return way.nodes.length;
        } else {
          const edges = move.edge ? [...way.edges, move.edge] : way.edges;
          following.push({ at: move.to, way: { nodes: [...way.nodes, move.to.id], edges } });
        }
      }
    }
    layer = following;
  }
  return undefined;
}

/** Whether the machine can enter these nodes by these edges, one after the other, with some values and answers. */
function replays(
  program: Program,
  flowOf: (id: string) => Program | undefined,
  { nodes, edges }: BreakingPath,
): boolean {
  let states = ASSIGNMENTS.flatMap((values) => start(program, Object.entries(values), flowOf) ?? []);
  nodes.slice(1).forEach(({ id }, index) => {
    const edge = edges[index]?.id;
    const arrived = new Map<string, State>();
    const pending = [...states];
    for (const state of pending)
      for (const answer of answersTo(state)) {
        const after = next(state, answer);
        const key = JSON.stringify(
          [after.frame, after.frame.caller?.frame].map((frame) => [...(frame?.variables ?? [])].sort()),
        );
        if (after === state) continue;
        if (!isEntry(after)) {
          if (after.phase === "leaving") pending.push(after);
        } else if (after.at === id && (after.taken ? takenId(after, after.taken) : undefined) === edge)
          arrived.set(key, after);
      }
    states = [...arrived.values()];
  });
  return states.length > 0;
}

function answersTo({ question }: State): (Answer | undefined)[] {
  if (!question) return [undefined];
  if (question.kind === "choice") return question.ways.open.map((take) => ({ take }));
  if (question.kind === "value") return VALUES.map((give) => ({ give }));
  if (question.flow) return [{ enter: question.flow }, { event: "error" }];
  return [...VALUES.map((it) => ({ return: { it } })), { event: "error" }];
}

test("a recursive component is expanded once, and the proof names where it isn't", () => {
  const text = (entry: string) =>
    `entry: a\nnodes:\n  a: {type: message, edges: [{to: ${entry}}]}\n  part: {type: component, component: self, edges: [{to: z}]}\n  z: {type: end}\n`;
  const outer = programOf(FlowDocument.read(text("part")));
  const inside = programOf(FlowDocument.read(text("part")));
  const judge = new Judge(outer, () => inside);
  assert.deepEqual(judge.unseen, [{ id: "part/part", why: "recursive" }]);
  const [policy] = readPolicyFile(
    "policies: [{id: p, every_path_to: {node: z}, passes: {node: part/part/a}}]",
  ).policies;
  assert.ok(policy && matchedParts(policy, judge.program).includes(false), "there is nothing inside the second one");
  const [through] = readPolicyFile("policies: [{id: p, every_path_to: {node: z}, passes: {node: part/part}}]").policies;
  assert.equal(through && judge.judge(through.demand).verdict, "proved-by-shape");
});

test("a verdict gives the reason for each component that isn't analyzed", () => {
  const around = (component: string) =>
    `entry: a\nnodes:\n  a: {type: message, edges: [{to: part}]}\n  part: {type: component${component}, edges: [{to: z}]}\n  z: {type: end}\n`;
  const many = Array.from({ length: 50_000 }, (_, at) => `  n${at}: {type: end}\n`).join("");
  const flows = new Map(
    Object.entries({
      unread: "entry: a\nnodes:\n  a: {type: end}\n  b: {type: [\n",
      headless: "entry: nobody\nnodes:\n  a: {type: end}\n",
      large: `entry: n0\nnodes:\n${many}`,
    }).map(([id, text]) => [id, programOf(FlowDocument.read(text))]),
  );
  const [kept, cut] = readPolicyFile(`policies:
  - {id: kept, every_path_to: {node: z}, passes: {node: part}}
  - {id: cut, every_path_to: {node: z}, passes: {node: elsewhere}}
`).policies;
  const words = (component: string, policy = kept) => {
    const program = programOf(FlowDocument.read(around(component)));
    const judge = new Judge(program, (id) => (id === "itself" ? program : flows.get(id)));
    assert.ok(policy);
    const verdict = judge.judge(policy.demand);
    const path = verdict.verdict === "broken" ? verdict.path.nodes.map(({ id }) => id) : [];
    return verdictWords(policy, { verdict: verdict.verdict, path }, judge.unseen);
  };
  const because = (why: string) =>
    `Holds on every path, whatever the conditions. "part" isn't analyzed: ${why}. It is assumed to do anything.`;
  assert.equal(words(""), because("it doesn't name a component"));
  assert.equal(words(", component: elsewhere"), because("no readable flow has its ID"));
  assert.equal(words(", component: unread"), because("its flow has syntax errors"));
  assert.equal(words(", component: headless"), because("its flow has no entry"));
  assert.equal(words(", component: itself"), because("it's a component of itself"));
  assert.equal(words(", component: large"), because("the flow would be too large with it"));
  assert.equal(
    words(", component: elsewhere", cut),
    'Every path to "z" must pass "elsewhere". A path reaches "z" without passing it. "part" isn\'t analyzed: no readable flow has its ID. It is assumed to do anything.',
  );
  assert.ok(cut);
  const some = ["b", "c"].map((id) => ({ id, why: "missing" as const }));
  const all = [...some, { id: "d", why: "missing" as const }, { id: "e", why: "unread" as const }];
  assert.equal(
    verdictWords(cut, { verdict: "broken", path: ["a"] }, all),
    'Every path to "z" must pass "elsewhere". A path reaches "a" without passing it.',
  );
  assert.equal(
    verdictWords(cut, { verdict: "proved-given-conditions", path: [] }, some),
    'Holds on every path that the conditions allow. "b" and "c" aren\'t analyzed: no readable flows have their IDs. They are assumed to do anything.',
  );
  assert.equal(
    verdictWords(cut, { verdict: "proved-by-shape", path: [] }, all),
    "Holds on every path, whatever the conditions. 3 components aren't analyzed: no readable flows have their IDs. \"e\" isn't analyzed: its flow has syntax errors. They are assumed to do anything.",
  );
});

test(`verdicts see through components as an enumeration of runs does (${ROUNDS} flows)`, () => {
  const met = new Map<string, number>();
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = seeded(seed);
    const whole = randomWhole(random);
    const wanted = randomPolicy(random, whole.nodes);
    const program = programOf(FlowDocument.read(whole.text));
    const inside = programOf(FlowDocument.read(whole.inner));
    const flowOf = (id: string) => (id === "seen" ? inside : undefined);
    const [policy] = readPolicyFile(`policies: [{id: p, ${wanted.text}}]`).policies;
    assert.ok(policy, wanted.text);
    const told = `seed ${seed}: ${wanted.text}\n${whole.text}\n${whole.inner}`;
    const judge = new Judge(program, flowOf);
    assert.deepEqual(
      judge.unseen.map(({ id }) => id).sort(),
      [...whole.parts].flatMap(([id, { isSeen }]) => (isSeen ? [] : id)).sort(),
    );
    if (matchedParts(policy, judge.program).includes(false)) continue;
    const verdict = judge.judge(policy.demand);
    const path = verdict.verdict === "broken" ? verdict.path : undefined;
    const length = enumerate(whole, wanted, false);
    const kind = `${policy.demand.kind} ${verdict.verdict}${path?.nodes.some(({ id }) => id.includes("/")) ? " inside" : ""}`;
    met.set(kind, (met.get(kind) ?? 0) + 1);
    if (path) assert.ok(replays(program, flowOf, path), `${path.nodes.map(({ id }) => id).join(" ")} ${told}`);
    if (policy.demand.kind === "at-most") {
      const isKept = length !== undefined && length - 1 <= policy.demand.most;
      assert.equal(verdict.verdict, isKept ? "proved-by-shape" : "broken", told);
      if (path) assert.equal(path.nodes.length, length ?? 1, told);
      continue;
    }
    assert.equal(path?.nodes.length, length, told);
    if (!path) {
      const byShape = enumerate(whole, wanted, true) === undefined;
      assert.equal(verdict.verdict, byShape ? "proved-by-shape" : "proved-given-conditions", told);
    }
  }
  for (const kind of ["passes", "never", "always", "at-most"]) assert.ok(met.has(`${kind} broken inside`), kind);
  if (process.env.POLICY_ROUNDS) console.log(met);
});

/** Replaces the line of a node in a document with the one from another text. */
function takeLine(document: FlowDocument, from: string, key: string): void {
  const line = new RegExp(`^ *${key}: .*\\n`, "m");
  const [own, other] = [line.exec(document.text), line.exec(from)];
  if (own && other) document.edit([{ start: own.index, end: own.index + own[0].length, text: other[0] }]);
}

test("after each edit of a flow or its component, verdicts and their paths equal those of a fresh parse", () => {
  for (let seed = 1; seed <= Math.ceil(ROUNDS / 10); seed++) {
    const random = seeded(seed);
    const whole = randomWhole(random);
    const texts = Array.from({ length: 8 }, () => randomPolicy(random, whole.nodes).text);
    texts.push("at_most: 3, from: {type: message}, to: {type: end}", "at_most: 20, from: {node: n1}, to: {node: n0}");
    const { policies } = readPolicyFile(
      `policies:\n${texts.map((text, at) => `  - {id: p${at}, ${text}}\n`).join("")}`,
    );
    const [outer, inner] = [FlowDocument.read(whole.text), FlowDocument.read(whole.inner)];
    const edited = new FlowPolicies(outer, (id) => (id === "seen" ? programOf(inner) : undefined));
    edited.update(policies);
    for (let edit = 0; edit < 12; edit++) {
      const other = randomWhole(random);
      const isWords = random() < 0.3;
      const isOutside = random() < 0.6;
      const document = isOutside ? outer : inner;
      const start = document.text.indexOf("{", document.text.indexOf("nodes:")) + 1;
      const end = start + (/^instructions: .*?, /.exec(document.text.slice(start))?.[0].length ?? 0);
      if (isWords) document.edit([{ start, end, text: `instructions: Word ${edit}., ` }]);
      else if (!isOutside && random() < 0.2) takeLine(inner, other.inner, "component_outputs");
      else takeLine(document, isOutside ? other.text : other.inner, `n${Math.floor(random() * 6)}`);
      const before = edited.judged;
      edited.update(policies);
      if (isWords) assert.equal(edited.judged, before, "words change no verdict");
      const inside = programOf(FlowDocument.read(inner.text));
      const anew = new FlowPolicies(FlowDocument.read(outer.text), (id) => (id === "seen" ? inside : undefined));
      anew.update(policies);
      for (const policy of policies) {
        const [is, shouldBe] = [edited.verdict(policy), anew.verdict(policy)];
        const told = `seed ${seed}, edit ${edit}: ${policy.id} of ${texts.join("\n")}\n${outer.text}\n${inner.text}`;
        assert.equal(is?.verdict, shouldBe?.verdict, told);
        assert.deepEqual(is?.path, shouldBe?.path, told);
      }
    }
  }
});

test("after an edit of an edge inside a component, policies are checked again for each use", () => {
  const outer = FlowDocument.read(`entry: a
nodes:
  a: {type: component, component: seen, edges: [{to: b}]}
  b: {type: component, component: seen, edges: [{to: refund}]}
  refund: {type: end}
`);
  const inner = FlowDocument.read(`entry: ask
nodes:
  ask: {type: message, edges: [{to: other, when: they ask}, {to: check}]}
  check: {type: message, edges: [{to: done}]}
  other: {type: message, edges: [{to: check}]}
  done: {type: end}
`);
  const { policies } = readPolicyFile(`policies:
  - {id: first, every_path_to: {node: refund}, passes: {node: a/check}}
  - {id: second, every_path_to: {node: refund}, passes: {node: b/check}}
  - {id: outside, every_path_to: {node: refund}, passes: {node: a}}
  - {id: near, at_most: 9, from: entry, to: {node: refund}}
`);
  const edited = new FlowPolicies(outer, (id) => (id === "seen" ? programOf(inner) : undefined));
  const change = (from: string, to: string) => {
    const start = inner.text.indexOf(from);
    inner.edit([{ start, end: start + from.length, text: to }]);
    edited.update(policies);
    return policies.map((policy) => edited.verdict(policy)?.verdict);
  };
  edited.update(policies);
  const proved = "proved-by-shape";
  // The shortest path to the refund leads through the node.
  assert.deepEqual(change("to: other,", "to: check,"), [proved, proved, proved, proved]);
  // From there a path would avoid the check, if it were reachable.
  const around = change("other: {type: message, edges: [{to: check}", "other: {type: message, edges: [{to: done}");
  assert.deepEqual(around, [proved, proved, proved, proved]);
  assert.deepEqual(change("to: check, when", "to: other, when"), ["broken", "broken", proved, proved]);
});
