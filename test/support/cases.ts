/** `npm test` tries one in ten cases, `npm run test:long` all of them. */
export const ONE_IN = process.env.ASSISTANT_FLOW_TEST_LONG ? 1 : 10;

/**
 * How many random cases a property test tries: a tenth of them in `npm test`, all of them in `npm run test:long`, or
 * the number in the environment variable.
 */
export function cases(all: number, variable?: string): number {
  const asked = variable && process.env[variable];
  if (asked) return Number(asked);
  return Math.ceil(all / ONE_IN);
}
