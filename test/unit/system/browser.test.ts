/** The browser's implementation of system/ does what Node's does. */
import assert from "node:assert/strict";
import nodePath from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import * as node from "../../../system";
import * as browser from "../../../system/browser";
import { Buffer as BrowserBuffer } from "../../../system/browser/globals";

test("both have the same functions", () => {
  const own = new Set(["setFileSource", "answerInProcess"]);
  const names = (system: object) => Object.keys(system).filter((name) => !own.has(name));
  assert.deepEqual(names(browser).sort(), names(node).sort());
});

test("hashes are the same", () => {
  const text = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: "grapheme", maxLength: 200 }));
  fc.assert(fc.property(text, (each) => assert.equal(browser.sha256(each), node.sha256(each))));
});

test("comparisons are the same", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      assert.equal(browser.isDeepStrictEqual(one, other), node.isDeepStrictEqual(one, other));
      assert.ok(browser.isDeepStrictEqual(one, structuredClone(one)));
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      assert.equal(browser.isSameSecret(one, other), node.isSameSecret(one, other));
      assert.ok(browser.isSameSecret(one, one));
    }),
  );
});

test("paths are those of POSIX", () => {
  const part = fc.constantFrom("a", "b.yaml", ".", "..", "", "c d");
  const place = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
  const { posix } = nodePath;
  const whole = (text: string) => posix.normalize(text).replace(/(.)\/$/, "$1");
  fc.assert(
    fc.property(place, place, part, (one, other, name) => {
      const { path } = browser;
      assert.equal(path.join(one, name, other), whole(posix.join(one, name, other)));
      assert.equal(path.resolve(one, name), posix.resolve(one, name));
      assert.equal(path.relative(one, other), posix.relative(one, other));
      assert.equal(path.dirname(path.resolve(one)), posix.dirname(posix.resolve(one)));
      assert.equal(path.basename(path.resolve(one), ".yaml"), posix.basename(posix.resolve(one), ".yaml"));
    }),
  );
});

test("the URI of a file in any file system becomes a path and back", () => {
  for (const [uri, place] of [
    ["file:///flows/a%20b.flow.yaml", "/flows/a b.flow.yaml"],
    ["vscode-vfs://github/owner/flows/a.flow.yaml", "/vscode-vfs:github/owner/flows/a.flow.yaml"],
    ["vscode-test-web://mount/a.flow.yaml", "/vscode-test-web:mount/a.flow.yaml"],
    ["vscode-vfs://github%2B7b22/%C3%A9/%23.flow.yaml", "/vscode-vfs:github%2B7b22/é/#.flow.yaml"],
  ] as const) {
    assert.equal(browser.fileURLToPath(uri), place);
    assert.equal(browser.pathToFileURL(place).href, uri);
    assert.ok(browser.isFileUri(uri));
  }
  assert.equal(browser.fileURLToPath("vscode-vfs://github/a/../../../x"), "/vscode-vfs:github/x");
  for (const uri of ["untitled:Untitled-1", "git:/a.flow.yaml?x", "assistant-flow-text:/a"])
    assert.equal(browser.isFileUri(uri), false, uri);
});

test("bytes are counted and converted as Node does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(BrowserBuffer.byteLength(text), Buffer.byteLength(text));
      assert.equal(BrowserBuffer.from(text).toString(), Buffer.from(text).toString());
    }),
  );
  assert.equal(BrowserBuffer.from("w6k=", "base64").toString(), "é");
  assert.equal(BrowserBuffer.concat([BrowserBuffer.from("\ufeffa"), BrowserBuffer.from("b")]).toString(), "\ufeffab");
  assert.equal(BrowserBuffer.byteLength("\ud800x"), Buffer.byteLength("\ud800x"));
});

