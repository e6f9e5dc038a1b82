/**
 * Properties of file merges: every change of each side is included, whatever the layout and the other side's changes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  applyEdits,
  type Conflict,
  FlowDocument,
  type Graph,
  type GraphEdge,
  graphOf,
  mergeGraphs,
  mergeTexts,
  sameElement,
  sameGraph,
  sameJson,
} from "../../../flow";
import { applyGraph } from "../../../flow/edit";
import { cases } from "../../support/cases";
import { blend, graphs, styles, writeGraph } from "../edit/generate";

const runs = cases(300, "MERGE_RUNS");

/** Most of the time is spent parsing, so each text of a triple is parsed once. */
const documents = new Map<string, FlowDocument>();

function documentOf(text: string): FlowDocument {
  let document = documents.get(text);
  if (!document) {
    if (documents.size >= 50) documents.clear();
    document = FlowDocument.read(text);
    documents.set(text, document);
  }
  return document;
}

const triples = fc
  .record({
    a: graphs,
    b: graphs,
    c: graphs,
    style: styles,
    picks: fc.array(fc.nat(1000), { minLength: 64, maxLength: 64 }),
    comments: fc.tuple(fc.nat(3), fc.nat(3)),
  })
  .map(({ a, b, c, style, picks, comments }) => {
    let pick = 0;
    const choose = (n: number) => (picks[pick++ % picks.length] as number) % n;
    const base = writeGraph(a, style);
    const side = (other: Graph, name: string, count: number) => {
      const document = documentOf(base);
      const edits = applyGraph(document, blend(graphOf(document), other, choose));
      return commented(applyEdits(base, edits), name, count, choose);
    };
    return { base, ours: side(b, "ours", comments[0]), theirs: side(c, "theirs", comments[1]) };
  })
  .filter(({ base, ours, theirs }) => [base, ours, theirs].every((text) => documentOf(text).problems.length === 0));

/** The text with comments on lines of their own, where they change nothing. */
function commented(text: string, name: string, count: number, choose: (n: number) => number): string {
  let result = text;
  for (let number = 0; number < count; number++) {
    const lines = result.split("\n");
    const at = 1 + choose(lines.length - 1);
    const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
    lines.splice(at, 0, `${indent}# ${name} ${number}${text.includes("\r\n") ? "\r" : ""}`);
    const next = lines.join("\n");
    const [before, after] = [documentOf(text), documentOf(next)];
    if (after.problems.length === 0 && sameGraph(graphOf(before), graphOf(after))) result = next;
  }
  return result;
}

/** The text without the comments that a side has added. */
function uncommented(text: string): string {
  return text.replace(/^ *# (ours|theirs) \d\r?\n/gm, "");
}

/** The text with one side of every conflict. */
function taking(side: "ours" | "theirs", text: string): string {
  return text.replace(/^<<<<<<< ours\r?\n([\s\S]*?)^=======\r?\n([\s\S]*?)^>>>>>>> theirs\r?\n/gm, (_, ours, theirs) =>
    side === "ours" ? ours : theirs,
  );
}

/**
 * Changes of a side that are missing from a text. An edge without an ID is named by its position, which a merge may
 * change.
 */
function missing(base: Graph, side: Graph, result: Graph): string[] {
  const lost: string[] = [];
  // An edge that both sides added may have more fields than this side wrote.
  const isEdge = (edge: GraphEdge, element: GraphEdge) =>
    base.edges.has(element.id)
      ? sameElement({ ...edge, id: element.id }, element)
      : Object.keys(element).every((name) => name === "id" || sameJson(get(edge, name), get(element, name)));
  for (const part of ["nodes", "edges", "variables"] as const) {
    for (const [id, element] of side[part]) {
      if (part === "edges" && [...result.edges.values()].some((edge) => isEdge(edge, element as GraphEdge))) continue;
      const [before, after] = [base[part].get(id), result[part].get(id)];
      if (!before && !after) lost.push(`${part} ${id}`);
      else if (before && !after) {
        if (!sameElement(before, element)) lost.push(`${part} ${id} changed`);
      } else
        for (const name of Object.keys(element))
          if (
            !sameJson(get(element, name), get(before ?? {}, name)) &&
            !sameJson(get(element, name), get(after as object, name))
          )
            lost.push(`${part} ${id}.${name}`);
    }
    for (const id of base[part].keys())
      if (!side[part].has(id) && result[part].has(id)) lost.push(`${part} ${id} removed`);
  }
  for (const key of ["persona", "entry"] as const)
    if (side[key] !== base[key] && result[key] !== side[key]) lost.push(key);
  // What both sides added to the outputs is all there.
  const has = ({ outputs }: Graph, output: object) => outputs.some((other) => sameElement(other, output));
  if (!side.outputs.every((output) => has(base, output) || has(result, output))) lost.push("outputs");
  return lost;
}

function get(element: object, name: string): unknown {
  return (element as Record<string, unknown>)[name] ?? null;
}

const read = (text: string) => graphOf(documentOf(text));

/** A side that removed a node and kept an edge to it left that gap before the merge. */
function leavesGap({ at, uses }: Conflict, remover: Graph): boolean {
  return uses !== undefined && at.kind === "node" && [...remover.edges.values()].some(({ target }) => target === at.id);
}

test("without a conflict, the merged file has the merged graph; comments of both sides are always kept", () => {
  let plain = 0;
  let conflicting = 0;
  fc.assert(
    fc.property(triples, ({ base, ours, theirs }) => {
      const graphs = mergeGraphs(read(base), read(ours), read(theirs));
      const { text, conflicts } = mergeTexts(base, ours, theirs);
      const comments = [...ours.matchAll(/# ours \d/g), ...theirs.matchAll(/# theirs \d/g)];
      for (const [comment] of comments) assert.ok(text.includes(comment), `${comment} is missing`);
      if (graphs.conflicts.length === 0) {
        plain++;
        // A comment in an element that the other side removed is a conflict, though the graphs have none.
        if (conflicts > 0 && mergeTexts(base, uncommented(ours), uncommented(theirs)).conflicts > 0) conflicting++;
      }
      if (conflicts > 0) return;
      const gap = graphs.conflicts.find((each) => leavesGap(each, read(each.ours === undefined ? ours : theirs)));
      if (gap) return;
      assert.deepEqual(graphs.conflicts, []);
      assert.deepEqual(documentOf(text).problems, []);
      assert.ok(sameGraph(read(text), graphs.graph));
    }),
    { numRuns: runs },
  );
  // One in twenty, plus three standard deviations: a merge that gives up easily has many times that.
  const most = plain * 0.05 + 3 * Math.sqrt(plain * 0.05 * 0.95);
  assert.ok(conflicting <= most, `${conflicting} of ${plain} merges were conflicts without need`);
});

test("either side of the conflicts has everything that side changed", () => {
  fc.assert(
    fc.property(triples, ({ base, ours, theirs }) => {
      const { text } = mergeTexts(base, ours, theirs);
      for (const [side, own] of [
        ["ours", ours],
        ["theirs", theirs],
      ] as const) {
        const lost = missing(read(base), read(own), read(taking(side, text)));
        assert.deepEqual(
          lost.filter((each) => !each.endsWith("removed")),
          [],
          side,
        );
      }
    }),
    { numRuns: runs },
  );
});
