/** The functions of `node:assert/strict` that the suite uses in a web worker. */
import { isDeepStrictEqual } from "../../../system/browser";

class AssertionError extends Error {}

function fail(message: string): never {
  throw new AssertionError(message);
}

function ok(value: unknown, message = `${value} isn't true`): asserts value {
  if (!value) fail(message);
}

const shown = (value: unknown) => JSON.stringify(value, undefined, 1) ?? String(value);

function assert(value: unknown, message?: string): asserts value {
  ok(value, message);
}

export default Object.assign(assert, {
  fail,
  ok,
  equal: (actual: unknown, expected: unknown, message = "not equal") =>
    ok(Object.is(actual, expected), `${message}: ${shown(actual)}, not ${shown(expected)}`),
  notEqual: (actual: unknown, other: unknown, message = "equal") =>
    ok(!Object.is(actual, other), `${message}: ${shown(actual)}`),
  deepEqual: (actual: unknown, expected: unknown, message = "not equal") =>
    ok(isDeepStrictEqual(actual, expected), `${message}: ${shown(actual)}, not ${shown(expected)}`),
  match: (text: string, pattern: RegExp, message = "no match") =>
    ok(pattern.test(text), `${message}: ${pattern} in ${shown(text)}`),
  doesNotMatch: (text: string, pattern: RegExp, message = "a match") =>
    ok(!pattern.test(text), `${message}: ${pattern} in ${shown(text)}`),
});
