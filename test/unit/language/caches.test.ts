/** The server's caches are invisible: after any edits it answers like a new server. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Client } from "../../language/client";

let client: Client;
before(async () => {
  client = await Client.start({
    capabilities: {
      general: { positionEncodings: ["utf-8"] },
      textDocument: { diagnostic: {}, documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
    },
  });
});
after(() => client.stop());

const edited = { uri: "file:///kept/edited.flow.yaml" };
let fresh = 0;

/** The responses about a file whose positions are cached with its blocks. */
async function answers(uri: string): Promise<unknown> {
  const textDocument = { uri };
  const report = await client.request<{ items: unknown[] }>("textDocument/diagnostic", { textDocument });
  const tokens = await client.request<{ data: number[] }>("textDocument/semanticTokens/full", { textDocument });
  const of = (method: string) => client.request<unknown>(`textDocument/${method}`, { textDocument });
  const all = [report.items, tokens.data, await of("documentSymbol"), await of("foldingRange"), await of("codeLens")];
  return JSON.parse(JSON.stringify(all).replaceAll(uri, "file"));
}

test("outline, tokens, folds, lenses and diagnostics after edits equal those of a fresh file", async () => {
  // Without its revision, which two files must not name.
  let text = readFileSync("examples/support-line.flow.yaml", "utf8").replace(/^revision:.*\n/m, "");
  let version = 1;
  await client.open(edited.uri, text);
  await answers(edited.uri);
  const change = async (edit: (text: string) => string, what: string) => {
    text = edit(text);
    await client.change(edited.uri, ++version, [{ text }]);
    const uri = `file:///kept/fresh-${++fresh}.flow.yaml`;
    await client.open(uri, text);
    assert.deepEqual(await answers(edited.uri), await answers(uri), what);
    await client.close(uri);
  };
  await change((old) => `# one line more\n${old}`, "a line above everything");
  await change((old) => old.replace(/^ {2}(\w+):\n {4}type: message/m, "   $1:\n    type: message"), "one key deeper");
  await change((old) => old.replace(/^ {3}(\w+):\n {4}type: message/m, "  $1:\n    type: message"), "and back");
  await change((old) => old.replace(/^ {2}(?= *\S)/gm, "    "), "everything deeper");
  await change((old) => old.replace(/^ {4}(?= *\S)/gm, "  "), "and back");
  await change((old) => old.replaceAll("the", "thé 😀"), "words that are longer in bytes");
  await change((old) => old.replace(/\n/g, "\r\n"), "other line ends");
  await change((old) => old.slice(0, old.length / 2), "half of it");
});

test("a file above 5 MB isn't parsed and is reported, until it's smaller", async () => {
  const uri = "file:///kept/long.flow.yaml";
  const head = "entry: a\nnodes:\n  a: {type: end}\n";
  const filler = `  # ${"x".repeat(1000)}\n`.repeat(5300);
  const codes = async () => {
    const report = await client.request<{ items: { code: string }[] }>("textDocument/diagnostic", {
      textDocument: { uri },
    });
    return report.items.map(({ code }) => code);
  };
  await client.open(uri, `${head}${filler}  b: {type: end}\n`);
  assert.deepEqual(await codes(), ["limit"]);
  assert.deepEqual(await client.request("textDocument/documentSymbol", { textDocument: { uri } }), []);
  const edit = { range: { start: { line: 3, character: 0 }, end: { line: 5303, character: 0 } }, text: "" };
  await client.change(uri, 2, [edit]);
  assert.deepEqual(await codes(), ["unreachable-node"]);
});
