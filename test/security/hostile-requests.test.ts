/**
 * Hostile strings in flows, tests, policies, project files and tools, and every request of the server about them: no
 * response contains active content.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Position } from "vscode-languageserver-protocol";
import { sizeOf } from "../support/cases";
import { answerOf, everyQuestion, type Question, startAbleClient } from "./every-request";
import { hostileTexts, liveIn, UNSEEN } from "./hostile-texts";
import { inFolder } from "./outsider";

const UUID = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";

/** Strings that only our own snippets and links may contain. */
const texts = [
  ...hostileTexts,
  "$".concat("{1:x}$0"),
  "$(alert) x",
  "\\}$",
  "a | [b](command:c)",
  "%0a%5bx%5d(command:y)",
];

/** Each string at every place where a user can write. */
function files(some: readonly string[]): Record<string, string> {
  const written = some.map((text) => JSON.stringify(text));
  const nodes = written.map(
    (text, index) => `  n${index}:
    type: message
    name: ${text}
    instructions: ${JSON.stringify(`${some[index]} {{v${index}}} {{${some[index]}}}`)}
    edges:
      - {to: ${text}, when: ${JSON.stringify(`{{v${index}}} is ${some[index]}`)}, label: ${text}}
      - {to: o${index}, when: ${text}, id: ${text}}
      - {to: n${(index + 1) % some.length}}
  o${index}: {type: ${text}, ${text}: ${text}, edges: [{too: n${index}}]}
  t${index}: {type: tool, tool: ${text}, inputs: {${text}: ${text}}, saves: {${text}: ${text}}, edges: [{to: n${index}}]}
  c${index}: {type: component, component: ${UUID}, inputs: {a: ${text}}, saves: {v${index}: ${text}}, edges: [{to: n${index}}]}
  w${index}: {type: collect, variable: ${text}, mode: ${text}, edges: [{to: n${index}, on: ${text}}]}
  ${text}: {type: end, name: ${text}}`,
  );
  const variables = written.map(
    (text, index) => `  v${index}: {type: string, description: ${text}, enum_values: [${text}], default: ${text}}
  ${text}: {type: ${text}, source: ${text}}`,
  );
  const tests = written.map(
    (text, index) =>
      `  - {name: ${text}, given: {v${index}: ${text}, ${text}: ${text}}, tools: {${text}: {return: {${text}: ${text}}}}, steps: [{take: ${text}, says: ${text}, at: n${index}}, {give: {${text}: ${text}}}, {${text}: 1}], expect: {path: [n${index}, ${text}], variables: {v${index}: ${text}}, never: [${text}], ends: ${text}}}`,
  );
  const policies = written.map(
    (
      text,
      index,
    ) => `  - {id: ${text}, because: ${text}, every_path_to: {node: ${text}}, passes: {name: ${text}}, by: ${text}}
  - {id: p${index}, at_most: 1, from: {node: n${index}}, to: {name: ${text}}, because: ${text}}
  - {id: q${index}, never: {from: entry, to: {node: ${text}}}, severity: ${text}, flows: ${text}, ${text}: 1}`,
  );
  return {
    "a.flow.yaml": `# ${JSON.stringify(some[0])}
assistant: ${written[0]}
revision: ${written[0]}
persona: ${written[0]}
entry: n0
context_variables:
${variables.join("\n")}
nodes:
${nodes.join("\n")}
component_outputs:
${written.map((text) => `  - {name: ${text}, value: ${text}}`).join("\n")}
${written[0]}: 1
`,
    "called.flow.yaml": `assistant: ${UUID}\nentry: a\nnodes:\n  a: {type: end, name: ${written[0]}}\ncomponent_outputs:\n${written.map((text) => `  - {name: ${text}, value: ${text}}`).join("\n")}\n`,
    "a.flowtest.yaml": `flow: a.flow.yaml\ntests:\n${tests.join("\n")}\n`,
    "assistant-flow.policies.yaml": `policies:\n${policies.join("\n")}\n`,
  };
}

const toolId = (index: number) => `6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b000${index}`;

