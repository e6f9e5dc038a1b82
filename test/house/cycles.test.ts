/**
 * No file imports itself through others. Type-only and lazy imports count too, because any cycle hides the direction of
 * a dependency.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeFolders } from "../../scripts/project";
import { type Import, importsBelow } from "./sources";

test("no import cycle", () => {
  const imports = [...codeFolders, "scripts", "bench", "test"].flatMap(importsBelow);
  assert.deepEqual(cyclesIn(imports), []);
});

test("a cycle is found through type-only and lazy imports", () => {
  const one = (file: string, target: string, how: Partial<Import> = {}): Import => ({
    ...{ file, from: target, target, kind: "ours", typeOnly: false, lazy: false },
    ...how,
  });
  const imports = [one("a.ts", "b"), one("b.ts", "c", { typeOnly: true }), one("c.ts", "a", { lazy: true })];
  assert.deepEqual(cyclesIn(imports), [["a", "b", "c"]]);
  assert.deepEqual(cyclesIn(imports.slice(0, 2)), []);
});

/** The strongly connected components with more than one file, by Tarjan's algorithm. */
function cyclesIn(imports: readonly Import[]): string[][] {
  const withoutEnding = (file: string) => file.replace(/\.(ts|mjs)$/, "");
  const files = new Set(imports.map(({ file }) => withoutEnding(file)));
  const targets = new Map<string, string[]>();
  for (const { file, target, kind } of imports) {
    if (kind !== "ours") continue;
    const name = withoutEnding(target);
    targets.set(withoutEnding(file), [
      ...(targets.get(withoutEnding(file)) ?? []),
      files.has(name) ? name : `${name}/index`,
    ]);
  }
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const own = order.size;
    let low = own;
    order.set(file, own);
    open.push(file);
    for (const next of targets.get(file) ?? [])
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) as number);
    if (low === own) {
      const cycle = open.splice(open.indexOf(file));
      if (cycle.length > 1) cycles.push(cycle.sort());
    }
    return low;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles.sort();
}
