/** The documents with the results of commands. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Reports } from "../../../client/environments/reports";
import { vscodeStub } from "../../support/vscode";

test("a report that is open shows the latest result", () => {
  const reports = new Reports();
  const uri = reports.uri("Promote staging to production.txt", "not ready");
  reports.uri("Promote staging to production.txt", "106 operations");
  assert.equal(vscodeStub.shownTexts.get(uri.toString()), "106 operations");
});
