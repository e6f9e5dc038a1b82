/** Long work reports progress in a terminal, and nowhere else. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { counted, screen, type Terminal } from "../../../cli/terminal";

const files = ["a", "b", "c", "d"].map((name) => ({ path: `${name}.flow.yaml` }));

/** The output if each file takes `ms` milliseconds, by a simulated clock. */
function said(t: TestContext, watched: boolean, ms: number): { err: string; done: string[] } {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ["Date"] });
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
    t.mock.timers.tick(ms);
  }
  assert.deepEqual(
    done,
    files.map((file) => file.path),
  );
  return { err, done };
}

test("long work shows its progress on one line, which is cleared at the end", (t) => {
  const { err } = said(t, true, 160);
  assert.match(err, /Checking 4 of 4: d\.flow\.yaml/);
  assert.doesNotMatch(err, /Checking 1 of 4|\n/, "said before anybody could wonder, or on a line of its own");
  assert.ok(err.endsWith("\r\x1b[2K"));
});

test("quick work, and work without a terminal, shows nothing", (t) => {
  assert.equal(said(t, true, 0).err, "");
  assert.equal(said(t, false, 160).err, "");
});
