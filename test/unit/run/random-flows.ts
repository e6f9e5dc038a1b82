/** Seeded random flows, and random scripts for them. */
import type { Data, Meaning, NaiveEdge, NaiveFlow, NaiveNode, NaiveTest } from "./naive";
import { walk } from "./naive";

export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const PLANS = ["basic", "plus", "max"];
export const VARIABLES = ["plan", "age", "city", "paid"];
const PROSE = ["the caller is angry", "the caller wants more", "it's late", 'the caller says "yes or no"'];

export const sample: Record<string, (random: Random) => Data> = {
  plan: (random) => pick(random, PLANS),
  age: (random) => Math.floor(random() * 6),
  city: (random) => pick(random, ["Rome", "Oslo", "", "5"]),
  paid: (random) => random() < 0.5,
};

export interface Worded {
  text: string;
  meaning: Meaning;
  /** The same with one mistake. */
  slips: Worded[];
}

const isUnset = (value: Data | undefined) => value === undefined || value === null;

function clause(random: Random): Worded {
  const variable = pick(random, VARIABLES);
  const braces = pick(random, [`{{${variable}}}`, `{{ ${variable} }}`]);
  const plain = (words: string, holds: (value: Data | undefined) => boolean): Worded => ({
    text: `${braces} ${words}`,
    meaning: { kind: "test", variable, holds },
    slips: [],
  });
  const worded = (words: string, holds: (value: Data | undefined) => boolean, ...slips: Worded[]): Worded => ({
    ...plain(words, holds),
    slips: [plain("is known", (value) => !isUnset(value)), plain("is unknown", isUnset), ...slips],
  });
  const kind = random();
  if (kind < 0.25)
    return pick(random, [
      worded("is known", (value) => !isUnset(value)),
      worded("is unknown", isUnset),
      worded("IS SET", (value) => !isUnset(value)),
      worded("is not set", isUnset),
      worded("is missing", isUnset),
      worded("is not missing", (value) => !isUnset(value)),
    ]);
  if (kind < 0.45) {
    const bound = Math.floor(random() * 6);
    const comparisons: [string, (a: number, b: number) => boolean][] = [
      ["<", (a, b) => a < b],
      ["<=", (a, b) => a <= b],
      [">", (a, b) => a > b],
      [">=", (a, b) => a >= b],
    ];
    const compared = (operator: string, compare: (a: number, b: number) => boolean, to: number) =>
      plain(`${operator} ${to}`, (value) => typeof value === "number" && compare(value, to));
    const [operator, compare] = pick(random, comparisons);
    const slips = [
      ...comparisons.filter(([other]) => other !== operator).map(([other, holds]) => compared(other, holds, bound)),
      compared(operator, compare, bound - 1),
      compared(operator, compare, bound + 1),
    ];
    const own = compared(operator, compare, bound);
    return { ...own, slips: [...worded("", () => true).slips, ...slips] };
  }
  const literal = sample[variable]?.(random) as string | number | boolean;
  const written =
    variable === "plan"
      ? pick(random, [literal, `"${literal}"`])
      : typeof literal === "string"
        ? `'${literal}'`
        : literal;
  const equal = (value: Data | undefined) => !isUnset(value) && String(value) === String(literal);
  if (kind < 0.6) {
    const other = sample[variable]?.(random) as string | number | boolean;
    const quoted = typeof other === "string" ? `"${other}"` : other;
    const either = (value: Data | undefined) => equal(value) || (!isUnset(value) && String(value) === String(other));
    const less = (not: string, negated: boolean) => plain(`is ${not}${written}`, (value) => equal(value) !== negated);
    return random() < 0.5
      ? worded(`is one of ${written} or ${quoted}`, either, less("", false))
      : worded(`is not one of ${written}, ${quoted}`, (value) => !either(value), less("not ", true));
  }
  const isNot = plain(`is not ${written}`, (value) => !equal(value));
  const is = plain(`is ${written}`, equal);
  return pick(random, [
    worded(`is ${written}`, equal, isNot),
    worded(`equals ${written}`, equal, isNot),
    worded(`== ${written}`, equal, isNot),
    worded(`is not ${written}`, (value) => !equal(value), is),
    worded(`!= ${written}.`, (value) => !equal(value), is),
  ]);
}

