/**
 * Long lines of every kind: the time of a request about a flow grows only linearly with its length. The tests compare
 * the processor time of two lengths, so other load doesn't matter.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { cpuOf } from "../../bench/measure";
import { checkDocument, FlowDocument, fixAll, graphOf } from "../../flow";
import { complete } from "../../server/features/completion/completion";
import { foldsOf } from "../../server/features/folding";
import { outline } from "../../server/features/outline";
import { Converter } from "../../server/protocol/to-protocol";
import { documentSymbols } from "../../server/protocol/to-protocol-items";
import { Client } from "../language/client";
import { sizeOf } from "../support/cases";
import { answerOf, everyQuestion, startAbleClient } from "./every-request";
import { everyLine, someLines, someLinesBeside } from "./long-lines";
import { FLOW, inFolder } from "./outsider";

const SHORT = sizeOf(4_000, 12_000);
const LONG = 8 * SHORT;

/** Processor time in milliseconds. */
function cost(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  return process.cpuUsage(before).user / 1000;
}

test("parsing any kind of line takes linear time", () => {
  const slow = someLines.flatMap((line) => {
    const measure = (length: number) => {
      const text = line.text(length);
      return cost(() => graphOf(FlowDocument.read(text)));
    };
    measure(SHORT);
    const [short, long] = [measure(SHORT), measure(LONG)];
    // Twice the time of linear growth for eight times the length, plus the jitter of timers and the garbage collector.
    return long > 16 * short + 250 ? [`${line.name}: ${short.toFixed(0)} ms, then ${long.toFixed(0)} ms`] : [];
  });
  assert.deepEqual(slow, []);
});

