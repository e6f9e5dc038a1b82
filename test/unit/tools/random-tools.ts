/** Seeded random revisions, flows that use their tools correctly, and the same flows with one mistake. */
import { pick, type Random } from "../run/random-flows";

export interface RandomInput {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: "none" | "revision" | "tool" | "keyed";
}

export interface RandomTool {
  readonly id: string;
  readonly name: string;
  /** Undefined if the platform doesn't list them. */
  readonly inputs: readonly RandomInput[] | undefined;
  readonly outputs: readonly { readonly path: string; readonly alias?: string }[];
  readonly stale: readonly string[];
}

/** A node, with one line for each input and each saved value. */
interface RandomNode {
  readonly id: string;
  readonly tool: RandomTool;
  writtenId: string;
  inputs: [name: string, value: string][];
  saves: [variable: string, path: string][];
}

export interface RandomCase {
  readonly tools: readonly RandomTool[];
  readonly nodes: readonly RandomNode[];
}

export const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";

const VARIABLES: Readonly<Record<string, string>> = {
  account: "{type: string}",
  size: '{type: string, enum_values: ["1", "2"]}',
  plan: "{type: string, enum_values: [basic, plus]}",
  amount: "{type: number}",
  count: "{type: integer}",
  paid: "{type: boolean}",
  day: "{type: date}",
  odd: "{type: money}",
  free: "{}",
};

const NAMES = [
  "account",
  "zip_code",
  "reference",
  "delivery-date",
  "Customer ID",
  "attempts",
  "options",
  "note.text",
  "ünit",
  "on",
];
const WORDS = ["plan", "balance", "owner", "tickets", "status", "first name", "next-step"];

const FITTING: Readonly<Record<string, readonly string[]>> = {
  str: ["hello", '"4711"', "4711", "true", "1.5", '"{{account}}"', "'{{ paid }}'", '"Dear {{account}}"', "null", '""'],
  int: [
    "5",
    "-3",
    '"5"',
    "5.0",
    '"{{count}}"',
    '"{{amount}}"',
    '"{{size}}"',
    '"{{odd}}"',
    '"{{free}}"',
    "null",
    '"1{{account}}"',
  ],
  integer: ["0", '"{{count}}"'],
  float: ["5", "1.5", '"1.5"', "1e3", '"{{amount}}"', '"{{count}}"'],
  number: ["7", '"{{amount}}"'],
  bool: ["true", "false", '"true"', '"{{paid}}"', '"{{free}}"'],
  boolean: ["false", '"{{paid}}"'],
  list: ["[1, 2]", "[]", "'[1, 2]'", '"{{account}}"', '["{{plan}}"]'],
  array: ["[a]"],
  dict: ["{a: 1}", "{}", `'{"a": 1}'`, '{deep: {er: ["{{plan}}"]}}'],
  object: ["{a: [1]}"],
  money: ["5", "[1]", "{a: 1}", '"{{paid}}"'],
  "list[str]": ["x", "[1]"],
};

const UNFIT: Readonly<Record<string, readonly string[]>> = {
  str: ["[1]", "{a: 1}"],
  int: ["hello", "1.5", "true", "[1]", "{a: 1}", '"{{account}}"', '"{{paid}}"', '"{{plan}}"', '"{{day}}"'],
  integer: ["two", '"{{ account }}"'],
  float: ["hello", "false", "[1]", '"{{account}}"', '"{{paid}}"'],
  number: ["a lot", "{}"],
  bool: ["maybe", "5", "[true]", '"{{account}}"', '"{{amount}}"'],
  boolean: ["1.5", '"{{count}}"'],
  list: ["hello", "5", "{a: 1}", "true", '"{{amount}}"', '"{{paid}}"'],
  array: ["x"],
  dict: ["hello", "5", "[1]", '"{{count}}"'],
  object: ["true"],
};

const hex = (random: Random, length: number) =>
  Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");

const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join("-");

function some<Item>(random: Random, items: readonly Item[], most: number): Item[] {
  const shuffled = [...items].sort(() => random() - 0.5);
  return shuffled.slice(0, Math.floor(random() * (most + 1)));
}

