import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Check,
  dateProblem,
  datetimeProblem,
  emailProblem,
  expiryMoment,
  expiryProblem,
  idProblem,
  incomplete,
  limitProblem,
  phoneProblem,
  problemsByField,
  reasonProblem,
  scopeProblem,
  secondsProblem,
  uuidProblem,
  webAddressProblem,
} from "../../../client/ui/checks";
import { PlatformError } from "../../../platform";

const cases: readonly (readonly [name: string, check: Check, good: readonly string[], bad: readonly string[]])[] = [
  [
    "scope",
    scopeProblem,
    ["agents:read", "api_keys:write"],
    ["agents", "agents:", ":read", "Agents:Read", "a:b:c", "a b:c"],
  ],
  [
    "phone",
    phoneProblem,
    ["+15185550100", "(518) 555-0100", "+49 30 1234567"],
    ["", "123", "+", "call me", "1234567890123456", "+1+2345678"],
  ],
  [
    "e-mail",
    emailProblem,
    ["a@b.co", "anna.berg+x@mail.example.com"],
    ["a", "a@b", "a b@c.de", "a@b.", "<a@b.co>", "a@b.co,c@d.ef"],
  ],
  [
    "uuid",
    uuidProblem,
    ["7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001"],
    ["7b1c0d52", "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a000g", "../x"],
  ],
  ["id", idProblem, ["lead-1000", "a.b:c"], ["a b", "a/b", "..", ".", "a?b", "a#b"]],
  [
    "date",
    dateProblem,
    ["2026-02-28", "2024-02-29"],
    ["2026-02-29", "2026-13-01", "2026-1-1", "28.2.2026", "2026-02-28T00:00:00Z"],
  ],
  [
    "date-time",
    datetimeProblem,
    ["2026-02-28T09:00:00Z", "2026-02-28T09:00", "2026-02-28T09:00:00.5+02:00"],
    ["2026-02-28", "2026-02-30T09:00:00Z", "2026-02-28T24:00:00Z", "2026-02-28T09:60:00Z"],
  ],
  ["limit", limitProblem, ["1", "20", "100"], ["0", "101", "-1", "1.5", "ten"]],
  ["seconds", secondsProblem, ["0", "90"], ["-1", "1:30", "1.5"]],
  ["reason", reasonProblem, ["NO_ANSWER"], ["no_answer", "GONE"]],
  [
    "web address",
    webAddressProblem,
    ["https://example.com/a"],
    ["example.com", "javascript:alert(1)", "file:///etc/passwd"],
  ],
];

for (const [name, check, good, bad] of cases)
  test(`${name}: what will do and what will not, with a sentence`, () => {
    for (const value of good) assert.equal(check(value), undefined, value);
    for (const value of bad) assert.match(check(value) ?? "", /^\p{Lu}|^".*\.$/u, value);
  });

test("a key may expire on a future day, at the end of that day", () => {
  const now = new Date(2026, 2, 10, 15, 0);
  assert.equal(expiryProblem("2026-03-10", now), undefined);
  assert.match(expiryProblem("2026-03-09", now) ?? "", /future/);
  assert.match(expiryProblem("tomorrow", now) ?? "", /yyyy-mm-dd/);
  assert.equal(expiryMoment("2026-03-10").getHours(), 23);
});

test("a 422 is shown at the field it names, any other error at the top of the form", () => {
  const detail = [
    { loc: ["body", "primaryPhone"], msg: "Too short", type: "x" },
    { loc: ["body", "primaryPhone"], msg: "Again", type: "x" },
    { loc: ["query", "limit"], msg: "Too large\u202e", type: "x" },
  ];
  const invalid = new PlatformError("invalid", "No.", { operation: "x", detail });
  assert.deepEqual(problemsByField(invalid, "name"), {
    primaryPhone: "The platform says: Too short",
    limit: "The platform says: Too large",
  });
  const odd = [{ loc: ["body", "constructor"], msg: "Unknown", type: "x" }];
  assert.deepEqual(problemsByField(new PlatformError("invalid", "No.", { operation: "x", detail: odd }), "name"), {
    constructor: "The platform says: Unknown",
  });
  const server = new PlatformError("server", "The platform has a problem.", { operation: "x" });
  assert.deepEqual(problemsByField(server, "name"), { name: "The platform has a problem." });
});

test("a form with one wrong field asks for one", () => {
  assert.deepEqual(
    [1, 2].map((count) => incomplete(count)),
    ["Complete the highlighted field first.", "Complete the highlighted fields first."],
  );
});