test("characters that once hung rules: a check takes linear time", () => {
  const names = ['"Bearer… …x" plain', '":… …{{x}} b" plain', '"{{x}} is … …y" braces', '"]" key', '"}" raw'];
  // One text that reads a variable some twenty thousand times, and those that once hung.
  const reading = everyLine.filter(({ name }) => /^"\{\{x\}\}.* (quoted|block)$/.test(name));
  const hung = someLines.filter(({ name }) => names.some((each) => each.split(" ")[0] === name.split(" ")[0]));
  for (const line of [...reading, ...hung]) {
    const measure = (length: number) => {
      const document = FlowDocument.read(line.text(length));
      return cost(() => checkDocument(document, {}));
    };
    measure(SHORT);
    const [short, long] = [measure(SHORT), measure(LONG)];
    assert.ok(long <= 16 * short + 250, `${line.name}: ${short} ms, then ${long} ms`);
  }
});

test("fixing a file takes linear time, however many unfixable problems it has", () => {
  const textOf = (length: number) =>
    `entry: a\ncontext_variables:\n  x: {type: string}\nnodes:\n  a:\n    type: message\n    saves: {x: ${"x, or ".repeat(length / 6)}}\n    edges: [{to: b}]\n  b: {type: end}\n`;
  const measure = (length: number) => {
    const document = FlowDocument.read(textOf(length));
    return cost(() => fixAll(document));
  };
  measure(SHORT);
  const [short, long] = [measure(SHORT), measure(LONG)];
  assert.ok(long <= 16 * short + 250, `${short} ms, then ${long} ms`);
});

test("comment lines are found in linear time", () => {
  const measure = (length: number) => {
    const text = `entry: a\nnodes:\n  a:\n    type: end\n${"# c\n".repeat(length / 4)}`;
    const document = FlowDocument.read(text);
    return cost(() => foldsOf(document));
  };
  measure(SHORT);
  const [short, long] = [measure(2 * SHORT), measure(16 * SHORT)];
  assert.ok(long <= 16 * short + 100, `${short} ms, then ${long} ms`);
});

test("the outline of a node takes linear time in its edges", () => {
  const measure = (edges: number) => {
    const document = FlowDocument.read(
      `entry: a\nnodes:\n  a:\n    type: end\n    edges:\n${"      - \n".repeat(edges)}`,
    );
    const items = outline(document);
    return cost(() => documentSymbols(items, new Converter("file:///a.flow.yaml", document, "utf-16")));
  };
  measure(2000);
  const [short, long] = [measure(2000), measure(16_000)];
  assert.ok(long <= 16 * short + 150, `${short} ms, then ${long} ms`);
});

test("completion in a long invalid entry takes hardly longer than parsing it", () => {
  const before = "entry: greet\nnodes:\n  greet: {type: message, edges: [{to: bye}]}\n  bye: {type: end}\n  c: {ty";
  for (const unit of ["{{x}}", "![](", "[a](b) "]) {
    const text = `${before}, instructions: ${unit.repeat(LONG / unit.length)}}\n`;
    let document = FlowDocument.read(text);
    const reading = cost(() => {
      document = FlowDocument.read(text);
    });
    // Eleven keys match, and each of them would be read once.
    const took = cost(() => complete(document, before.length, { ids: () => [], component: () => undefined }));
    assert.ok(took <= 5 * reading + 250, `${unit}: ${took} ms, reading ${reading} ms`);
  }
});

test("no request hangs on a long line, in flows, tests and policies", async () => {
  const client = await startAbleClient();
  const uriOf = (file: string) => `file:///tmp/long-lines/${file}`;
  const timed = async (act: () => Promise<unknown>) => {
    // Processor time, independent of other load, or the clock if the system doesn't report it.
    const now = () => cpuOf(client.process.pid) ?? performance.now();
    const start = now();
    await act();
    return now() - start;
  };
  const slow: string[] = [];
  try {
    // The last one has thousands of problems, each with a fix.
    const manyFixes = everyLine.filter(({ name }) => name === '"{{ x " quoted');
    for (const { name, file, text: textOf } of [...someLines, ...manyFixes, ...someLinesBeside]) {
      const text = textOf(LONG);
      const lines = text.split("\n");
      const line = lines.findIndex((each) => each.length >= LONG);
      const places = [30, LONG / 2, lines[line]?.length ?? 0].map((character) => ({ line, character }));
      const uri = uriOf(file);
      // Each fix is applied and checked before it is offered, so the time of a check is the measure.
      const reading = await timed(async () => {
        await client.open(uri, text);
        await client.request("textDocument/documentSymbol", { textDocument: { uri } });
        await client.request("textDocument/diagnostic", { textDocument: { uri } });
      });
      for (const question of everyQuestion(client.server.capabilities, { uri, lines, places })) {
        const took = await timed(() => answerOf(client, question));
        if (took > 10 * reading + 2000)
          slow.push(`${question.method} ${name}: ${took.toFixed(0)} ms, reading ${reading.toFixed(0)}`);
      }
      await client.close(uri);
    }
  } finally {
    await client.stop();
  }
  assert.deepEqual(slow, []);
});

test("files of a removed workspace folder are dropped, but not those of a folder with a longer name", () =>
  inFolder({}, async (folder) => {
    const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
    for (const name of ["flows", "flows-old"]) {
      mkdirSync(path.join(folder, name));
      writeFileSync(
        path.join(folder, name, "a.flow.yaml"),
        FLOW.replaceAll("greet", `greet_${name.replace("-", "_")}`),
      );
    }
    const client = await Client.start({
      folders: [uri("flows"), uri("flows-old")],
      capabilities: { workspace: { workspaceFolders: true } },
    });
    try {
      const names = async () => {
        const found = await client.request<{ name: string }[] | null>("workspace/symbol", { query: "greet" });
        return (found ?? []).map(({ name }) => name).sort();
      };
      for (let round = 0; (await names()).length < 2; round++) {
        assert.ok(round < 600, "both are found");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const removed = [{ uri: uri("flows-old"), name: "flows-old" }];
      await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
        event: { added: [], removed },
      });
      assert.deepEqual(await names(), ["greet_flows"]);
      // After it was opened and closed, it still isn't part of the workspace, though its folder's name has the other's
      // as a prefix.
      await client.open(uri("flows-old/a.flow.yaml"), FLOW);
      await client.close(uri("flows-old/a.flow.yaml"));
      assert.deepEqual(await names(), ["greet_flows"]);
    } finally {
      await client.stop();
    }
  }));