export function condition(random: Random, depth = 0): Worded {
  const kind = random();
  if (kind < 0.35) return { text: pick(random, PROSE), meaning: { kind: "prose" }, slips: [] };
  if (kind < 0.75 || depth > 1) return clause(random);
  if (kind < 0.85) {
    const part = condition(random, depth + 1);
    return { ...negated(part), slips: [part, ...part.slips.map(negated)] };
  }
  const join = pick(random, ["and", "or"] as const);
  const [first, second] = [condition(random, depth + 1), condition(random, depth + 1)];
  const word = pick(random, [join, join.toUpperCase()]);
  return {
    ...joined([first, second], join, word),
    slips: [
      joined([first, second], join === "and" ? "or" : "and"),
      first,
      second,
      ...first.slips.map((slip) => joined([slip, second], join)),
      ...second.slips.map((slip) => joined([first, slip], join)),
    ],
  };
}

export function negated({ text, meaning }: Pick<Worded, "text" | "meaning">): Worded {
  return { text: `not (${stopless(text)})`, meaning: { kind: "not", part: meaning }, slips: [] };
}

function joined(parts: readonly Worded[], kind: "and" | "or", word: string = kind): Worded {
  return {
    text: parts.map(({ text }) => `(${stopless(text)})`).join(` ${word} `),
    meaning: { kind, parts: parts.map(({ meaning }) => meaning) },
    slips: [],
  };
}

/** Only a final period of the whole text is ignored. */
const stopless = (text: string) => text.replace(/\.$/, "");

export interface RandomFlows {
  /** The first is the one to run; the others are components. */
  flows: NaiveFlow[];
  meanings: Map<string, Meaning>;
  /** The possible mistakes in each condition. */
  slips: Map<string, Worded[]>;
}

export function randomFlows(random: Random, { components = true, unknownTargets = true } = {}): RandomFlows {
  const meanings = new Map<string, Meaning>();
  const slips = new Map<string, Worded[]>();
  const ids = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"];
  const flows = (components ? ["main", ...ids] : ["main"]).map((assistant, index): NaiveFlow => {
    const names = Array.from({ length: 2 + Math.floor(random() * (index === 0 ? 7 : 3)) }, (_, number) => `n${number}`);
    const nodes: Record<string, NaiveNode> = {};
    for (const name of names)
      nodes[name] = randomNode(random, names, components ? ids : [], { meanings, slips }, unknownTargets);
    if (random() < 0.9) nodes[names.at(-1) as string] = { type: pick(random, ["end", "transfer", "end"]) };
    return {
      assistant,
      entry: names[0] as string,
      context_variables: { plan: { type: "string", enum_values: PLANS }, age: { type: "integer" } },
      nodes,
      ...(index > 0 ? { component_outputs: [{ name: "out", value: `{{${pick(random, VARIABLES)}}}` }] } : {}),
    };
  });
  return { flows, meanings, slips };
}

