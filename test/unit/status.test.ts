import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "vscode-languageserver";
import { StatusRecorder } from "../../server/status";

test("the status has the last ten errors, each as one visible line, and they are still logged", () => {
  const logged: string[] = [];
  const connection = { console: { error: (message: string) => void logged.push(message) } } as unknown as Connection;
  const recorder = new StatusRecorder(connection);
  for (let number = 1; number <= 12; number++)
    connection.console.error(`Error ${number} of a\u001b file${"x".repeat(400)}\n    at line ${number}`);
  const { lastErrors, files, uptimeSeconds, busyPercent } = recorder.report({
    open: 1,
    closed: 2,
    testsAndPolicies: 3,
  });
  assert.equal(logged.length, 12);
  assert.equal(lastErrors.length, 10);
  assert.match(lastErrors[0]?.message ?? "", /^Error 3 of a/);
  for (const { at, message } of lastErrors) {
    assert.ok(message.length <= 300 && !message.includes("\n") && !message.includes("\u001b"), message);
    assert.ok(!Number.isNaN(Date.parse(at)));
  }
  assert.deepEqual(files, { open: 1, closed: 2, testsAndPolicies: 3 });
  assert.ok(uptimeSeconds >= 0 && busyPercent >= 0 && busyPercent <= 100);
});
