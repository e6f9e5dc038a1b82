/** A seeded random generator, and text that is hard to parse. */

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
  }

  /** An integer from 0 up to, not including, the limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** Files in many styles: block, flow, quoted, folded, anchored, unusual indentation, several documents. */
export const seedTexts: readonly string[] = [
  'entry: a\nnodes:\n  a:\n    type: message\n    instructions: >-\n      Folded text\n      over lines\n\n      and a paragraph\n    edges:\n    - to: b\n      when: it\'s time\n    - {to: c, label: "x: y"}\n  b: {type: end}\n  # between\n  c:\n    type: end\n',
  "nodes: {a: {type: message, edges: [{to: b}]}, b: {type: end}}\nentry: a\n",
  "base: &base {type: message, name: Base}\nnodes:\n  a:\n    <<: *base\n    edges: &out\n      - to: b\n  b:\n    <<: [*base, {x: 1}]\n    edges: *out\n  c: *base\nentry: a\n",
  "%YAML 1.2\n---\n# header\n\nentry: 'a'\n\"nodes\":\n    'a':\n        type: \"message\"\n        instructions: |2-\n           deep\n          text\n    b:\n        type: end\n...\n",
  "  entry: a\n  nodes:\n    a:\n      type: end\n",
  'nodes:\n  a:\n    type: collect\n    variable: v\n    instructions: |+\n      keep\n\n\n  b:\n    instructions: "multi\n      line"\n    edges: [\n      {to: a},\n      {to: b}\n    ]\n  c:\n    text: plain over\n      two lines # comment\ncontext_variables:\n  v: {type: string, enum_values: [a, b]}\n  w:\n    description: 😀 smile\n',
  '{"entry": "a", "nodes": {"a": {"type": "end"}}}\n',
  'component_outputs:\n- {name: x, value: "{{v}}"}\n-\n  name: y\npersona: >\n  Hello\n   more\n  end\nnodes:\n\n  # first\n\n  a:\n  - 1\n  - - 2\n    - 3\n  ? b\n  : c\n  d: !!str 12\nnodes:\n  a: again\n',
  "",
  "a: 1\n---\nb: 2\n",
];

export const hostileSnippets: readonly string[] = [
  "a",
  "x",
  " ",
  "  ",
  "    ",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\t",
  ":",
  ": ",
  "#",
  " # c",
  "- ",
  "-",
  "? ",
  '"',
  "'",
  "|",
  ">",
  "|-\n",
  "{",
  "}",
  "[",
  "]",
  ",",
  "&a ",
  "*a",
  "&base ",
  "*base",
  "<<: *base\n",
  "!!str ",
  "---\n",
  "...\n",
  "%",
  "\ufeff",
  "😀",
  "\u2028",
  "\\",
  "`",
  "@",
  "nodes:\n",
  "nodes:",
  "context_variables:\n",
  "entry: b\n",
  "  b:\n",
  "  a:\n    type: end\n",
  "\n  q:\n    type: message\n",
  "    edges:\n      - to: a\n",
  "edges: [{to: a}]",
  "{{v}}",
  "to: ",
  "type: ",
  '\n      - {to: b, when: "{{v}}"}\n',
  "null",
  "1e3",
  "0x1f",
  "true",
  "__proto__: 1\n",
  "[[[[[[[[",
  "{a: {a: {a: ",
  "- - - - ",
  "\n   odd:\n",
  "\n odd: 1\n",
  '"k": v\n',
  "key: |\n  text\n",
  "k: 'it''s'\n",
  'k: "a\\nb"\n',
  "a: b: c\n",
  "  - x\n",
  "\n  }\n",
  "]\n",
];

/** A flow in the usual style, with every kind of value that the quick parser supports. */
export function randomFlow(dice: Dice): string {
  const words = [
    "hello",
    "it's fine",
    "a-b",
    "x: y",
    "50%",
    "yes",
    "null",
    "12",
    "-3",
    "1.50",
    "{{v}} is",
    "ünï 😀",
    "a # b",
    "#x",
    "http://x.y/z",
    "+15550100",
    "0x1F",
    "1e3",
    ".5",
    "~",
    "true",
  ];
  const text = () => Array.from({ length: 1 + dice.below(4) }, () => dice.pick(words)).join(" ");
  const quote = (value: string) => (dice.below(2) === 0 ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`);
  const isSafe = (value: string) => !/: | #|^[#{'"%+-]|^\{/.test(value);
  const scalar = () => {
    const value = text();
    return isSafe(value) && dice.below(3) > 0 ? value : quote(value);
  };
  const block = (indent: string) => {
    const lines = Array.from({ length: 1 + dice.below(3) }, () => `${indent}${text()}`);
    if (dice.below(4) === 0) lines.splice(1, 0, "");
    if (dice.below(6) === 0) lines.push(`${indent}  deeper`);
    return `${dice.pick(["|", ">", "|-", ">-", "|  # note"])}\n${lines.join("\n")}`;
  };
  const flowValue = () =>
    dice.pick([
      () => quote(text()),
      () => "word",
      () => "12",
      () => `[a, ${quote("b")}, 3]`,
      () => "{a: 1}",
      () => "[]",
      () => "{}",
    ])();
  const comment = () => (dice.below(5) === 0 ? "  # note" : "");
  let result = dice.below(3) === 0 ? "# A flow.\n" : "";
  result += `entry: n0${comment()}\npersona: ${block("  ")}\nnodes:${comment()}\n`;
  const count = 1 + dice.below(4);
  for (let node = 0; node < count; node++) {
    if (dice.below(4) === 0) result += "\n  # about the next\n";
    result += `  n${node}:${comment()}\n    type: message${comment()}\n`;
    if (dice.below(2) === 0) result += `    name: ${scalar()}\n`;
    if (dice.below(2) === 0) result += `    instructions: ${dice.below(2) === 0 ? block("      ") : scalar()}\n`;
    if (dice.below(3) === 0)
      result += `    inputs:\n      a: ${scalar()}\n      b:\n        c: ${flowValue()}${comment()}\n`;
    if (dice.below(4) === 0) result += "    empty:\n";
    const dash = dice.below(2) === 0 ? "    " : "      ";
    if (dice.below(4) > 0) {
      result += "    edges:\n";
      for (let edge = dice.below(3); edge >= 0; edge--)
        result +=
          dice.below(2) === 0
            ? `${dash}- {to: n${dice.below(5)}, when: ${flowValue()}}${comment()}\n`
            : `${dash}- to: n${dice.below(5)}\n${dash}  when: ${dice.below(3) === 0 ? block(`${dash}    `) : scalar()}\n`;
    }
  }
  if (dice.below(2) === 0) result += `component_outputs:\n  - {name: x, value: ${flowValue()}}\n`;
  return result;
}
