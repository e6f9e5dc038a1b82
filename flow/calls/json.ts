/** The JSON of a trace, which other programs read. */
import type { CallTrace } from "./trace";

export function traceJson(
  flow: string,
  { call, verdict, steps, unexplainedTurns, end, isTooLarge }: CallTrace,
): object {
  return {
    version: 1,
    flow,
    call,
    verdict,
    steps,
    unexplained_turns: unexplainedTurns,
    end: end ?? null,
    ...(isTooLarge && { not_checked: "too large" }),
  };
}
