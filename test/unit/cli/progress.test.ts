/** Long work says how far it is, to a person who watches and to nobody else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { counted, screen, type Terminal } from "../../../cli/terminal";

const files = ["a", "b", "c", "d"].map((name) => ({ path: `${name}.flow.yaml` }));

async function said(watched: boolean, ms: number): Promise<{ err: string; done: string[] }> {
  let err = "";
  const terminal = {
    watched,
    out: () => assert.fail("progress is no part of the output"),
    err: screen((text: string) => {
      err += text;
    }),
  } as unknown as Terminal;
  const done: string[] = [];
  for (const file of counted("Checking", files, terminal)) {
    done.push(file.path);
    await sleep(ms);
  }
  assert.deepEqual(
    done,
    files.map((file) => file.path),
  );
  return { err, done };
}

test("work that takes long is counted on one line, which is wiped in the end", async () => {
  const { err } = await said(true, 160);
  assert.match(err, /Checking 4 of 4: d\.flow\.yaml/);
  assert.doesNotMatch(err, /Checking 1 of 4|\n/, "said before anybody could wonder, or on a line of its own");
  assert.ok(err.endsWith("\r\x1b[2K"));
});

test("quick work and work that nobody watches say nothing", async () => {
  assert.equal((await said(true, 0)).err, "");
  assert.equal((await said(false, 160)).err, "");
});
