/** Of more problems than an editor shows: which are left out, and what is said of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mostSevere, type Severity } from "../../../flow";

const many = (count: number, code: string, severity: Severity) =>
  Array.from({ length: count }, (_, index) => ({ code, severity, index }));

test("a thousand are all shown, and nothing is said", () => {
  const all = many(1000, "may-be-unset", "warning");
  assert.deepEqual(mostSevere(all), { shown: all });
});

test("what is left out is the least severe, the last ones first, and one line counts it by rule, the most first", () => {
  const hints = many(300, "unused-variable", "hint");
  const warnings = many(1500, "may-be-unset", "warning");
  const infos = many(300, "duplicate-instructions", "info");
  const errors = many(3, "unknown-target", "error");
  // In the order of the file the errors come last.
  const { shown, rest } = mostSevere([...hints, ...warnings, ...infos, ...errors]);
  assert.deepEqual(shown, [...warnings.slice(0, 997), ...errors]);
  assert.deepEqual(rest, {
    code: "more-problems",
    severity: "info",
    message:
      '1103 more problems aren\'t shown: 503 may-be-unset, 300 duplicate-instructions, 300 unused-variable. Run "assistant-flow check" to list them all.',
    span: { start: 0, end: 0 },
  });
});

test("an error is never left out, however many there are", () => {
  const errors = many(2500, "unknown-target", "error");
  const { shown, rest } = mostSevere([...many(1, "may-be-unset", "warning"), ...errors]);
  assert.deepEqual(shown, errors);
  assert.match(rest?.message ?? "", /^1 more problem isn't shown: 1 may-be-unset\./);
  assert.deepEqual(mostSevere(errors), { shown: errors });
});
