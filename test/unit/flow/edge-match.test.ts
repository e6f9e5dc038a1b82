/** Matches of edges between two versions, compared with a naive search through every assignment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FlowDocument, type GraphEdge, graphOf, matchEdges } from "../../../flow";
import { bestAssignment, isReplaceable } from "../../../flow/assignment";
import { cases } from "../../support/cases";

/** The edges of one node, as a file writes them. */
function edges(...written: string[]): GraphEdge[] {
  const list = written.map((edge) => `      - {${edge}}\n`).join("");
  const document = FlowDocument.read(`entry: a\nnodes:\n  a:\n    type: message\n    edges:\n${list}`);
  assert.deepEqual(document.problems, []);
  return [...graphOf(document).edges.values()];
}

/**
 * `0-1` for each pair, `0~1` for edges that differ; with a question mark if it isn't certain. `2?`: may be removed or
 * not.
 */
function told(before: GraphEdge[], after: GraphEdge[], options?: { renamed: boolean }): string {
  const { pairs, uncertain } = matchEdges(before, after, options);
  const known = new Set(pairs.map((pair) => pair.before));
  const words = pairs.map(
    (pair) => `${pair.before}${pair.isUnlike ? "~" : "-"}${pair.after}${uncertain.has(pair.before) ? "?" : ""}`,
  );
  return [...words, ...[...uncertain].filter((place) => !known.has(place)).map((place) => `${place}?`)].join(" ");
}

test("edges are matched by their content, in any order", () => {
  const base = edges("to: tell", "to: person, on: error", "to: person");
  assert.equal(told(base, edges("to: tell", "to: person", "to: person, on: error")), "0-0 1-2 2-1");
  assert.equal(told(base, edges("to: person, on: error", "to: tell", "to: person")), "0-1 1-0 2-2");
  assert.equal(told(base, edges("to: tell", "to: person")), "0-0 2-1");
});

test("a changed edge is matched by its unchanged content", () => {
  const base = edges("to: b, when: p", "to: b, when: q", "to: b");
  assert.equal(
    told(base, edges("to: b, when: n", "to: b, when: p, label: L", "to: b, when: q", "to: b")),
    "0-1 1-2 2-3",
    "one inserted, one labeled",
  );
  assert.equal(told(base, edges("to: b, label: else", "to: b, when: q", "to: b, when: p")), "0-2 1-1 2-0");
  const words = edges("to: b, when: the caller wants money back", "to: b, when: the caller is angry");
  assert.equal(
    told(words, edges("to: b, when: the caller is very angry", "to: b, when: the caller wants all money back")),
    "0-1 1-0",
  );
});

test("an edge with another target is another edge unless it has an explicit ID", () => {
  assert.equal(told(edges("to: b, when: p"), edges("to: c, when: p")), "");
  assert.equal(told(edges("to: b, when: p, id: e"), edges("to: c, id: e")), "0-0");
  assert.equal(told(edges("to: b, id: e", "to: b, id: f"), edges("to: b, id: f", "to: b, id: e")), "0-1 1-0");
  assert.equal(told(edges("to: b, when: p, id: e"), edges("to: b, when: p, id: f")), "");
  assert.equal(
    told(edges("to: b, when: p", "to: b, when: q"), edges("to: b, when: q, id: f", "to: b, when: p")),
    "0-1 1-0",
  );
});

test("an ID that is implicit on one side and explicit on the other is the same ID", () => {
  const stored: GraphEdge[] = [{ id: "a--b--2", source: "a", target: "b", when: "changed" }];
  assert.equal(told(edges("to: b, when: p", "to: b, when: q"), stored), "1-0");
});

test("with IDs assigned by the platform, every edge is matched by its content", () => {
  const written = edges("to: b, when: p, id: mine", "to: b, when: q", "to: b, on: error", "to: c");
  const stored = written.map((edge, index) => ({ ...edge, id: `edge_${index}` })).reverse();
  assert.equal(told(written, stored, { renamed: true }), "0-3 1-2 2-1 3-0");
});

test("a match isn't certain if another one is equally good", () => {
  assert.equal(told(edges("to: b", "to: b"), edges("to: b", "to: b, when: p")), "0-0? 1~1?");
  assert.equal(told(edges("to: b", "to: b"), edges("to: b")), "0-0? 1?");
  assert.equal(told(edges("to: b"), edges("to: b", "to: b")), "0-0?");
  assert.equal(told(edges("to: b, when: x", "to: b, when: y"), edges("to: b, when: z")), "0~0? 1?");
  assert.equal(told(edges("to: b, when: x"), edges("to: b, when: y", "to: b, when: z")), "0~0?");
  const words = edges("to: b, when: it is hot", "to: b, when: it is cold");
  assert.equal(told(words, edges("to: b, when: it is warm")), "0-0? 1?");
});