/** Each string in the other files about a flow: the project file and the tools. */
function platformFiles(some: readonly string[]): Record<string, string> {
  const written = some.map((text) => JSON.stringify(text));
  const each = (entry: (text: string, index: number) => string) => written.map(entry).join("");
  const environment = (name: string) => `  ${name}:
    url: https://${name.replaceAll(/\W/g, "")}.example
    calling_url: ${written[0]}
    protected: ${written[0]}
    ${written[0]}: ${written[0]}
    flows:
      a.flow.yaml: {assistant: ${UUID}, revision: ${UUID}, ${written[0]}: ${written[0]}}
${each((text) => `      ${text}: {assistant: ${text}, revision: ${text}}\n`)}    names:
      tool: ${toolId(0)}
${each((text, index) => `      n${index}: ${text}\n      ${text}: ${text}\n`)}`;
  const input = (text: string) => ({ name: text, type: text, required: true, has_default: false, description: text });
  const tools = some.map((text, index) => ({
    id: toolId(index),
    name: text,
    description: text,
    type: "api_call",
    inputs: [input(text), { ...input("a"), type: "str" }],
    outputs: [{ path: text, alias: text }],
    transfer: null,
  }));
  return {
    "assistant-flow.project.yaml": `default: ${written[0]}\nenvironments:\n${environment("staging")}${environment("production")}${each((text) => `  ${text}: {url: ${text}}\n`)}${written[0]}: ${written[0]}\n`,
    "assistant-flow.tools.json": JSON.stringify({ version: 1, tools }),
    "a.flow.yaml": `entry: t0
nodes:
${each(
  (
    text,
    index,
  ) => `  t${index}: {type: tool, tool: ${toolId(index)}, inputs: {a: ${text}, ${text}: 1}, saves: {x: ${text}}, edges: [{to: d${index}}]}
  d${index}: {type: tool, tool: $n${index}, destination: $n${index}, inputs: {b: ${text}}, edges: [{to: e${index}}]}
  e${index}: {type: component, component: $n${index}, edges: [{to: f${index}}]}
  f${index}: {type: tool, tool: $tool, knowledge_base_ids: [$n${index}], edges: [{to: t${(index + 1) % some.length}}]}
`,
)}`,
  };
}

