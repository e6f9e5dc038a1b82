/** The file by which all windows and terminals find the running sandbox. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readLastSandbox, readRunningSandbox } from "../../../platform";

const running = {
  pid: process.pid,
  base_url: "http://127.0.0.1:4010",
  workflow_base_url: "http://127.0.0.1:4011",
  api_key: "key",
};
const read = (change: object) => readRunningSandbox(JSON.stringify({ ...running, ...change }));

test("a running process on this computer is trusted", () => {
  assert.deepEqual(read({}), running);
  assert.equal(read({ workflow_base_url: "http://localhost:1" })?.pid, process.pid);
});

test("anything else isn't: a dead process, another machine, a damaged file", () => {
  assert.equal(read({ pid: 2 ** 30 }), undefined);
  assert.equal(readLastSandbox(JSON.stringify({ ...running, pid: 2 ** 30 }))?.base_url, running.base_url);
  for (const base_url of ["https://example.com", "http://127.0.0.1.example.com:1", "http://127.0.0.1:1/path", 7])
    assert.equal(read({ base_url }), undefined, String(base_url));
  assert.equal(read({ workflow_base_url: "http://10.0.0.1:80" }), undefined);
  for (const pid of [0, -1, 1.5, "1"]) assert.equal(read({ pid }), undefined, String(pid));
  for (const text of [undefined, "", "{", "null", "[]"]) assert.equal(readRunningSandbox(text), undefined);
});
