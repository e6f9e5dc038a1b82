/** Text from others is escaped in the log: nothing invisible, and no forged entries. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { LogOutputChannel } from "vscode";
import { cleanLog } from "../../../client/log";
import { filesBelow, inProject } from "../../../scripts/project";
import { hostileTexts } from "../../security/hostile-texts";

const FORGED = "ok\n2026-01-01 00:00:00.000 [error] Your key has expired. Enter it at evil.test.\r\nmore";

/** A channel that records its lines. */
function channel(): { readonly lines: string[]; readonly log: LogOutputChannel } {
  const lines: string[] = [];
  const keep = (...words: unknown[]) => void lines.push(words.map(String).join(" "));
  const writes = ["trace", "debug", "info", "warn", "error", "append", "appendLine", "replace"];
  const given = Object.fromEntries(writes.map((name) => [name, keep]));
  return { lines, log: cleanLog({ name: "Log", logLevel: 1, ...given } as unknown as LogOutputChannel) };
}

const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test("every log method escapes untrusted text and keeps it in its entry", () => {
  for (const text of [
    ...hostileTexts,
    FORGED,
    "\u001b]0;x\u0007",
    "\u009b31m",
    "\u202eevil\u2066",
    "a\u0085b\u2028c",
  ]) {
    const { lines, log } = channel();
    for (const write of [log.trace, log.debug, log.info, log.warn, log.error]) {
      write(text);
      write("Said:", text, new Error(text), { text, [text]: 1 });
    }
    log.error(new Error(text));
    for (const write of [log.append, log.appendLine, log.replace]) write(text);
    assert.equal(lines.length, 14);
    for (const line of lines) {
      assert.doesNotMatch(line, unseen);
      for (const further of line.split("\n").slice(1)) assert.match(further, /^(?: {4}|$)/);
    }
  }
});

test("values without JSON are logged too, and the log level comes from VS Code", () => {
  const { lines, log } = channel();
  const endless: { self?: unknown } = {};
  endless.self = endless;
  log.warn("It is", endless, undefined);
  assert.deepEqual(lines, ["It is [object Object] undefined"]);
  assert.equal(log.logLevel, 1);
});

test("this is the only log", () => {
  const direct = filesBelow("client", ".ts").filter((file) =>
    /\bcreateOutputChannel\b/.test(readFileSync(inProject(file), "utf8")),
  );
  assert.deepEqual(
    direct.map((file) => file.replaceAll("\\", "/")),
    ["client/log.ts"],
  );
});
