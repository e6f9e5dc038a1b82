/** Flows of any size that read like real ones: about 400 characters a node, three edges each, one node that many lead to. */

export const BUSIEST = "node_0";

export function flowOf(nodes: number): string {
  const lines = [
    "assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001",
    "revision: 0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002",
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
    "",
    "nodes:",
  ];
  for (let n = 0; n < nodes; n++) {
    const isEnd = n === nodes - 1;
    lines.push(`  node_${n}:`, `    type: ${isEnd ? "end" : n === 1 ? "collect" : "message"}`);
    if (n === 1) lines.push("    variable: account_id");
    lines.push(
      `    name: Step number ${n}`,
      "    instructions: |",
      `      Welcome the caller of step ${n} and ask how you can help with the bill.`,
      `      Speak about the plan of step ${n} only when the caller asks; be brief and kind.`,
    );
    if (isEnd) break;
    lines.push(
      "    edges:",
      `      - to: node_${(n * 7 + 1) % nodes}`,
      `        when: the caller asks about bill number ${n}`,
      `      - {to: ${n % 10 === 9 ? BUSIEST : `node_${(n * 13 + 5) % nodes}`}, when: the caller is lost, label: lost}`,
      `      - to: node_${n + 1}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** Where the words of a node's instructions start, and the last digit of its first edge's target. */
export function placesIn(text: string, node: number): { words: number; target: number } {
  const start = text.indexOf(`\n  node_${node}:\n`);
  const words = text.indexOf("Welcome", start);
  return { words, target: text.indexOf("\n", text.indexOf("- to: node_", words)) - 1 };
}
