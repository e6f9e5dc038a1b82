/**
 * A sample of the offers, applied over the protocol like different editors do. offers.ts decides what they may change.
 * `npm test` asks at a fifth of the positions, at different ones for each editor.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type {
  ClientCapabilities,
  CodeAction,
  Command,
  CompletionItem,
  CompletionList,
  TextEdit as ProtocolEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { FlowDocument, type TextEdit } from "../../../flow";
import { Client } from "../../language/client";
import { mutated } from "../../language/mutations";
import { harmOf, Judged, type Offer } from "../../language/offers";
import { ONE_IN } from "../../support/cases";

const literals = { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } } };

const editors: Record<string, ClientCapabilities["textDocument"]> = {
  "VS Code": {
    completion: { completionItem: { snippetSupport: true, insertTextModeSupport: { valueSet: [1, 2] } } },
    codeAction: { ...literals, resolveSupport: { properties: ["edit"] } },
  },
  "an editor without snippets and code action literals": {},
  "an editor with snippets that knows no insert text modes": {
    completion: { completionItem: { snippetSupport: true } },
    codeAction: literals,
  },
};

const read = (name: string) => readFileSync(`test/corpus/valid/${name}.flow.yaml`, "utf8");
const texts = [
  readFileSync("examples/support-line.flow.yaml", "utf8"),
  read("shared-defaults"),
  mutated(read("dental-clinic"), 0),
  mutated(read("taxi-dispatch"), 16),
  "entry:\nnodes:\n  a:\n    type: message\n    edges:\n      - \n      -\n  b: {type: end}\ncomponent_outputs:\n  - \n",
  "\n",
];

const sparse = ONE_IN === 1 ? 1 : 5;

for (const [number, [name, textDocument]] of Object.entries(editors).entries())
  test(`as ${name}`, async () => {
    const capabilities = { workspace: { applyEdit: true }, ...(textDocument && { textDocument }) };
    const client = await Client.start({ capabilities });
    const failures: string[] = [];
    let count = 0;
    try {
      for (const [index, text] of texts.entries()) {
        const before = new Judged(text);
        for await (const offer of offersOf(client, `file:///offers-${index}.flow.yaml`, text, number)) {
          count++;
          const harm = harmOf(before, offer);
          if (harm)
            failures.push(`${offer.kind} "${offer.title}" at ${offer.at}: ${harm}\n${JSON.stringify(offer.edits)}`);
        }
      }
      assert.deepEqual(failures.slice(0, 5), []);
      assert.ok(count > 750 / sparse, `${count} offers`);
      assert.equal(client.stderr.join(""), "");
    } finally {
      assert.equal(await client.stop(), 0);
    }
  });

/** The first position is the start of the file; the second one differs for each of three numbers. */
async function* offersOf(client: Client, uri: string, text: string, number: number): AsyncGenerator<Offer> {
  const document = FlowDocument.read(text);
  const applied: WorkspaceEdit[] = [];
  client.connection.onRequest("workspace/applyEdit", ({ edit }: { edit: WorkspaceEdit }) => {
    applied.push(edit);
    return { applied: true };
  });
  const inText = ({ range, newText }: ProtocolEdit): TextEdit => ({
    start: document.offsetAt(range.start),
    end: document.offsetAt(range.end),
    text: newText,
  });
  const editsOf = (edit: WorkspaceEdit | undefined) => ((edit?.changes?.[uri] ?? []) as ProtocolEdit[]).map(inText);
  const ask = <Answer>(method: string, params: object) =>
    client.request<Answer>(`textDocument/${method}`, { textDocument: { uri }, ...params });
  await client.open(uri, text);
  const options = { tabSize: 2, insertSpaces: true };
  const formatted = (await ask<ProtocolEdit[] | null>("formatting", { options })) ?? [];
  yield { kind: "format", title: "format", at: 0, edits: formatted.map(inText) };
  const seen = new Set<string>();
  const step = text.length > 400 ? 47 : 2;
  for (let at = 0; at <= text.length; at += at === 0 ? step * ((number % sparse) + 1) : step * sparse) {
    const position = document.positionAt(at);
    const range = { start: position, end: position };
    const list = await ask<CompletionList>("completion", { position });
    for (const item of list.items.slice(0, 8))
      yield { kind: "complete", title: item.label, at, edits: [taken(document, item, inText)] };
    const only = at === 0 ? { only: ["source.fixAll"] } : {};
    const actions = await ask<(CodeAction | Command)[] | null>("codeAction", {
      range,
      context: { diagnostics: [], ...only },
    });
    for (const action of actions ?? []) {
      if (seen.has(action.title)) continue;
      seen.add(action.title);
      const removes = /^(Remove|Inline|Fix|Keep|Delete)/.test(action.title);
      if (typeof action.command === "string") {
        await client.request("workspace/executeCommand", action);
        yield { kind: "fix", title: action.title, at, edits: editsOf(applied.pop()), removes };
      } else {
        const whole = (action as CodeAction).edit
          ? (action as CodeAction)
          : await client.request<CodeAction>("codeAction/resolve", action);
        yield { kind: "fix", title: action.title, at, edits: editsOf(whole.edit), removes };
      }
    }
    const renamed = ask<WorkspaceEdit>("rename", { position, newName: "renamed_here" });
    const edit = await renamed.catch(() => undefined);
    if (edit) yield { kind: "rename", title: "rename", at, edits: editsOf(edit) };
  }
  await client.close(uri);
}

/** The text that an editor inserts: without tab stops, and indented like its line if requested. */
function taken(document: FlowDocument, item: CompletionItem, inText: (edit: ProtocolEdit) => TextEdit): TextEdit {
  const { start, end, text } = inText(item.textEdit as ProtocolEdit);
  const plain = item.insertTextFormat === 2 ? text.replace(/\$\{\d+:([^}]*)\}|\$\{\d+\}|\$\d+/g, "$1") : text;
  const { line } = document.positionAt(start);
  const before = document.slice({ start: document.offsetAt({ line, character: 0 }), end: start });
  const indent = item.insertTextMode === 2 ? (/^[ \t]*/.exec(before)?.[0] ?? "") : "";
  return { start, end, text: plain.replaceAll("\n", `\n${indent}`) };
}