/** A place in each line, or in every fifth line, different in each round: inside quotes, in a word, or at the end. */
function placesIn(lines: readonly string[], round: number): Position[] {
  return lines.flatMap((text, line) => {
    if ((line + round / 4) % sizeOf(5, 1) !== 0) return [];
    const starts = (pattern: RegExp) => [...text.matchAll(pattern)].map(({ index }) => index + 1);
    const quoted = starts(/"(?:[^"\\]|\\.)*"/g);
    const words = [...starts(/\{\{|\b[a-z]\w*/g).slice(0, 12), text.length];
    const places = [...quoted, ...words];
    return [{ line, character: places[(5 * line + round / 4) % places.length] ?? 0 }];
  });
}

/** Our own links: commands of the extension with encoded arguments, lines of the files, and the pages of rules. */
const isOwn = (target: string) =>
  /^command:assistantFlow\.\w+\?[\w%.!~*'-]+$/.test(target) ||
  /^file:\/\/[^\s()]+(?:\/docs\/rules\/[a-z-]+\.md|\.yaml#L\d+)$/.test(target);

/** Fields that are shown as plain text; the rest of a response is data or text for the file. */
const SHOWN = ["label", "detail", "description", "title", "message", "name", "containerName", "tooltip"];

/** Everything in a response that would be more than text when it is shown. */
function liveParts(answer: unknown, found: string[] = []): string[] {
  if (typeof answer !== "object" || answer === null) return found;
  const { kind, value } = answer as { kind?: unknown; value?: unknown };
  if (kind === "markdown" && typeof value === "string") {
    // The separator between two parts of a hover is ours.
    for (const live of liveIn(value.replaceAll("\n\n---\n\n", "\n\n"), isOwn))
      found.push(`${live} in ${JSON.stringify(value.slice(0, 300))}`);
    return found;
  }
  for (const [key, part] of Object.entries(answer)) {
    if (key === "data" || key === "arguments" || key === "edit" || key === "textEdit") continue;
    if (typeof part !== "string") liveParts(part, found);
    else if (
      SHOWN.includes(key) &&
      (UNSEEN.test(part) ||
        (key !== "message" && part.includes("\n")) ||
        (key === "title" && ICON.test(part)) ||
        part.length > LONGEST)
    )
      found.push(`${key}: ${JSON.stringify(part.slice(0, 200))}`);
    else if (key === "target" && !/^https:\/\//.test(part)) found.push(`target ${part}`);
  }
  return found;
}

/** In titles of lenses and commands, this becomes an icon. */
const ICON = /(?<!\\)\$\([a-z0-9~-]+\)/;
const LONGEST = 5000;

/** Sends every request about files with some of the strings, and returns the active content of the responses. */
async function askAll(filesWith: (some: readonly string[]) => Record<string, string>, least: number): Promise<void> {
  await inFolder({}, async (outer) => {
    const folder = path.join(outer, "a [b](command:c) it's");
    mkdirSync(folder);
    const client = await startAbleClient({ folders: [pathToFileURL(folder).href] });
    const uriOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
    const found = new Set<string>();
    let answers = 0;
    let quoted = 0;
    try {
      for (let at = 0; at < texts.length; at += 4) {
        const all = Object.entries(filesWith(texts.slice(at, at + 4)));
        const open = all.filter(([name]) => name.endsWith(".yaml"));
        for (const [name, text] of all) writeFileSync(path.join(folder, name), text);
        const changes = all.map(([name]) => ({ uri: uriOf(name), type: 2 }));
        await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
        for (const [name, text] of open) await client.open(uriOf(name), text);
        const resolved = new Set<string>();
        const ask = async (question: Question): Promise<void> => {
          const { data } = question.params as { data?: unknown };
          // The same completion is offered at many places.
          const key = JSON.stringify([question.method, data]);
          if (data !== undefined && resolved.has(key)) return;
          resolved.add(key);
          const answer = await answerOf(client, question);
          answers++;
          if (/hover|completion|inlayHint/.test(question.method) && /evil|Sign/.test(JSON.stringify(answer))) quoted++;
          for (const live of liveParts(answer)) found.add(`${question.method}: ${live}`);
          await Promise.all((question.then?.(answer as never) ?? []).map(ask));
        };
        for (const [name, text] of open) {
          const lines = text.split("\n");
          const file = { uri: uriOf(name), lines, places: placesIn(lines, at) };
          const questions = everyQuestion(client.server.capabilities, file);
          for (let from = 0; from < questions.length; from += 50)
            await Promise.all(questions.slice(from, from + 50).map(ask));
        }
        for (const [name] of open) await client.close(uriOf(name));
      }
    } finally {
      await client.stop();
    }
    assert.deepEqual([...found].slice(0, 20), []);
    assert.ok(answers > least, `${answers} answers`);
    assert.ok(quoted > 20, `${quoted} answers show a hostile text`);
  });
}

test("in flows, tests and policies, over every request of the server", () => askAll(files, sizeOf(3_000, 10_000)));

test("in project files, names and tool definitions, over every request of the server", () =>
  askAll(platformFiles, sizeOf(600, 2_000)));

test("every request about a wrongly encoded URI is answered", async () => {
  const addresses = [
    "file:///flows/100%.flow.yaml",
    "file:///flows/%E0%A4%A.flow.yaml",
    "file:///flows/%2e%2e%2fa%00.flow.yaml",
    "file://host/flows/a.flow.yaml",
    "untitled:%",
    "vscode-vfs://github/flows/%zz.flow.yaml",
    "%.flowtest.yaml",
    "file:///flows/%/assistant-flow.policies.yaml",
    "%",
  ];
  const lines =
    "tests:\n  - name: a\n    steps: []\npolicies:\n  - {id: a, every_path_to: {node: b}, passes: {node: a}}\nentry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n  b: {type: end}\n".split(
      "\n",
    );
  const client = await startAbleClient();
  const refused: string[] = [];
  try {
    for (const uri of addresses) {
      await client.open(uri, lines.join("\n"));
      const file = { uri, lines, places: [{ line: 0, character: 7 }] };
      for (const question of everyQuestion(client.server.capabilities, file)) {
        const answer = (await answerOf(client, question)) as { message?: string } | null;
        if (question.method === "textDocument/documentSymbol" && !(answer as unknown as unknown[] | null)?.length)
          refused.push(`${uri} was not opened`);
        // "There is nothing to rename here." is a valid response.
        if (/URI|malformed|failed|internal/i.test(answer?.message ?? ""))
          refused.push(`${uri} ${question.method}: ${answer?.message}`);
      }
      await client.close(uri);
    }
  } finally {
    await client.stop();
  }
  assert.deepEqual(refused, []);
});