function randomTool(random: Random, names: readonly string[]): RandomTool {
  const inputs = some(random, NAMES, 6).map((name) => ({
    name,
    type: pick(random, Object.keys(FITTING)),
    required: random() < 0.5,
    default: random() < 0.7 ? ("none" as const) : pick(random, ["revision", "tool", "keyed"] as const),
  }));
  const outputs = some(random, WORDS, 4).map((word) => {
    const key = /^\w+$/.test(word) ? `.${word}` : `['${word}']`;
    const path = `$${pick(random, ["", ".data", ".items[*]", "['a b']"])}${key}`;
    return random() < 0.5 ? { path } : { path, alias: `${word.replace(/\W/g, "_")}_out` };
  });
  return {
    id: uuid(random),
    name: pick(random, names),
    inputs: random() < 0.9 ? inputs : undefined,
    outputs,
    stale: random() < 0.3 ? ["old_field", "legacy"] : [],
  };
}

function isNeeded({ required, default: given }: RandomInput): boolean {
  return required && given === "none";
}

function correctPath(random: Random, { path, alias }: RandomTool["outputs"][number]): string {
  const index = path.replaceAll("[*]", () => pick(random, ["[*]", "[0]", "[7]"]));
  const parent = index.replace(/(\.\w+|\['[^']*'\])$/, "");
  const ways = [index, index, `${index}.more`, `${index}[2].deep`, parent === "$" ? index : parent, "$"];
  if (alias !== undefined) ways.push(alias, `$.${alias}`, `$.${alias}.part`, `$['${alias}']`);
  return pick(random, ways);
}

export function randomCase(random: Random): RandomCase {
  // Two tools may have the same name, and one has none.
  const names = ["Look up", "Look up", "Book", ""];
  const tools = Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomTool(random, names));
  const nodes = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index): RandomNode => {
    const tool = pick(random, tools);
    const inputs =
      tool.inputs ??
      some(random, NAMES, 3).map((name) => ({ name, type: "money", required: false, default: "none" as const }));
    const set = inputs.filter((input) => isNeeded(input) || random() < 0.5);
    const saved = tool.outputs.length > 0 ? some(random, Object.keys(VARIABLES), 3) : some(random, ["plan"], 1);
    return {
      id: `n${index}`,
      tool,
      writtenId: pick(random, [tool.id, tool.id, tool.id.toUpperCase(), `"${tool.id}"`]),
      inputs: set.map(({ name, type }) => [name, pick(random, FITTING[type] ?? ["x"])]),
      saves: saved.map((variable) => [
        variable,
        tool.outputs.length > 0 ? correctPath(random, pick(random, tool.outputs)) : "$.anything.at[0].all",
      ]),
    };
  });
  return { tools, nodes };
}

/** The revision as the platform returns it. */
export function revisionOf(
  { tools }: RandomCase,
  findings: ReadonlyMap<string, readonly object[]> = new Map(),
): object {
  const defaults: Record<string, unknown> = {};
  for (const { id, inputs } of tools)
    for (const { name, default: given } of inputs ?? []) {
      if (given === "revision") defaults[name] = "x";
      if (given === "keyed") defaults[id] = { ...(defaults[id] as object), [name]: "x" };
    }
  return {
    id: REVISION,
    tool_input_defaults: defaults,
    tools: tools.map(({ id, name, inputs, outputs, stale }) => ({
      tool: {
        id,
        name,
        tool_type: "api_call",
        active_revision: {
          configuration: inputs
            ? { variables: inputs.map(({ name, type, required }) => ({ name, type, required })) }
            : {},
          input_defaults: Object.fromEntries(
            (inputs ?? []).filter((input) => input.default === "tool").map((input) => [input.name, "x"]),
          ),
          response_schema: { field_mappings: outputs },
          stale_input_fields: stale,
          compatibility: { findings: findings.get(id) ?? [] },
        },
      },
    })),
  };
}