function randomNode(
  random: Random,
  names: readonly string[],
  ids: readonly string[],
  { meanings, slips }: Pick<RandomFlows, "meanings" | "slips">,
  unknownTargets: boolean,
): NaiveNode {
  const type = pick(random, [
    "message",
    "message",
    "decision",
    "collect",
    "collect",
    "tool",
    "strange",
    ...(ids.length > 0 ? ["component"] : []),
  ]);
  const node: NaiveNode = { type };
  if (random() < 0.3) node.instructions = `Say {{${pick(random, VARIABLES)}}}.`;
  if (type === "collect") node.variable = pick(random, VARIABLES);
  if (type === "tool") node.tool = `tool-${Math.floor(random() * 3)}`;
  if (type === "component")
    node.component = random() < 0.85 ? pick(random, ids) : "00000000-0000-4000-8000-0000000000ff";
  if (type === "tool" || type === "component") {
    node.inputs = { [pick(random, VARIABLES)]: pick<Data>(random, ["{{plan}}", "{{age}}", "to {{city}}", 3]) };
    node.saves = { [pick(random, VARIABLES)]: pick(random, ["$.out", "$.a.b[0]", "$", "$.missing"]) };
  }
  node.edges = Array.from({ length: Math.floor(random() * 4) + (random() < 0.85 ? 1 : 0) }, () => {
    const edge: NaiveEdge = { to: unknownTargets && random() < 0.03 ? "nowhere" : pick(random, names) };
    if (random() < 0.65) {
      const { text, meaning, slips: own } = condition(random);
      edge.when = text;
      meanings.set(text, meaning);
      slips.set(text, own);
    }
    if ((type === "tool" || type === "component") && random() < 0.3) edge.on = pick(random, ["error", "timeout"]);
    if (random() < 0.2) edge.label = pick(random, ["one", "two"]);
    if (random() < 0.1) edge.id = `own-${Math.floor(random() * 1e6)}`;
    return edge;
  });
  return node;
}

const answers: ((random: Random) => Data)[] = [
  (random) => ({ return: { out: sample[pick(random, VARIABLES)]?.(random) as Data } }),
  () => ({ return: { a: { b: ["deep", null] } } }),
  () => ({ return: null }),
  () => ({ error: "timeout" }),
  () => ({ event: "timeout" }),
];

/**
 * A test from a random run: the interpreter's questions are answered at random and recorded, then sometimes spoiled.
 */
export function randomTest(random: Random, { flows, meanings }: RandomFlows): NaiveTest {
  const test: NaiveTest = { name: "random", given: {}, tools: {}, steps: [] };
  for (const name of VARIABLES) if (random() < 0.3) test.given[name] = sample[name]?.(random) as Data;
  const patience = 5 + Math.floor(random() * 40);
  walk(flows, meanings, test.given, (asked) => {
    if (test.steps.length > patience) return "enough";
    if (asked.kind === "value") {
      const value = random() < 0.15 ? null : (sample[asked.variable]?.(random) as Data);
      test.steps.push({ give: { [asked.variable]: value } });
      return { answer: value };
    }
    if (asked.kind === "choice") {
      const each = pick(random, asked.edges);
      const names = [
        each.id,
        each.edge.to,
        ...(each.edge.when ? [each.edge.when] : []),
        ...(each.edge.label ? [each.edge.label] : []),
      ];
      test.steps.push({ take: pick(random, names) });
      return { answer: each };
    }
    if (asked.canEnter && random() < 0.7 && !asked.keys.some((key) => key in test.tools)) return { answer: "enter" };
    const known = asked.keys.find((key) => key in test.tools);
    const answer = pick(random, answers)(random);
    if (known === undefined) {
      test.tools[pick(random, asked.keys)] = random() < 0.5 ? answer : [answer];
      return { answer };
    }
    const stub = test.tools[known] as Data;
    if (Array.isArray(stub)) {
      if (random() < 0.1) return "enough";
      stub.push(answer);
      return { answer };
    }
    return { answer: stub };
  });
  if (random() < 0.3) spoil(random, test);
  return test;
}

function spoil(random: Random, test: NaiveTest): void {
  const at = Math.floor(random() * (test.steps.length + 1));
  const kind = random();
  if (kind < 0.3) test.steps.splice(at, 1);
  else if (kind < 0.5) test.steps.splice(at, 0, { take: pick(random, ["n0", "n1", "gone", "one"]) });
  else if (kind < 0.7) test.steps.splice(at, 0, { give: { [pick(random, VARIABLES)]: 1 } });
  else if (kind < 0.85) test.tools = {};
  else test.steps.length = Math.floor(test.steps.length / 2);
}