test("files are read through the source, and not written if it only reads", async () => {
  const texts = new Map([["vscode-vfs://github/o/a.flow.yaml", "nodes: {}\n"]]);
  browser.setFileSource({
    stat: async (uri) => {
      const text = texts.get(uri);
      return text === undefined ? undefined : { kind: "file", size: text.length, modified: 5 };
    },
    list: async (uri) =>
      uri === "vscode-vfs://github/o"
        ? [
            { name: "a.flow.yaml", kind: "file" },
            { name: "x", kind: "link" },
          ]
        : undefined,
    read: async (uri) => new TextEncoder().encode(texts.get(uri)),
  });
  const file = "/vscode-vfs:github/o/a.flow.yaml";
  assert.equal((await browser.stat(file)).mtimeMs, 5);
  const handle = await browser.open(file, "r");
  const target = new Uint8Array(20);
  assert.deepEqual(await handle.read(target, 0, 20, null), { bytesRead: 10 });
  const entries = await browser.readdir("/vscode-vfs:github/o", { withFileTypes: true });
  assert.deepEqual(
    entries.map((each) => [each.name, each.isFile(), each.isDirectory()]),
    [
      ["a.flow.yaml", true, false],
      ["x", false, false],
    ],
  );
  await assert.rejects(browser.stat("/vscode-vfs:github/o/b"), { code: "ENOENT" });
  await assert.rejects(browser.readdir("/vscode-vfs:github/none"), { code: "ENOENT" });
  await assert.rejects(browser.open(file, "wx"), { code: "EROFS" });
  await assert.rejects(browser.rename(file, "/x"), { code: "EROFS" });
});

test("files are written by a source that can", async () => {
  const texts = new Map<string, string>();
  browser.setFileSource({
    stat: async (uri) =>
      texts.has(uri) ? { kind: "file", size: texts.get(uri)?.length ?? 0, modified: 5 } : undefined,
    list: async () => [],
    read: async (uri) => new TextEncoder().encode(texts.get(uri)),
    write: async (uri, content) => void texts.set(uri, new TextDecoder().decode(content)),
    rename: async (from, to) => {
      texts.set(to, texts.get(from) ?? "");
      texts.delete(from);
    },
    remove: async (uri) => void texts.delete(uri),
  });
  const [first, second] = ["/state:user/first", "/state:user/second"];
  const handle = await browser.open(first, "wx");
  await handle.writeFile("one");
  await assert.rejects(browser.open(first, "wx"), { code: "EEXIST" });
  await browser.rename(first, second);
  assert.deepEqual([...texts], [["state://user/second", "one"]]);
  await assert.rejects(browser.rename(first, second), { code: "ENOENT" });
  await browser.unlink(second);
  await assert.rejects(browser.unlink(second), { code: "ENOENT" });
  await browser.rm(second, { force: true });
});

test("editors get the URI of a file that has another scheme", () => {
  assert.equal(browser.nameInEditor("/vscode-vfs:github/o/a.flow.yaml"), "vscode-vfs://github/o/a.flow.yaml");
  assert.equal(browser.nameInEditor("/home/a.flow.yaml"), "/home/a.flow.yaml");
});

test("a server that refuses this site is distinguished from one that can't be reached, without sending the key", async (context) => {
  const asked: unknown[][] = [];
  const url = new URL("https://platform.example/v1/whoami?id=1");
  const answers = [async () => new Response(), () => Promise.reject(new TypeError("Failed to fetch"))];
  context.mock.method(globalThis, "fetch", (...request: unknown[]) => {
    asked.push(request);
    return (answers.shift() as () => Promise<Response>)();
  });
  assert.equal(await browser.whyNoAnswer(url), "site");
  assert.equal(await browser.whyNoAnswer(url), "network");
  const request = ["https://platform.example", { mode: "no-cors", credentials: "omit" }];
  assert.deepEqual(asked, [request, request]);
});

test("requests to .invalid are answered in the process, and never sent", async (context) => {
  const network = context.mock.method(globalThis, "fetch", () => assert.fail("It was sent."));
  const urls = [
    "https://sandbox.invalid/v1/whoami",
    "https://calls.sandbox.invalid/calls",
    "https://sandbox.invalid./",
  ];
  const answer = async () => new Response("here");
  for (const url of urls.map((each) => new URL(each))) {
    assert.ok(browser.isOnThisMachine(url));
    browser.answerInProcess(undefined);
    await assert.rejects(browser.fetchOnThisMachine(url, {}), { code: "ECONNREFUSED" });
    assert.equal(await browser.whyNoAnswer(url), "network");
    browser.answerInProcess(answer);
    const received: Uint8Array[] = [];
    await (await browser.fetchOnThisMachine(url, {})).receive((piece) => void received.push(piece));
    assert.equal(Buffer.concat(received).toString(), "here");
    await assert.rejects(browser.fetchOnThisMachine(url, { signal: AbortSignal.abort() }), { name: "AbortError" });
  }
  browser.answerInProcess(undefined);
  assert.equal(network.mock.callCount(), 0);
  for (const url of ["https://invalid.example/", "https://sandbox.invalid.example/", "https://notinvalid/"])
    assert.ok(!browser.isOnThisMachine(new URL(url)), url);
});
