/** A day of editing in one server: memory must not grow with the number of edits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { flowOf, placesIn } from "../../../bench/flows";
import { MeasuredServer, type Place } from "../../../bench/lsp";
import { inProject } from "../../../scripts/project";

/** Allows for compiled code; a list with 200 bytes for each edit would exceed it. */
const ALLOWED_MB = 0.6;

/** The server's process, which reports its heap size. */
const PROBE = ["--expose-gc", "--import", pathToFileURL(inProject("test/support/heap-probe.mjs")).href];

test("memory in use is constant over thousands of edits and requests", async () => {
  const args = [...PROBE, inProject("dist/server.js"), "--stdio"];
  const server = await MeasuredServer.start(process.execPath, args, {}, { ipc: true });
  try {
    const text = flowOf(150);
    await server.open(text);
    const places = Array.from({ length: 45 }, (_, n) => {
      const { words, target } = placesIn(text, 2 + n * 3);
      return { words: server.placeOf(words), target: server.placeOf(target), digit: text[target] as string };
    });
    const edit = async (from: number, to: number) => {
      for (let round = from; round < to; round++) {
        const { words, target, digit } = places[round % places.length] as (typeof places)[number];
        await server.edit(words, 1, "wW"[round % 2] as string);
        await server.edit(target, 1, String(round % 10));
        // Back to the original target, so the flow is the same each time.
        await server.edit(target, 1, digit);
        if (round % 25 === 0) await lookAround(server, target);
      }
    };
    await edit(0, 700);
    const before = await heapInUse(server);
    await edit(700, 2000);
    const middle = await heapInUse(server);
    let grown = middle - before;
    // A leak keeps growing; code that is compiled late on a busy machine is added once.
    if (grown >= ALLOWED_MB) {
      await edit(2000, 3300);
      grown = (await heapInUse(server)) - middle;
    }
    assert.ok(grown < ALLOWED_MB, `${grown.toFixed(2)} MB more are in use after 3,900 more edits`);
  } finally {
    await server.stop();
  }
});

/** Megabytes of objects in use after a forced collection. */
function heapInUse({ process }: MeasuredServer): Promise<number> {
  return new Promise((resolve) => {
    process.once("message", (bytes) => resolve(Number(bytes) / 1e6));
    process.send("heap");
  });
}

async function lookAround(server: MeasuredServer, position: Place): Promise<void> {
  const range = { start: position, end: position };
  await server.ask("completion", { position });
  await server.ask("hover", { position });
  await server.ask("references", { position, context: { includeDeclaration: true } });
  await server.ask("codeAction", { range, context: { diagnostics: [] } });
  await server.ask("documentSymbol", {});
  await server.ask("semanticTokens/full", {});
  await server.ask("codeLens", {});
  await server.ask("inlayHint", { range: { start: { line: 0, character: 0 }, end: position } });
}
