/** A cancelled list of problems is never treated as complete. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { CancellationError, type CancellationToken } from "vscode";
import { discardIfCancelled } from "../../../client/discard-if-cancelled";

const token = (isCancellationRequested = false) => ({ isCancellationRequested }) as CancellationToken;

test("a report is handed on as it is", async () => {
  const report = { kind: "full", resultId: "1", items: [1, 2] };
  assert.equal(await discardIfCancelled(async () => report, token()), report);
});

test("what was cancelled while it was made into VS Code's problems is asked for again", async () => {
  const late = token();
  const halfway = async () => {
    (late as { isCancellationRequested: boolean }).isCancellationRequested = true;
    return { kind: "full", resultId: "2", items: [1, undefined] };
  };
  await assert.rejects(discardIfCancelled(halfway, late), (error) => error instanceof CancellationError);
});