test("an edge without an explicit ID is another one than an edge that has one, unless they're equal", () => {
  const twins = edges("to: b, when: x, id: e", "to: b, when: x");
  assert.equal(told(twins, edges("to: b, when: x")), "1-0", "the one with the ID was removed");
  assert.equal(told(twins, edges("to: b, when: x", "to: b, when: x")), "0-0? 1-1?", "or has lost its ID");
  assert.equal(told(edges("to: b, when: x"), edges("to: b, when: x, id: e", "to: b, when: x")), "0-1");
  assert.equal(told(edges("to: b, when: x, id: e"), edges("to: b, when: x, label: L")), "0-0");
  assert.equal(told(edges("to: b, when: x y, id: e"), edges("to: b, when: x z")), "0-0?");
  assert.equal(told(edges("to: b, when: x, label: L"), edges("to: b, when: y, label: L, id: e")), "0-0?");
  assert.equal(told(edges("to: b", "to: c", "to: b, when: x, id: e"), edges("to: b, when: x", "to: c")), "1-1 2-0?");
});

test("an edge with other text is matched with certainty only if it's the only one to its target", () => {
  assert.equal(told(edges("to: b, when: x", "to: c"), edges("to: c", "to: b, when: y")), "0-1 1-0");
  assert.equal(told(edges("to: b, when: x", "to: b, when: q"), edges("to: b, when: z", "to: b, when: q")), "0~0 1-1");
  assert.equal(told(edges("to: b, when: x", "to: b, when: q"), edges("to: b, when: q", "to: b, when: z")), "0~1 1-0");
});

/** Every assignment, and its score. */
function* assignments(size: number, used: readonly number[] = []): Generator<readonly number[]> {
  if (used.length === size) yield used;
  for (let column = 0; column < size; column++) if (!used.includes(column)) yield* assignments(size, [...used, column]);
}

test("the assignment is optimal, and a replaceable pair has an equally good alternative", () => {
  const squares = fc.integer({ min: 1, max: 5 }).chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: size, maxLength: size }), {
      minLength: size,
      maxLength: size,
    }),
  );
  fc.assert(
    fc.property(squares, (worth) => {
      const sum = (columns: readonly number[]) =>
        columns.reduce((all, column, row) => all + (worth[row]?.[column] as number), 0);
      const all = [...assignments(worth.length)];
      const best = Math.max(...all.map(sum));
      const columns = bestAssignment(worth);
      assert.equal(sum(columns), best);
      assert.deepEqual(
        isReplaceable(worth, columns),
        columns.map((column, row) => all.some((other) => sum(other) === best && other[row] !== column)),
      );
    }),
    { numRuns: cases(1000) },
  );
});

test("each edge is matched once, common edges are matched, and names don't affect the result", () => {
  const edge = fc.record({
    target: fc.constantFrom("b", "c"),
    when: fc.constantFrom(null, "p", "q", "the caller is angry"),
    on: fc.constantFrom(null, null, "error"),
    label: fc.constantFrom(null, null, "L"),
  });
  const lists = fc.array(edge, { maxLength: 7 }).map((all) => {
    const seen = new Map<string, number>();
    return all.map((fields): GraphEdge => {
      const number = (seen.get(fields.target) ?? 0) + 1;
      seen.set(fields.target, number);
      return { id: `a--${fields.target}${number === 1 ? "" : `--${number}`}`, source: "a", ...fields };
    });
  });
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const { pairs } = matchEdges(before, after);
      assert.equal(new Set(pairs.map((pair) => pair.before)).size, pairs.length);
      assert.equal(new Set(pairs.map((pair) => pair.after)).size, pairs.length);
      for (const pair of pairs) assert.equal(before[pair.before]?.target, after[pair.after]?.target);
      const words = ({ id: _, ...rest }: GraphEdge) => JSON.stringify(rest);
      for (const key of new Set(before.map(words))) {
        const count = (list: GraphEdge[]) => list.filter((each) => words(each) === key).length;
        const kept = pairs.filter(
          (pair) => words(before[pair.before] as GraphEdge) === key && words(after[pair.after] as GraphEdge) === key,
        );
        assert.equal(kept.length, Math.min(count(before), count(after)));
      }
      const renamed = after.map((each, index) => ({ ...each, id: `e${index}` }));
      assert.deepEqual(matchEdges(before, renamed, { renamed: true }).pairs, pairs);
    }),
    { numRuns: cases(1000) },
  );
});

test("500 edges to one target are matched in bounded work", () => {
  const make = (change: (index: number) => object) =>
    Array.from(
      { length: 500 },
      (_, index): GraphEdge => ({
        id: index === 0 ? "a--b" : `a--b--${index + 1}`,
        source: "a",
        target: "b",
        ...change(index),
      }),
    );
  const before = make((index) => ({ when: `case ${index}` }));
  const labeled = make((index) => ({ when: `case ${499 - index}`, label: "L" }));
  const { pairs, uncertain } = matchEdges(before, labeled);
  assert.deepEqual([pairs.length, uncertain.size], [500, 0]);
  assert.ok(pairs.every((pair) => pair.before + pair.after === 499));
  const rewritten = make((index) => ({ when: `other ${index}`, label: `L${index}` }));
  assert.equal(matchEdges(before, rewritten).uncertain.size, 500, "too many to tell apart");
});
