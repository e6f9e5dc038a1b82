/** Chains of batches: which answers are read, and the record of what is in flight. Each answer has the whole graph. */
import type { InFlight } from "./journal/record";

/**
 * Whether the answer to a batch of a chain is read: the first, the fourth, the sixteenth and so on, and the last. Each
 * answer includes all earlier batches, so reading all of them would take quadratic time.
 */
export function isRead(index: number, batches: number): boolean {
  let number = index + 1;
  if (number === batches) return true;
  while (number % 4 === 0) number /= 4;
  return number === 1;
}

/** The in-flight record without its last batch, or undefined if it has only one. */
export function beforeLast(inFlight: InFlight | undefined): InFlight | undefined {
  const { answered = [], baseVersion } = inFlight ?? { baseVersion: 0 };
  const ops = answered.at(-1);
  if (!ops) return undefined;
  const before = answered.slice(0, -1);
  return { ops, baseVersion: baseVersion - 1, ...(before.length > 0 ? { answered: before } : {}) };
}
