/** Lines of any length whose characters make careless readers scan them repeatedly. */

/** The part that is repeated until the line is long; some start or end differently. */
const UNITS: readonly (string | readonly [start: string, unit: string, end: string])[] = [
  " ",
  ["", " ", "x"],
  "\t",
  "a",
  "a ",
  "A1_",
  "é😀 ",
  "\u200b",
  "{{x}}",
  "{{x}} ",
  "{{ x ",
  "{{",
  "}}",
  "{",
  "}",
  "{a: ",
  "[",
  "]",
  "[a, ",
  "] } ",
  "#",
  " #",
  "# flow-ignore ",
  ":",
  ": ",
  ["a: ", " ", "{{x}}"],
  [":", " ", "{{x}} b"],
  "a: ",
  "- ",
  "? ",
  '"',
  '\\"',
  "'",
  "''",
  "\\",
  "&a ",
  "*a ",
  "!t ",
  "|",
  ", ",
  "`",
  "~~",
  "**",
  "<a ",
  "![](",
  "[a](b) ",
  "https://",
  "https://a.b/c).",
  ["https://a", ")", "x"],
  "a@b.",
  ["Bearer", " ", "x"],
  "Bearer ",
  ["Bearer ", "a", " "],
  "sk-live-",
  "eyJaaaaaaaa.",
  "-----BEGIN ",
  "1",
  "1.",
  "555-",
  "+1 5 ",
  "(518) 555 ",
  "12:",
  "_1",
  "{{x}} is ",
  ["{{x}} is ", " ", "y"],
  "{{x}} is not a or ",
  "x, or ",
  "not ( ",
  "%20",
  "&#x41;",
];

/** The place of the line in a flow; `at` is an offset in it for requests. */
const PLACES: Readonly<Record<string, (line: string) => string>> = {
  plain: (line) => flow(`    instructions: ${line}\n`),
  quoted: (line) => flow(`    instructions: "${line.replace(/[\\"]/g, "\\$&")}"\n`),
  single: (line) => flow(`    instructions: '${line.replaceAll("'", "''")}'\n`),
  block: (line) => flow(`    instructions: |\n      ${line}\n`),
  condition: (line) => flow("    instructions: Hi.\n", `      - to: bye\n        when: ${line}\n`),
  comment: (line) => flow(`    instructions: Hi. # ${line}\n`),
  header: (line) => `# ${line}\n${flow("    instructions: Hi.\n")}`,
  key: (line) => flow(`    instructions: Hi.\n    ${line}: 1\n`),
  id: (line) => flow("    instructions: Hi.\n", `      - to: ${line}\n`),
  raw: (line) => `${flow("    instructions: Hi.\n")}${line}\n`,
  braces: (line) => flow(`    instructions: {${line}\n`),
};

function flow(middle: string, edges = "      - to: bye\n"): string {
  return `assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001\nentry: greet\ncontext_variables:\n  x: {type: string}\nnodes:\n  greet:\n    type: message\n${middle}    edges:\n${edges}  bye: {type: end}\n`;
}

/** The place of the line in companion files. */
const BESIDE: readonly (readonly [file: string, put: (line: string) => string])[] = [
  ["a.flowtest.yaml", (line) => tests(`name: ${line}`)],
  ["a.flowtest.yaml", (line) => tests(`name: ${quoted(line)}\n    steps: [{take: bye}]`)],
  ["a.flowtest.yaml", (line) => tests(`name: a\n    steps: [{take: ${quoted(line)}, says: x}]`)],
  ["a.flowtest.yaml", (line) => tests(`name: a\n    given: {x: ${line}}`)],
  ["a.flowtest.yaml", (line) => tests(`name: a\n    expect: {path: [${line}]}`)],
  ["a.flowtest.yaml", (line) => tests(`name: a # ${line}`)],
  ["a.flowtest.yaml", (line) => `${tests("name: a")}${line}\n`],
  ["assistant-flow.policies.yaml", (line) => policies(`id: ${line}`)],
  ["assistant-flow.policies.yaml", (line) => policies(`id: a\n    because: ${quoted(line)}`)],
  ["assistant-flow.policies.yaml", (line) => policies(`id: a\n    flows: ${quoted(line)}`)],
  ["assistant-flow.policies.yaml", (line) => policies(`id: ${quoted(line)}`, `{name: ${quoted(line)}}`)],
  ["assistant-flow.policies.yaml", (line) => policies("id: a", `{node: ${line}}`)],
  ["assistant-flow.policies.yaml", (line) => `${policies("id: a")}${line}\n`],
];

const quoted = (line: string) => `"${line.replace(/[\\"]/g, "\\$&")}"`;
const tests = (middle: string) => `flow: a.flow.yaml\ntests:\n  - ${middle}\n`;
const policies = (middle: string, to = "{node: bye}") =>
  `policies:\n  - ${middle}\n    every_path_to: ${to}\n    passes: {node: greet}\n`;

export interface LongLine {
  readonly name: string;
  readonly file: string;
  text(length: number): string;
}

const lineOf = (unit: (typeof UNITS)[number], length: number) => {
  const [start, again, end] = typeof unit === "string" ? ["", unit, ""] : unit;
  return start + again.repeat(Math.ceil(length / again.length)) + end;
};

const nameOf = (unit: (typeof UNITS)[number], place: string) =>
  `${JSON.stringify(typeof unit === "string" ? unit : unit.join("…"))} ${place}`;

/** Every unit at every place of the companion files. */
export const everyLineBeside: readonly LongLine[] = UNITS.flatMap((unit) =>
  BESIDE.map(
    ([file, put], index): LongLine => ({
      name: nameOf(unit, `${file} ${index}`),
      file,
      text: (length) => put(lineOf(unit, length)),
    }),
  ),
);

/** Every unit once, each at another place in turn. */
export const someLinesBeside: readonly LongLine[] = UNITS.map(
  (_, index) => everyLineBeside[index * BESIDE.length + (index % BESIDE.length)] as LongLine,
);

const all = UNITS.flatMap((unit) =>
  Object.entries(PLACES).map(
    ([place, put]): LongLine => ({
      name: nameOf(unit, place),
      file: "a.flow.yaml",
      text: (length) => put(lineOf(unit, length)),
    }),
  ),
);

/** Every unit at every place. */
export const everyLine: readonly LongLine[] = all;

/** Every unit once, each at another place in turn. */
export const someLines: readonly LongLine[] = UNITS.map((_, index) => {
  const places = Object.keys(PLACES).length;
  return all[index * places + (index % places)] as LongLine;
});
