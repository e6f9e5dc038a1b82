import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry } from "vscode-textmate";
import { nodeTypes } from "../../../flow";

const paths: Record<string, string> = {
  "source.assistant-flow": "syntaxes/assistant-flow.tmLanguage.json",
  "source.assistant-flow-test": "syntaxes/assistant-flow-test.tmLanguage.json",
  "markdown.assistant-flow.codeblock": "syntaxes/markdown-flow.tmLanguage.json",
};

async function tokens(text: string, scope = "source.assistant-flow"): Promise<string[]> {
  const wasm = createRequire(`${process.cwd()}/x`).resolve("vscode-oniguruma/release/onig.wasm");
  await loadWASM({ data: readFileSync(wasm) as unknown as ArrayBuffer });
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (name) => {
      const path = paths[name];
      if (path) return parseRawGrammar(readFileSync(path, "utf8"), path);
      // A substitute for the editor's Markdown grammar, into which ours is injected.
      return name === "text.html.markdown"
        ? parseRawGrammar(JSON.stringify({ scopeName: name, patterns: [] }), "markdown.json")
        : null;
    },
    getInjections: (name) => (name === "text.html.markdown" ? ["markdown.assistant-flow.codeblock"] : undefined),
  });
  const grammar = await registry.loadGrammar(scope);
  assert.ok(grammar);
  const found: string[] = [];
  let stack = INITIAL;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const words = line.slice(startIndex, endIndex);
      if (words.trim() !== "") found.push(`${words.trim()} ${scopes.slice(1).join(" ")}`);
    }
    stack = result.ruleStack;
  }
  return found;
}

/** Every piece of text has a scope that ends like this. */
async function check(text: string, expected: Record<string, string>, scope?: string): Promise<void> {
  const found = await tokens(text, scope);
  for (const [words, wanted] of Object.entries(expected)) {
    const token = found.find((each) => each.startsWith(`${words} `));
    assert.ok(token, `no token "${words}" in\n${found.join("\n")}`);
    assert.ok(token.includes(wanted), `"${words}" is ${token.slice(words.length)}, not ${wanted}`);
  }
}

test("the parts of a flow have scopes", async () => {
  await check(
    `# A note.
assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001
entry: greet
persona: |
  You are {{who}}, calm: always.
  # no comment

context_variables:
  account_id:
    reask_cap: 2
nodes:
  # Says hello.
  greet:
    type: message
    name: Hello there
    final: true
    instructions: Say {{plan}} now. # why
    edges:
      - to: ask
        when: "{{account}} is known"
      - {to: bye, label: gave up}
  ask:
    type: custom
    variable: account_id
component_outputs: []`,
    {
      "#": "comment.line",
      "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001": "constant.other.uuid",
      entry: "entity.name.tag.yaml",
      "|": "block-scalar",
      who: "variable.other.readwrite",
      ", calm: always.": "string.unquoted.block",
      "# no comment": "string.unquoted.block",
      context_variables: "keyword.other.section",
      account_id: "variable.other.definition",
      "2": "constant.numeric",
      nodes: "keyword.other.section",
      greet: "entity.name.function.node",
      message: "storage.type.node",
      "Hello there": "string.unquoted.plain",
      true: "constant.language",
      plan: "variable.other.readwrite",
      "-": "punctuation.definition.block.sequence.item",
      bye: "entity.name.function.node",
      "gave up": "string.unquoted.plain.in",
      ask: "entity.name.function.node",
      custom: "string.unquoted.plain",
      component_outputs: "entity.name.tag.yaml",
      account: "variable.other.readwrite",
      "is known": "string.quoted.double",
    },
  );
});

test("a key has the color of a field also where nothing can be parsed", async () => {
  const found = await tokens("nodes:\n  a:\n    name: x: y\n    b: {c: 1}\n    d: [");
  for (const key of ["name", "c", "d"])
    assert.ok(
      found.some((each) => each.startsWith(`${key} `) && each.endsWith("variable.other.property.assistant-flow")),
      key,
    );
});

test("a node ends where the next one starts", async () => {
  const found = await tokens("nodes:\n  a:\n    inputs:\n      to: x\n  b:\n    type: end\nentry: b");
  assert.ok(found.some((each) => each.startsWith("b meta.nodes") && each.includes("entity.name.function.node")));
  assert.ok(found.some((each) => each.startsWith("entry entity.name.tag")));
});

test("anchors, aliases, quotes and comments are YAML's", async () => {
  await check(
    `a: &base {x: 'it''s'}
b: *base
c: "tab\\t"
d: text#not # yes
# flow-ignore dead-end`,
    {
      base: "anchor",
      "''": "constant.character.escape",
      "\\t": "constant.character.escape",
      "text#not": "string.unquoted.plain",
      "flow-ignore": "keyword.control",
      "dead-end": "constant.other.rule",
    },
  );
});

test("a Markdown fence contains a flow", async () => {
  await check(
    "Words.\n\n```flow\nentry: greet\nnodes:\n  greet:\n    type: end\n```\n\nentry: after",
    { greet: "entity.name.function.node", end: "storage.type.node" },
    "text.html.markdown",
  );
  const found = await tokens("```flow\nentry: greet\n```\nentry: after", "text.html.markdown");
  assert.ok(found.includes("entry: after "), found.join("\n"));
});

test("the node types are those of the field table", () => {
  const source = readFileSync("syntaxes/assistant-flow.tmLanguage.json", "utf8");
  assert.ok(source.includes(`(${nodeTypes.map((type) => type.name).join("|")})`));
});

test("the parts of a test file have scopes", async () => {
  await check(
    `flow: billing.flow.yaml
tests:
  # A note.
  - name: a failing look-up hands over
    tools: {look_up: {error: timeout}}
    steps:
      - take: "{{plan}} is basic"
        at: greet
    expect:
      path: [greet, ..., hand_over]
      ends: bye
`,
    {
      flow: "keyword.other.section",
      tests: "keyword.other.section",
      "a failing look-up hands over": "entity.name.function.test",
      error: "keyword.control.stub",
      take: "keyword.control.step",
      plan: "variable.other",
      greet: "entity.name.function.node",
      "...": "keyword.operator.rest",
      hand_over: "entity.name.function.node",
      bye: "entity.name.function.node",
    } as Record<string, string>,
    "source.assistant-flow-test",
  );
});
