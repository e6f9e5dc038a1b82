/** Explanations of system errors: no error code reaches a message. */
import assert from "node:assert/strict";
import { constants } from "node:os";
import { test } from "node:test";
import { fileReason } from "../../../cli/files/file-error";
import { reasonOf, systemReason } from "../../../files";
import { stoppedBy } from "../../../sync/ends";

const CODES = Object.keys(constants.errno);

test("every system error has a message without its code", () => {
  assert.ok(CODES.length > 50);
  for (const code of CODES) {
    const error = Object.assign(new Error(`${code}: something, open '/a'`), { code, path: "/a" });
    for (const words of [systemReason(error), fileReason(error), stoppedBy(error)])
      assert.doesNotMatch(words ?? code, /\bE[A-Z0-9]{2,}\b/, code);
  }
});

test("other errors have no such message", () => {
  for (const error of [new Error("a"), Object.assign(new Error("b"), { code: "ERR_INVALID_ARG_TYPE" }), "c", undefined])
    assert.equal(systemReason(error), undefined);
});

test("no error code is shown to users", () => {
  for (const code of ["ECONNRESET", "EROFS", "EWHATEVER", "ABORT_ERR", "Z_DATA_ERROR", "Z_BUF_ERROR"]) {
    const error = Object.assign(new Error(`${code}: read failed`), { code });
    assert.doesNotMatch(reasonOf(error), /[A-Z]{2}|_/, code);
  }
  assert.equal(reasonOf(new Error("The file is gone.")), "The file is gone.");
  assert.equal(reasonOf("gone"), "gone");
});
