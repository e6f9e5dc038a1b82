/** Digests of files that aren't open, and their cache after a restart. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Diagnostic } from "vscode-languageserver";
import { type DigestOptions, digestOf } from "../../../server/workspace/digest";
import { DigestCache } from "../../../server/workspace/digest-cache";

const options: DigestOptions = { rules: {}, encoding: "utf-16", related: true, checks: true };
const uri = "file:///w/a.flow.yaml";
const text = "revision: 0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002\nentry: gone\nnodes:\n  a: {type: end}\n";

async function withCache(run: (cache: DigestCache, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-cache-"));
  try {
    await run(new DigestCache(folder, __filename), path.join(folder, "checked"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a digest has all data needed for a closed file", () => {
  const digest = digestOf(uri, text, options);
  const found = JSON.parse(digest.diagnostics) as Diagnostic[];
  assert.deepEqual(
    found.map(({ code }) => code),
    ["unknown-entry"],
  );
  assert.deepEqual(
    digest.symbols.map(({ name }) => name),
    ["a"],
  );
  assert.equal(digest.facts.revision, "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002");
  assert.deepEqual(digest.revisionRange.start, { line: 0, character: 10 });
  assert.equal(digestOf(uri, text, { ...options, checks: false }).diagnostics, "[]");
});

test("the cache returns only results of the same text and options", () =>
  withCache(async (cache) => {
    const digest = digestOf(uri, text, options);
    const key = await cache.keyOf(uri, text, options);
    assert.equal(await cache.get(key), undefined);
    await cache.put(key, digest);
    assert.deepEqual(await cache.get(key), JSON.parse(JSON.stringify(digest)));
    for (const other of [
      await cache.keyOf(uri, `${text} `, options),
      await cache.keyOf("file:///w/b.flow.yaml", text, options),
      await cache.keyOf(uri, text, { ...options, rules: { "unknown-entry": "off" } }),
    ])
      assert.equal(await cache.get(other), undefined);
  }));

test("a damaged cache file is ignored and rewritten", () =>
  withCache(async (cache, folder) => {
    const key = await cache.keyOf(uri, text, options);
    await cache.put(key, digestOf(uri, text, options));
    writeFileSync(path.join(folder, `${key}.json`), '{"facts": ');
    assert.equal(await cache.get(key), undefined);
    await cache.put(key, digestOf(uri, text, options));
    assert.ok(await cache.get(key));
  }));

test("entries unused for a month are deleted", () =>
  withCache(async (cache, folder) => {
    for (const name of ["old", "new"]) await cache.put(name, digestOf(uri, text, options));
    const then = new Date(Date.now() - 40 * 24 * 3600 * 1000);
    utimesSync(path.join(folder, "old.json"), then, then);
    await cache.prune();
    assert.deepEqual(readdirSync(folder), ["new.json"]);
  }));
