/** `npm test` tries one in twenty cases, `npm run test:long` all of them. */
export const ONE_IN = process.env.ASSISTANT_FLOW_TEST_LONG ? 1 : 20;

/** The size of a hostile input: the smaller one in `npm test`, the larger one in `npm run test:long`. */
export function sizeOf(small: number, large: number): number {
  return ONE_IN === 1 ? large : small;
}

/**
 * How many random cases a property test tries: a twentieth of them in `npm test`, or `few` where that takes long, all of them
 * in `npm run test:long`, or the number in the environment variable.
 */
export function cases(all: number, variable?: string, few = Math.ceil(all / ONE_IN)): number {
  const asked = variable && process.env[variable];
  if (asked) return Number(asked);
  return ONE_IN === 1 ? all : few;
}
