/**
 * Graphs that a platform may return: anything the contract's schemas allow. The contract names few fields and leaves
 * the rest open, so a name is any string, a field any JSON, and fields that seem required may be missing or null.
 */
import { generator } from "./random";

export interface AnyGraph {
  readonly persona?: string | null;
  readonly entry_node_id?: string | null;
  readonly context_variables: readonly Record<string, unknown>[];
  readonly nodes: readonly Record<string, unknown>[];
  readonly edges: readonly Record<string, unknown>[];
  readonly component_outputs: readonly Record<string, unknown>[];
}

const NAMES = [
  "greet",
  "bye",
  "Greet",
  "a b",
  "2nd",
  "x".repeat(65),
  "x".repeat(1_100),
  "",
  " ",
  " a ",
  "-",
  "- a",
  "? a",
  "a: b",
  "a:",
  "a #b",
  "#a",
  "&a",
  "*a",
  "!a",
  "|",
  ">",
  "'a'",
  '"a"',
  "{a}",
  "{{a}}",
  "[a]",
  "%a",
  "@a",
  "`a`",
  "null",
  "~",
  "true",
  "no",
  "1",
  "1.0",
  "0x1F",
  "1e3",
  ".nan",
  "2020-01-01",
  "<<",
  "---",
  "...",
  "nodes",
  "edges",
  "to",
  "__proto__",
  "constructor",
  "toString",
  "größe",
  "名前",
  "😀",
  "\u00a0",
  "a\u2028b",
  "\ufeffa",
  "a\nb",
  "a\r\nb",
  "\ta",
  "a\0b",
  "\x7f",
  "\ud800",
  "a\\b",
];

const TEXTS = [
  ...NAMES,
  "Ask for the account number.",
  "a\n\n  b\n\n",
  "\n",
  "  leading",
  "trailing \nlines  ",
  "tab\tinside\n\tand before",
  "{{tier}} {{nobody}} {{ }} {{a b}}",
  "long ".repeat(100),
  "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003",
];

const TYPES = [
  "message",
  "collect",
  "decision",
  "tool",
  "component",
  "transfer",
  "end",
  "mesage",
  "webhook",
  "",
  null,
  7,
  ["end"],
];

/** One graph for each seed. */
export function anyGraph(seed: number): AnyGraph {
  const random = generator(seed);
  const chance = (probability: number) => random() < probability;
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
  const some = (most: number) => Math.floor(random() * (most + 1));
  /** Mostly ordinary, so each oddity also occurs in an otherwise plain flow. */
  const isOdd = chance(0.8) ? 0.15 : 0.7;
  const name = (plain: readonly string[]) => (chance(isOdd) ? pick(NAMES) : pick(plain));
  const value = (depth = 3): unknown => {
    const roll = random();
    if (roll < 0.45 || depth === 0) return pick(TEXTS);
    if (roll < 0.75) return pick([null, true, false, 0, -1, 1.5, 1e21, 1e-7, -0, 2 ** 53 + 2, "", [], {}]);
    if (roll < 0.88) return Array.from({ length: some(3) }, () => value(depth - 1));
    return Object.fromEntries(Array.from({ length: some(3) }, () => [pick(NAMES), value(depth - 1)]));
  };
  const fields = (known: Readonly<Record<string, () => unknown>>): Record<string, unknown> => {
    const made: Record<string, unknown> = {};
    const put = (key: string, data: unknown) =>
      Object.defineProperty(made, key, { value: data, enumerable: true, configurable: true, writable: true });
    for (const [key, plain] of Object.entries(known)) if (chance(0.6)) put(key, chance(isOdd) ? value() : plain());
    if (chance(isOdd)) put(pick(NAMES), value());
    return made;
  };
  const unique = (make: () => string) => [...new Set(Array.from({ length: 1 + some(4) }, make))];
  const ids = unique(() => name(["greet", "ask", "look_up", "bye", "hand_over"]));
  const variables = chance(0.3) ? [] : unique(() => name(["tier", "account_id", "plan"]));
  const target = () => (chance(isOdd / 3) ? pick(NAMES) : pick(ids));
  const plainNode: Record<string, () => unknown> = {
    type: () => (chance(isOdd) ? pick(TYPES) : pick(TYPES.slice(0, 7))),
    name: () => pick(TEXTS),
    instructions: () => pick(TEXTS),
    variable: () => name(["tier", "account_id"]),
    tool: () => pick(TEXTS),
    component: () => pick(TEXTS),
    inputs: () => fields({ account: () => "{{account_id}}" }),
    saves: () => fields({ plan: () => "$.plan" }),
    destination: () => "+15550100",
    mode: () => "cold",
  };
  const edges = Array.from({ length: some(6) }, (_, index) => {
    const [source, to] = [pick(ids), target()];
    const own = chance(0.5) ? `${source}--${to}` : name([`e${index}`]);
    return {
      ...fields({ when: () => pick(TEXTS), on: () => "error", label: () => pick(TEXTS) }),
      id: own,
      source,
      target: to,
    };
  });
  const texts = () => Array.from({ length: some(3) }, () => pick(TEXTS));
  return {
    ...(chance(0.5) ? { persona: chance(isOdd) ? pick([null, "", ...TEXTS]) : "You are Riley." } : {}),
    ...(chance(0.9) ? { entry_node_id: chance(isOdd / 3) ? pick([null, "", ...NAMES]) : (ids[0] as string) } : {}),
    context_variables: variables.map((variable) => ({
      ...fields({
        type: () => "string",
        source: () => "derived",
        enum_values: () => (chance(0.3) ? [] : texts()),
        reask_cap: () => pick([0, 1, 2, -1]),
        description: () => pick(TEXTS),
      }),
      name: variable,
    })),
    nodes: ids.map((id) => ({ ...fields(plainNode), id })),
    edges: [...new Map(edges.map((edge) => [edge.id, edge])).values()],
    component_outputs: Array.from({ length: chance(0.3) ? some(3) : 0 }, () =>
      fields({ name: () => name(["resolved", "tier"]), value: () => "{{tier}}" }),
    ),
  };
}
