/** A cancelled list of problems is never treated as complete. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { CancellationError, type CancellationToken } from "vscode";
import { discardIfCancelled } from "../../../client/discard-if-cancelled";

const token = (isCancellationRequested = false) => ({ isCancellationRequested }) as CancellationToken;

test("a report is passed on unchanged", async () => {
  const report = { kind: "full", resultId: "1", items: [1, 2] };
  assert.equal(await discardIfCancelled(async () => report, token()), report);
});

test("a report cancelled during conversion is requested again", async () => {
  const late = token();
  const halfway = async () => {
    (late as { isCancellationRequested: boolean }).isCancellationRequested = true;
    return { kind: "full", resultId: "2", items: [1, undefined] };
  };
  await assert.rejects(discardIfCancelled(halfway, late), (error) => error instanceof CancellationError);
});
