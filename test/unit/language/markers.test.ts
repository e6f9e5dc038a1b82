import assert from "node:assert/strict";
import { after } from "node:test";
import { answerCase } from "../../language/ask";
import { Client } from "../../language/client";
import { checkMarkerFolder } from "../../markers/check";
import type { MarkerCase } from "../../markers/parse";

// One server answers all cases in turn: a case may change its settings.
const server = Client.start({
  capabilities: {
    textDocument: {
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      hover: { contentFormat: ["markdown"] },
      completion: {
        completionItem: {
          snippetSupport: true,
          documentationFormat: ["markdown"],
          insertTextModeSupport: { valueSet: [1, 2] },
        },
      },
      rename: { prepareSupport: true },
      codeAction: {
        codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
        resolveSupport: { properties: ["edit"] },
      },
    },
  },
  initialize: {
    initializationOptions: {
      commands: ["assistantFlow.showReferences", "assistantFlow.plan", "assistantFlow.openPreview"],
    },
  },
});
let queue: Promise<unknown> = server;

for (const folder of ["test/language/markers", "test/language/companions"])
  checkMarkerFolder(
    folder,
    (each: MarkerCase) => {
      const answer = queue.then(async () => answerCase(await server, each, `${folder}/fixtures`));
      queue = answer.catch(() => {});
      return answer;
    },
    {},
    /\.ya?ml$/,
  );

after(async () => {
  await queue;
  const client = await server;
  assert.equal(await client.stop(), 0);
  assert.equal(client.stderr.join(""), "");
});
