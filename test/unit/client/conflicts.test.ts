import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesAt, choicesOf, decidedIn, sideText, whole } from "../../../client/sync/conflicts";

const FLOW = "file:///a.flow.yaml";

test("a resolved conflict is marked on its line until the others are resolved", () => {
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } };
  const conflict = { key: "a", message: "Both changed name.", base: "x", ours: "y", theirs: "Hello", range };
  const side = "theirs" as const;
  const shown = (open: Parameters<typeof decidedIn>[1]) =>
    decidedIn(new Map([["a", { conflict, side }]]), open).map(({ renderOptions }) => renderOptions?.after?.contentText);
  assert.deepEqual(shown([]), ["  decided: use platform"]);
  assert.deepEqual(shown([{ ...conflict, key: "b" }]), ["  decided: use platform"]);
  assert.deepEqual(shown([conflict]), [], "it is open again");
  const mine = decidedIn(new Map([["a", { conflict, side: "ours" as const }]]), []);
  assert.equal(mine[0]?.renderOptions?.after?.contentText, "  decided: keep mine");
  assert.deepEqual(decidedIn(undefined, [conflict]), []);
});

test("the choices of a conflict are code actions on its line", () => {
  const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 4 } });
  const both = { message: "Both changed name.", base: "x", ours: "y" };
  const conflicts = [
    { ...both, key: "a", theirs: "Hello", range: at(3) },
    { ...both, key: "b", theirs: "Bye", range: at(5) },
  ];
  const offered = (first: number, last: number) =>
    choicesAt(choicesOf(FLOW, conflicts, undefined), first, last).map(({ title, arguments: args }) => [
      title,
      args?.[1],
      args?.[2],
    ]);
  assert.deepEqual(offered(3, 3), [
    ["Keep Mine", ["a"], "ours"],
    ['Use Platform: "Hello"', ["a"], "theirs"],
  ]);
  assert.deepEqual(offered(4, 4), []);
  assert.equal(offered(0, 9).length, 4);
});

test("a decision can be changed while other conflicts are open", () => {
  const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 4 } });
  const conflict = { key: "a", message: "Both changed name.", base: "x", ours: "y", theirs: "Hello", range: at(3) };
  const other = { ...conflict, key: "b", range: at(5) };
  const titles = (side: "ours" | "theirs", open: readonly (typeof conflict)[]) =>
    choicesAt(choicesOf(FLOW, open, new Map([["a", { conflict, side }]])), 3, 3).map(({ title }) => title);
  assert.deepEqual(titles("ours", [other]), ['Use Platform: "Hello"']);
  assert.deepEqual(titles("theirs", [other]), ["Keep Mine"]);
  assert.deepEqual(titles("ours", [conflict, other]), ["Keep Mine", 'Use Platform: "Hello"'], "it is open again");
  assert.deepEqual(titles("ours", []), []);
});

test("a conflict over several lines is marked, and offers its choices, on each of them", () => {
  const values = { message: "Both changed instructions.", base: "x", ours: "y", theirs: "Hello" };
  // The span of a block scalar ends where the next line starts.
  for (const end of [
    { line: 6, character: 0 },
    { line: 5, character: 12 },
  ]) {
    const conflict = { ...values, key: "a", range: { start: { line: 3, character: 20 }, end } };
    const offered = (line: number) => choicesAt(choicesOf(FLOW, [conflict], undefined), line, line).length;
    assert.deepEqual([2, 3, 4, 5, 6].map(offered), [0, 2, 2, 2, 0]);
    const [marked] = whole(conflict) as unknown as { range: { given: number[] } }[];
    assert.deepEqual(marked?.range.given, [3, 0, 5, 0]);
  }
  assert.deepEqual(whole(values), []);
});

test("a long value of the platform is shortened to the words that differ", () => {
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } };
  const title = (ours: string, theirs: string) =>
    choicesOf(FLOW, [{ key: "a", message: "", base: "", ours, theirs, range }], undefined)[0]?.commands[1]?.title;
  const start = "Welcome the caller and ask how you can help them";
  assert.equal(title(`${start} today.`, `${start} tomorrow.`), 'Use Platform: "…how you can help them tomorrow."');
  assert.equal(title(`${start} today.`, start), 'Use Platform: "…and ask how you can help them"');
  assert.equal(title("Hello.", `${start} today.`), 'Use Platform: "Welcome the caller and ask how you can …"');
  const long = title(`${start} a`, `${start} ${"b ".repeat(100)}`);
  assert.match(String(long), /^Use Platform: "…help them b .*…"$/);
  assert.ok(String(long).length < 60, long);
});

test("a decided conflict over several lines stays marked on each of them", () => {
  const range = { start: { line: 3, character: 20 }, end: { line: 6, character: 0 } };
  const conflict = { key: "a", message: "Both changed it.", base: "x", ours: "y", theirs: "z", range };
  const marked = decidedIn(new Map([["a", { conflict, side: "ours" as const }]]), []);
  const lines = (marked as unknown as { range: { given: number[] } }[]).map(({ range: { given } }) => given);
  assert.deepEqual(lines, [
    [3, 0, 3, 0],
    [4, 0, 5, 0],
  ]);
});

test("a side without a value has removed the element, or hasn't set the field", () => {
  const sides = { ours: "", theirs: "type: end" };
  assert.equal(sideText({ ...sides, isElement: true }, "ours", 70), "(removed)");
  assert.equal(sideText(sides, "ours", 70), "(not set)");
  assert.equal(sideText(sides, "theirs", 70), "type: end");
});

test("two long values are both shortened to the words that differ", () => {
  const start =
    "You are Riley, the voice of a support line. You are calm, brief and honest. You never guess an amount.";
  const short = (ours: string, theirs: string) => sideText({ ours, theirs }, "ours", 70);
  assert.equal(short(`${start} You smile.`, `${start} You whisper.`), "…honest. You never guess an amount. You smile.");
  assert.equal(
    short(`${start} You whisper.`, `${start} You smile.`),
    "…honest. You never guess an amount. You whisper.",
  );
  assert.equal(short("Say\n$(name).", ""), "Say $ (name).");
  assert.ok(short(start.repeat(9), `${start}.`).length <= 71);
});
