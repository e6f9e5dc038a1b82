/** Files of any size whose shape makes careless code scan them repeatedly: many lines, many items, deep nesting. */

export interface HostileShape {
  readonly name: string;
  readonly file: string;
  /** A file of about this many characters. */
  text(length: number): string;
}

const HEAD =
  "assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001\nentry: greet\ncontext_variables:\n  x: {type: string}\nnodes:\n";
const TAIL = "  bye: {type: end}\n";

/** A flow with these lines in its first node. */
const inNode = (lines: string) => `${HEAD}  greet:\n    type: message\n${lines}    edges:\n      - to: bye\n${TAIL}`;

/** As many repetitions as fit the length. */
function repeated(unit: string | ((index: number) => string), length: number): string {
  if (typeof unit === "string") return unit.repeat(Math.ceil(length / unit.length));
  const parts: string[] = [];
  for (let index = 0, size = 0; size < length; index++) {
    const part = unit(index);
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

/** Lines that are repeated in a block scalar, a list, a mapping, between nodes and at the end. */
const LINES: Readonly<Record<string, string>> = {
  "number signs": "#\n",
  "spaced number signs": "      #\n",
  "blank lines": "\n",
  "lines of spaces": "        \n",
  "lines of tabs": "\t\t\t\n",
  "carriage returns": "\r",
  "mixed line breaks": "x\r\ny\n\r",
  quotes: '"\n',
  apostrophes: "      '\n",
  "combining characters": "      e\u0301\u0302\u0303\u0304\n",
  "surrogate pairs": "      \u{1f600}\n",
  dashes: "      -\n",
  colons: "      :\n",
  "question marks": "      ?\n",
  "document ends": "...\n",
  "document starts": "---\n",
  brackets: "      [\n",
  braces: "      {a:\n",
  "closing brackets": "      ]\n",
  anchors: "      &a\n",
  aliases: "      *a\n",
  tags: "      !t\n",
  "block headers": "      a: |\n",
  "text headers in a row": "      |\n",
  words: "      word\n",
  "ignore comments": "      # flow-ignore dead-end\n",
  "escaped line breaks": '      "\\n" \\\n',
};

const PLACES: Readonly<Record<string, (lines: string) => string>> = {
  "in a block": (lines) => inNode(`    instructions: |\n      first\n${lines}`),
  "in a folded block": (lines) => inNode(`    instructions: >-\n      first\n${lines}      last\n`),
  "in a node": (lines) => inNode(lines),
  "in a list": (lines) => `${HEAD}  greet:\n    type: message\n    edges:\n${lines}      - to: bye\n${TAIL}`,
  "in a quoted text": (lines) => inNode(`    instructions: "first\n${lines}      last"\n`),
  "in a flow list": (lines) => inNode(`    list: [first,\n${lines}      last]\n`),
  "at the end": (lines) => `${inNode("    instructions: Hi.\n")}${lines}`,
};

const manyLines = Object.entries(LINES).flatMap(([unit, line]) =>
  Object.entries(PLACES).map(
    ([place, put]): HostileShape => ({
      name: `${unit} ${place}`,
      file: "a.flow.yaml",
      text: (length) => put(repeated(line, length)),
    }),
  ),
);

const deep = (length: number, unit: string) => Math.floor(Math.sqrt((2 * length) / unit.length));

const ITEMS: Readonly<Record<string, (length: number) => string>> = {
  "escaped line breaks in one text": (length) => inNode(`    instructions: "${repeated("\\n", length)}"\n`),
  "escaped line breaks and spaces": (length) => inNode(`    instructions: "${repeated("\\n ", length)}"\n`),
  "escaped tabs": (length) => inNode(`    instructions: "${repeated("\\t", length)}"\n`),
  "deep mappings": (length) =>
    inNode(Array.from({ length: deep(length, "  ") }, (_, depth) => `    ${"  ".repeat(depth)}a:\n`).join("")),
  "deep lists": (length) =>
    inNode(
      `    list:\n${Array.from({ length: deep(length, " ") / 2 }, (_, depth) => `      ${" ".repeat(depth * 2)}-\n`).join("")}`,
    ),
  "deep flow lists": (length) =>
    inNode(`    list: ${"[".repeat(Math.min(length / 2, 400))}${"]".repeat(Math.min(length / 2, 400))}\n`),
  "a long flow list": (length) => inNode(`    list: [${repeated("a, ", length)}a]\n`),
  "a long flow map": (length) => inNode(`    map: {${repeated((at) => `k${at}: v, `, length)}k: v}\n`),
  "a flow list over lines": (length) => inNode(`    list: [\n${repeated("      a,\n", length)}      a]\n`),
  "a flow list with comments": (length) => inNode(`    list: [\n${repeated("      a, # c\n", length)}      a]\n`),
  "empty flow lists": (length) => inNode(`    list: [${repeated("[], ", length)}[]]\n`),
  "many anchors": (length) => inNode(repeated((at) => `    k${at}: &a${at} v\n`, length)),
  "many aliases": (length) => inNode(`    k: &a v\n${repeated((at) => `    k${at}: *a\n`, length)}`),
  "anchors and aliases": (length) => inNode(repeated((at) => `    k${at}: &a${at} v\n    l${at}: *a${at}\n`, length)),
  "aliases of aliases": (length) =>
    inNode(`    k0: &a0 [v, v]\n${repeated((at) => `    k${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`, length)}`),
  "undefined aliases": (length) => inNode(repeated((at) => `    k${at}: *a${at}\n`, length)),
  "merge keys": (length) => inNode(`    k: &a {b: c}\n${repeated((at) => `    k${at}: {<<: *a}\n`, length)}`),
  "one key again and again": (length) => inNode(repeated("    k: v\n", length)),
  "one node again and again": (length) => `${HEAD}${repeated("  greet: {type: end}\n", length)}`,
  "many keys": (length) => inNode(repeated((at) => `    k${at}: v\n`, length)),
  "many misspelled keys": (length) => inNode(repeated((at) => `    instruction${at}: v\n`, length)),
  "many nodes": (length) =>
    `${HEAD}${repeated((at) => `  n${at}: {type: message, edges: [{to: n${at + 1}}]}\n`, length)}`,
  "many nodes that nothing reaches": (length) =>
    `${HEAD}  greet: {type: end}\n${repeated((at) => `  n${at}: {type: message, edges: [{to: m${at}}]}\n`, length)}`,
  "many nodes with one text": (length) =>
    `${HEAD}${repeated((at) => `  n${at}: {type: message, instructions: Same words here., edges: [{to: bye}]}\n`, length)}${TAIL}`,
  "many edges": (length) =>
    `${HEAD}  greet:\n    type: message\n    edges:\n${repeated((at) => `      - {to: bye, when: it is ${at}}\n`, length)}${TAIL}`,
  "many equal edges": (length) =>
    `${HEAD}  greet:\n    type: message\n    edges:\n${repeated("      - {to: bye}\n", length)}${TAIL}`,
  "many conditions of one variable": (length) =>
    `${HEAD}  greet:\n    type: decision\n    edges:\n${repeated((at) => `      - {to: bye, when: "{{x}} is v${at}"}\n`, length)}${TAIL}`,
  "a mesh": (length) => {
    const nodes = Math.ceil(Math.sqrt(length / 12));
    const edges = (from: number) =>
      Array.from({ length: nodes }, (_, to) => `{to: n${(from + to) % nodes}}`).join(", ");
    return `${HEAD}${Array.from({ length: nodes }, (_, at) => `  n${at}: {type: message, edges: [${edges(at)}]}\n`).join("")}`;
  },
  "many variables": (length) =>
    `entry: greet\ncontext_variables:\n${repeated((at) => `  v${at}: {type: string}\n`, length)}nodes:\n  greet: {type: end}\n`,
  "many variables that are read": (length) =>
    `entry: greet\ncontext_variables:\n${repeated((at) => `  v${at}: {type: string}\n`, length / 2)}nodes:\n  greet:\n    type: message\n    instructions: |\n${repeated((at) => `      {{v${at}}}\n`, length / 2)}    edges: [{to: bye}]\n${TAIL}`,
  "many variables that aren't declared": (length) =>
    inNode(`    instructions: |\n${repeated((at) => `      {{v${at}}}\n`, length)}`),
  "many enum values": (length) =>
    `entry: greet\ncontext_variables:\n  v:\n    type: enum\n    enum_values: [${repeated((at) => `v${at}, `, length)}w]\nnodes:\n  greet: {type: decision, edges: [{to: bye, when: "{{v}} is v0"}]}\n${TAIL}`,
  "equal enum values": (length) =>
    `entry: greet\ncontext_variables:\n  v:\n    type: enum\n    enum_values: [${repeated("v, ", length)}w]\nnodes:\n  greet: {type: end}\n`,
  "a chain of ands": (length) =>
    `${HEAD}  greet: {type: decision, edges: [{to: bye, when: "${repeated("{{x}} is a and ", length)}{{x}} is a"}]}\n${TAIL}`,
  "a chain of ors": (length) =>
    `${HEAD}  greet: {type: decision, edges: [{to: bye, when: "${repeated((at) => `{{x}} is a${at} or `, length)}{{x}} is a"}]}\n${TAIL}`,
  "parentheses in a condition": (length) =>
    `${HEAD}  greet: {type: decision, edges: [{to: bye, when: "${repeated("(", length / 2)}{{x}} is a${repeated(")", length / 2)}"}]}\n${TAIL}`,
  "commas in a condition": (length) =>
    `${HEAD}  greet: {type: decision, edges: [{to: bye, when: "{{x}} is one of ${repeated("a, ", length)}b"}]}\n${TAIL}`,
  "web addresses": (length) =>
    inNode(`    instructions: |\n${repeated((at) => `      https://a.example/${at}\n`, length)}`),
  "phone numbers": (length) => inNode(`    instructions: |\n${repeated("      +1 518 555 0199\n", length)}`),
  "curly quotes": (length) => inNode(repeated((at) => `    k${at}: “v”\n`, length)),
  "a long name": (length) => inNode(`    name: ${repeated("a b ", length)}c\n`),
  "a long node ID": (length) => {
    const id = repeated("a", length / 3);
    return `entry: ${id}\nnodes:\n  ${id}: {type: message, edges: [{to: ${id}}]}\n`;
  },
  "many component outputs": (length) =>
    `${inNode("    instructions: Hi.\n")}component_outputs:\n${repeated((at) => `  - {name: o${at}, value: "{{x}}"}\n`, length)}`,
  "many tools": (length) =>
    `${HEAD}${repeated((at) => `  n${at}: {type: tool, tool: t${at}, inputs: {a: "{{x}}"}, saves: {x: $.x}, edges: [{to: n${at + 1}}]}\n`, length)}`,
  "many components": (length) =>
    `${HEAD}${repeated((at) => `  n${at}: {type: component, component: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001, edges: [{to: n${at + 1}}]}\n`, length)}`,
};

const FLOW_OF_TESTS = "flow: a.flow.yaml\ntests:\n";
const COMPANIONS: Readonly<Record<string, readonly [file: string, text: (length: number) => string]>> = {
  "many tests": ["a.flowtest.yaml", (length) => `${FLOW_OF_TESTS}${repeated((at) => `  - {name: t${at}}\n`, length)}`],
  "one test again and again": ["a.flowtest.yaml", (length) => `${FLOW_OF_TESTS}${repeated("  - {name: t}\n", length)}`],
  "many steps": [
    "a.flowtest.yaml",
    (length) => `${FLOW_OF_TESTS}  - name: t\n    steps:\n${repeated("      - {take: bye}\n", length)}`,
  ],
  "a long path": [
    "a.flowtest.yaml",
    (length) => `${FLOW_OF_TESTS}  - {name: t, expect: {path: [${repeated("greet, ", length)}bye]}}\n`,
  ],
  "many given values": [
    "a.flowtest.yaml",
    (length) => `${FLOW_OF_TESTS}  - name: t\n    given:\n${repeated((at) => `      v${at}: x\n`, length)}`,
  ],
  "comments of tests": ["a.flowtest.yaml", (length) => `${FLOW_OF_TESTS}${repeated("#\n", length)}  - {name: t}\n`],
  "blank lines in tests": [
    "a.flowtest.yaml",
    (length) => `${FLOW_OF_TESTS}  - {name: t}\n${repeated("\n", length)}  - {name: u}\n`,
  ],
  "many policies": [
    "assistant-flow.policies.yaml",
    (length) =>
      `policies:\n${repeated((at) => `  - {id: p${at}, every_path_to: {type: end}, passes: entry}\n`, length)}`,
  ],
  "one policy again and again": [
    "assistant-flow.policies.yaml",
    (length) => `policies:\n${repeated("  - {id: p, every_path_to: {type: end}, passes: entry}\n", length)}`,
  ],
  "many patterns": [
    "assistant-flow.policies.yaml",
    (length) =>
      `policies:\n  - {id: p, flows: [${repeated((at) => `"**/a${at}*", `, length)}"**"], every_path_to: {type: end}, passes: entry}\n`,
  ],
  "a deep selector": [
    "assistant-flow.policies.yaml",
    (length) =>
      `policies:\n  - {id: p, every_path_to: {type: end}, passes: [${repeated("{type: message}, ", length)}entry]}\n`,
  ],
  "comments of policies": [
    "assistant-flow.policies.yaml",
    (length) => `policies:\n${repeated("  #\n", length)}  - {id: p, every_path_to: {type: end}, passes: entry}\n`,
  ],
};

const items = Object.entries(ITEMS).map(([name, text]): HostileShape => ({ name, file: "a.flow.yaml", text }));
const companions = Object.entries(COMPANIONS).map(([name, [file, text]]): HostileShape => ({ name, file, text }));

export const everyShape: readonly HostileShape[] = [...items, ...companions, ...manyLines];

/** Every kind of line once, each at another place in turn, and all other shapes. */
export const someShapes: readonly HostileShape[] = [
  ...items,
  ...companions,
  ...Object.keys(LINES).map((_, index) => {
    const places = Object.keys(PLACES).length;
    return manyLines[index * places + (index % places)] as HostileShape;
  }),
];