/** Every input and saved value is on a line of its own, so that a mistake has a line. */
export function flowText({ nodes }: RandomCase): string {
  const key = (name: string) => (/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name));
  const path = (text: string) => (/^[$\w.]+$/.test(text) ? text : JSON.stringify(text));
  const lines = [
    "entry: n0",
    "context_variables:",
    ...Object.entries(VARIABLES).map(([name, body]) => `  ${name}: ${body}`),
    "nodes:",
  ];
  nodes.forEach(({ id, writtenId, inputs, saves }, index) => {
    const next = nodes[index + 1]?.id ?? "done";
    lines.push(`  ${id}: # calls a tool`, "    type: tool", `    tool: ${writtenId}`);
    if (inputs.length > 0) lines.push("    inputs:", ...inputs.map(([name, value]) => `      ${key(name)}: ${value}`));
    if (saves.length > 0) lines.push("    saves:", ...saves.map(([name, from]) => `      ${name}: ${path(from)}`));
    lines.push("    edges:", `      - {to: ${next}}`, "      - {to: done, on: error}");
  });
  lines.push("  done: {type: end}", "");
  return lines.join("\n");
}

export interface Mistake {
  readonly code: string;
  /** The line of the flow, from 1. */
  readonly line: number;
  readonly text: string;
  readonly revision: object;
}

export const MISTAKES = [
  "unknown-tool",
  "missing-tool-input",
  "unknown-tool-input",
  "tool-input-type",
  "unknown-tool-output",
  "stale-tool-input",
  "tool-incompatible",
] as const;

/** Makes one mistake of a kind in a correct case; undefined if the case has no place for it. */
export function mistakeIn(of: RandomCase, code: (typeof MISTAKES)[number], random: Random): Mistake | undefined {
  const nodes = of.nodes.map((node) => ({ ...node, inputs: [...node.inputs], saves: [...node.saves] }));
  const node = pick(random, nodes);
  const declared = node.tool.inputs;
  const lineOf = (text: string, after: string) => {
    const lines = text.split("\n");
    const start = lines.indexOf(`  ${node.id}: # calls a tool`);
    return lines.findIndex((line, index) => index > start && line.startsWith(after)) + 1;
  };
  const made = (place: string, revision: object = revisionOf(of)): Mistake => {
    const text = flowText({ ...of, nodes });
    return { code, line: lineOf(text, place), text, revision };
  };
  const key = (name: string) => `      ${/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)}:`;
  switch (code) {
    case "unknown-tool": {
      node.writtenId = pick(random, [uuid(random), node.tool.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]);
      return made("    tool:");
    }
    case "missing-tool-input": {
      const needed = declared?.filter(isNeeded) ?? [];
      if (needed.length === 0) return undefined;
      const { name } = pick(random, needed);
      node.inputs = node.inputs.filter(([each]) => each !== name);
      return made(node.inputs.length > 0 ? "    inputs:" : "    tool:");
    }
    case "unknown-tool-input": {
      if (!declared) return undefined;
      const name = pick(random, ["surplus", "something_else", "x"]);
      node.inputs.push([name, "1"]);
      return made(key(name));
    }
    case "tool-input-type": {
      const typed = declared?.filter(({ type }) => UNFIT[type]) ?? [];
      if (typed.length === 0) return undefined;
      const { name, type } = pick(random, typed);
      node.inputs = [...node.inputs.filter(([each]) => each !== name), [name, pick(random, UNFIT[type] ?? [])]];
      return made(key(name));
    }
    case "unknown-tool-output": {
      if (node.tool.outputs.length === 0) return undefined;
      node.saves = [
        ...node.saves.filter(([each]) => each !== "odd"),
        ["odd", pick(random, ["$.nowhere", "nothing", "$.data.none", "$['c d']"])],
      ];
      return made("      odd:");
    }
    case "stale-tool-input": {
      if (node.tool.stale.length === 0) return undefined;
      node.inputs.push(["legacy", "x"]);
      return made("      legacy:");
    }
    case "tool-incompatible": {
      const [input] = node.inputs;
      const field = input && random() < 0.7 ? input[0] : undefined;
      const finding = {
        severity: pick(random, ["blocking", "advisory"]),
        detail: "It changed.",
        workflow_revision_id: REVISION,
        graph_node_id: node.id,
        ...(field !== undefined &&
          !field.includes(".") && { field_path: `${pick(random, ["", "nodes[0]."])}inputs.${field}` }),
      };
      const revision = revisionOf(of, new Map([[node.tool.id, [finding]]]));
      return made(field !== undefined && !field.includes(".") ? key(field) : "    tool:", revision);
    }
  }
}
