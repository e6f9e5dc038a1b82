/** A chain of batches, each of which is answered with the whole graph: which answers are read, and what is in flight. */
import type { InFlight } from "./journal/journal";

/**
 * Whether the answer to a batch of a chain is read: of the first, the fourth, the sixteenth and so on, and of the last. Each
 * shows all that was sent so far, so reading them all would take time by the square of their number.
 */
export function isRead(index: number, batches: number): boolean {
  let number = index + 1;
  if (number === batches) return true;
  while (number % 4 === 0) number /= 4;
  return number === 1;
}

/** The in-flight record without its last batch: the one before becomes the last; undefined where there was none. */
export function beforeLast(inFlight: InFlight | undefined): InFlight | undefined {
  const { answered = [], baseVersion } = inFlight ?? { baseVersion: 0 };
  const ops = answered.at(-1);
  if (!ops) return undefined;
  const before = answered.slice(0, -1);
  return { ops, baseVersion: baseVersion - 1, ...(before.length > 0 ? { answered: before } : {}) };
}
