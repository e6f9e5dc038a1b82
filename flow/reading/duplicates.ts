/** Finds repeated keys in maps by comparing strings: `yaml`'s own check takes quadratic time. */
import { briefly, type Span } from "../text";
import { keyText, type MapValue, type Pair, type Value } from "../values";
import type { ReadProblem } from "./problem";

/** Reports every repeated key in a value; places are shifted by `base`. */
export function findDuplicates(value: Value | undefined, base: number, problems: ReadProblem[]): void {
  if (value === undefined || value.kind === "scalar") return;
  if (value.kind === "list") {
    for (let index = 0; index < value.items.length; index++) findDuplicates(value.items[index], base, problems);
    return;
  }
  if (value.pairs.length > 1) checkKeys(value, base, problems);
  for (let index = 0; index < value.pairs.length; index++) {
    const inner = value.pairs[index]?.value;
    if (inner !== undefined && inner.kind !== "scalar") findDuplicates(inner, base, problems);
  }
}

export function duplicateKey(key: string, first: Span, second: Span): ReadProblem {
  return {
    code: "duplicate-key",
    message: `\`${briefly(key)}\` is defined twice; only the first is used. Rename or remove one of them.`,
    span: second,
    related: [{ message: `The first \`${briefly(key)}\` is here.`, span: first }],
  };
}

function checkKeys(map: MapValue, base: number, problems: ReadProblem[]): void {
  const { pairs } = map;
  if (pairs.length <= 12) {
    for (let index = 1; index < pairs.length; index++) {
      const key = keyText(pairs[index] as Pair);
      for (let before = 0; before < index; before++)
        if (keyText(pairs[before] as Pair) === key) {
          report(pairs[before] as Pair, pairs[index] as Pair, base, problems);
          break;
        }
    }
    return;
  }
  const seen = new Map<string, Pair>();
  for (const pair of pairs) {
    const first = seen.get(keyText(pair));
    if (first) report(first, pair, base, problems);
    else seen.set(keyText(pair), pair);
  }
}

function report(first: Pair, second: Pair, base: number, problems: ReadProblem[]): void {
  const move = ({ start, end }: Span) => ({ start: start + base, end: end + base });
  // Several merge keys in one map are fine.
  if (first.key.value === "<<") return;
  problems.push(duplicateKey(keyText(second), move(first.key.span), move(second.key.span)));
}
