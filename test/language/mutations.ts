/** Flows during editing: one thing is misspelled, incomplete, moved, quoted, anchored or cut off. */
import { Dice } from "../unit/flow/hostile";

type Mutation = (text: string, dice: Dice) => string;

const replaceOne =
  (pattern: RegExp, by: string): Mutation =>
  (text, dice) => {
    const matches = [...text.matchAll(new RegExp(pattern, `${pattern.flags.replace("g", "")}g`))];
    if (matches.length === 0) return text;
    const match = dice.pick(matches);
    return text.slice(0, match.index) + match[0].replace(pattern, by) + text.slice(match.index + match[0].length);
  };

const changeLine =
  (change: (line: string, dice: Dice) => string): Mutation =>
  (text, dice) => {
    const lines = text.split("\n");
    const at = dice.below(lines.length);
    lines[at] = change(lines[at] as string, dice);
    return lines.join("\n");
  };

const mutations: readonly Mutation[] = [
  replaceOne(/^entry:/m, "entri:"),
  replaceOne(/^context_variables:/m, "context_variable:"),
  replaceOne(/^entry: .*\n/m, ""),
  replaceOne(/^nodes:/m, "node:"),
  replaceOne(/\bwhen:/, "if:"),
  replaceOne(/\bto: (\w+)/, "to: $1x"),
  replaceOne(/\bto: /, "too: "),
  replaceOne(/type: (\w)(\w+)/, "type: $1$1$2"),
  replaceOne(/instructions:/, "instruction:"),
  replaceOne(/variable: (\w+)/, "variable: $1_2"),
  replaceOne(/\{\{(\w+)\}\}/, "{{$1_x}}"),
  // Anchors and aliases.
  replaceOne(/\bto: (\w+)\n([\s\S]*?)to: \w+/, "to: &t $1\n$2to: *t"),
  replaceOne(/edges:\n([\s\S]*?)edges:\n(?:\s+-.*\n(?:\s{8,}.*\n)*)+/, "edges: &e\n$1edges: *e\n"),
  replaceOne(/^ {4}type: (\w+)\n([\s\S]*?)^ {4}type: \w+/m, "    type: &k $1\n$2    type: *k"),
  replaceOne(/^ {2}(\w+):\n {4}type/m, "  $1: &n\n    type"),
  // Half-typed lists and maps.
  replaceOne(/^( +)edges:\n/m, "$1edges:\n$1-\n"),
  replaceOne(/^( +)edges:\n/m, "$1edges:\n$1  - \n"),
  replaceOne(/^( +)edges:\n(?: +-.*\n)+/m, "$1edges:\n$1-\n$1- to: z\n"),
  replaceOne(/^( +)- to: (.*)$/m, "$1- {to: $2}"),
  replaceOne(/^( +)edges:\n( +)- to: (\w+)\n/m, "$1edges: [{to: $3}]\n"),
  replaceOne(/^( {2}\w+):\n {4}type: (\w+)\n/m, "$1: {type: $2}\n"),
  replaceOne(/: (\w[^\n"'#:{}[\]]*)$/m, ': "$1"'),
  replaceOne(/: (\w[^\n"'#:{}[\]]*)$/m, ": '$1'"),
  replaceOne(/: (\w[^\n"'#:{}[\]]*)$/m, ":"),
  replaceOne(/: (\w[^\n"'#:{}[\]]*)$/m, ":$1"),
  replaceOne(/: (\w[^\n"'#:{}[\]]*)$/m, ': "$1'),
  replaceOne(/: (\w[^\n"'#:{}[\]]*)$/m, ": $1 # note"),
  replaceOne(/\n/, "\n# a comment at the margin\n"),
  replaceOne(/\n( +)(\w)/, "\n$1# a comment above\n$1$2"),
  changeLine((line) => `${line}\n${line}`),
  changeLine(() => ""),
  changeLine((line) => ` ${line}`),
  changeLine((line) => line.replace(/^ {2}/, "")),
  changeLine((line, dice) => line.slice(0, dice.below(line.length + 1))),
  changeLine((line, dice) => {
    const at = dice.below(line.length + 1);
    return line.slice(0, at) + dice.pick(["-", ":", "{", "}", "#", " ", "\t", "x", "&a ", "*a", "- "]) + line.slice(at);
  }),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => `\uFEFF${text}`,
  (text) => text.replace(/\n$/, ""),
  (text) => text.replace(/^( +)- /gm, (_, indent) => `${indent.slice(2)}- `).replace(/^ {8}(\w+:)/gm, "      $1"),
];

export const mutationCount = mutations.length;

/** The text with one mutation, or two for every third number. */
export function mutated(text: string, number: number): string {
  const dice = new Dice(number + text.length);
  const once = (mutations[number % mutations.length] as Mutation)(text, dice);
  return number % 3 === 0 ? dice.pick(mutations)(once, dice) : once;
}
