/**
 * Realistic flows of any size: about 400 characters per node, three edges each, one node with many incoming edges.
 * Their shapes differ in their findings and formatting.
 */

export const BUSIEST = "node_0";

export const shapes = ["clean", "few findings", "many findings", "long lines"] as const;

/**
 * - `clean`: nothing to find.
 * - `few findings`: five, at any size.
 * - `many findings`: nearly every node reads a variable that may be unset, and has a finding of its own.
 * - `long lines`: ten nodes have a line of 64 kB; nothing to find.
 * - `tools`: every fourth node calls a tool; nothing to find with the definitions of `benchTools`.
 */
export type Shape = (typeof shapes)[number] | "tools";

/** The tools that the `tools` shape calls, as a snapshot. */
export function benchTools(): string {
  const tools = Array.from({ length: TOOLS }, (_, n) => ({
    id: toolId(n),
    name: `Tool ${n}`,
    description: "Looks something up.",
    type: "api_call",
    inputs: [
      { name: "account", type: "str", required: true, has_default: false },
      { name: "step", type: "int", required: true, has_default: false },
      { name: "note", type: "str", required: false, has_default: false },
    ],
    outputs: [{ path: "$.data.plan", alias: "plan" }, { path: "$.data.balance" }],
    transfer: null,
  }));
  return JSON.stringify({ version: 1, tools, knowledge_base_ids: [] });
}

const TOOLS = 50;

function toolId(n: number): string {
  return `6a2d7c1e-0c4b-4b7e-9f2c-${String(n % TOOLS).padStart(12, "0")}`;
}

const LONG_LINE = "the caller may ask for a lower bill ".repeat(1820);

/** `revision` makes flows different, as the files of a workspace are. */
export function flowOf(nodes: number, shape: Shape = "clean", revision = 2): string {
  const many = shape === "many findings";
  const facts = many ? Math.min(200, Math.ceil(nodes / 5)) : 0;
  const lines = [
    "assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001",
    `revision: 0f9e0d52-81b7-4f0c-8a51-${String(revision).padStart(12, "0")}`,
    "persona: |",
    "  You are Riley, a calm billing specialist.",
    "entry: node_0",
    "",
    "context_variables:",
    "  account_id:",
    "    type: string",
    "    source: derived",
    "  plan:",
    "    type: string",
    "    enum_values: [basic, plus, max]",
    ...Array.from({ length: facts }, (_, fact) => `  fact_${fact}: {type: string}`),
    "",
    "nodes:",
  ];
  for (let n = 0; n < nodes; n++) {
    const isEnd = n === nodes - 1;
    // The variables are read in the last nodes, long after they are mentioned.
    const fact = n % facts;
    const asks = !isEnd && (n === 1 || (many && n >= nodes - 1 - facts));
    const told = many && !asks ? ` {{fact_${fact}}}, or call 518-555-0${String(n).padStart(5, "0").slice(-3)}.` : "";
    const calls = shape === "tools" && n % 4 === 2 && !isEnd;
    lines.push(`  node_${n}:`, `    type: ${isEnd ? "end" : calls ? "tool" : asks ? "collect" : "message"}`);
    if (calls)
      lines.push(
        `    tool: ${toolId(n)}`,
        `    inputs: {account: "4711", step: ${n}}`,
        "    saves: {plan: $.data.plan}",
      );
    if (asks) lines.push(`    variable: ${n === 1 ? "account_id" : `fact_${fact}`}`);
    lines.push(
      `    name: Step number ${n}`,
      "    instructions: |",
      `      Welcome the caller of step ${n} and ask how you can help with the bill.${told}`,
      `      Speak about the plan of step ${n} only when the caller asks; be brief and kind.`,
    );
    if (shape === "long lines" && n % Math.ceil(nodes / 10) === 2) lines.push(`      ${LONG_LINE}`);
    if (shape === "few findings" && n > 2 && n <= 7) lines.push(`      Or call 518-555-010${n}.`);
    if (isEnd) break;
    lines.push(
      "    edges:",
      `      - to: node_${(n * 7 + 1) % nodes}`,
      `        when: the caller asks about bill number ${n}`,
      `      - {to: ${n % 10 === 9 ? BUSIEST : `node_${(n * 13 + 5) % nodes}`}, when: the caller is lost, label: lost}`,
      ...(calls ? [`      - {to: ${BUSIEST}, on: error}`] : []),
      `      - to: node_${n + 1}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** The offsets of a node's instructions, and of the last digit of its first edge's target. */
export function placesIn(text: string, node: number): { words: number; target: number } {
  const start = text.indexOf(`\n  node_${node}:\n`);
  const words = text.indexOf("Welcome", start);
  return { words, target: text.indexOf("\n", text.indexOf("- to: node_", words)) - 1 };
}

/** A chain that visits every node. Every tenth node leaves a choice to the model, others have a condition that never holds. */
export function chainOf(nodes: number): string {
  const end = `n${nodes - 1}`;
  const lines = [
    "entry: n0",
    "context_variables:",
    "  plan: {type: string, enum_values: [basic, plus, max]}",
    "nodes:",
  ];
  for (let n = 0; n < nodes - 1; n++) {
    const next = `n${n + 1}`;
    const [type, words] =
      n === 0
        ? ["collect\n    variable: plan", "Ask for the plan."]
        : ["message", `Step number ${n} tells about {{plan}}.`];
    const edges =
      n % 50 === 10
        ? [`{to: ${next}, when: the caller agrees}`, `{to: ${end}}`]
        : [`{to: ${end}, when: "{{plan}} is max and {{plan}} is unknown"}`, `{to: ${next}}`];
    lines.push(`  n${n}:`, `    type: ${type}`, `    instructions: ${words}`, "    edges:");
    lines.push(...edges.map((edge) => `      - ${edge}`));
  }
  return `${lines.join("\n")}\n  ${end}: {type: end}\n`;
}
