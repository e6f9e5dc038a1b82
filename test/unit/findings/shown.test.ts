/** More problems than an editor shows: which are left out, and how that is reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnosticsIn, FlowDocument, problemOf, type Severity, tallyOf } from "../../../flow";
import { mostSevere } from "../../../flow/findings";
import { DiagnosticList } from "../../../server/diagnostics/diagnostic-list";
import { Converter } from "../../../server/protocol/to-protocol";
import { pick, seeded } from "../run/random-flows";

const many = (count: number, code: string, severity: Severity) =>
  Array.from({ length: count }, (_, index) => ({ code, severity, index }));

test("a thousand are all shown, without a note", () => {
  const all = many(1000, "may-be-unset", "warning");
  assert.deepEqual(mostSevere([all]), { shown: [all] });
  assert.deepEqual(mostSevere([all.slice(600), all.slice(0, 600)]), { shown: [all.slice(600), all.slice(0, 600)] });
});

test("the least severe are omitted, the last ones first, and one line counts them by rule", () => {
  const hints = many(300, "unused-variable", "hint");
  const warnings = many(1500, "may-be-unset", "warning");
  const infos = many(300, "duplicate-instructions", "info");
  const errors = many(3, "unknown-target", "error");
  const counted = {
    code: "more-problems",
    severity: "info",
    message:
      '1103 more problems aren\'t shown: 503 may-be-unset, 300 duplicate-instructions, 300 unused-variable. Run "assistant-flow check" to list them all.',
    span: { start: 0, end: 0 },
  };
  // In file order, the errors come last.
  const one = mostSevere([[...hints, ...warnings, ...infos, ...errors]]);
  assert.deepEqual(one, { shown: [[...warnings.slice(0, 997), ...errors]], rest: counted });
  const several = mostSevere([[...hints, ...warnings], [], infos, errors]);
  assert.deepEqual(several, { shown: [warnings.slice(0, 997), [], [], errors], rest: counted });
});

test("errors are never omitted", () => {
  const errors = many(2500, "unknown-target", "error");
  const { shown, rest } = mostSevere([many(1, "may-be-unset", "warning"), errors]);
  assert.deepEqual(shown, [[], errors]);
  assert.match(rest?.message ?? "", /^1 more problem isn't shown: 1 may-be-unset\./);
  assert.deepEqual(mostSevere([errors]), { shown: [errors] });
});

test("after any edit, the list and the counts equal those of a fresh parse", () => {
  const random = seeded(7);
  const node = (n: number) =>
    `  n${n}:\n    type: tool\n    instructions: Step ${n}, or call 518-555-0${100 + (n % 900)}.\n    edges: [{to: n${n + 1}, when: so}, {to: nowhere_${n}}]\n`;
  const nodes = Array.from({ length: 260 }, (_, n) => node(n)).join("");
  const text = `entry: n0\nnodes:\n${nodes}  n260: {type: end}\n`;
  const edits: readonly ((at: number) => readonly [number, string])[] = [
    () => [0, "x"],
    () => [1, ""],
    () => [0, "{{"],
    (at) => [0, `\n${node(1000 + at)}`],
    () => [90, ""],
    () => [0, " # flow-ignore hardcoded-phone\n"],
    () => [4, "n3"],
  ];
  const document = FlowDocument.read(text);
  const settings = {};
  const newList = () => new DiagnosticList(true, () => undefined);
  const list = newList();
  const shownIn = (each: FlowDocument, isFresh: boolean) => {
    const found = diagnosticsIn(each, settings);
    const { shown, rest } = mostSevere([found], isFresh ? undefined : tallyOf(found));
    const said = (shown[0] ?? []).map((one) => ({
      code: one.code,
      message: one.message,
      span: problemOf(each, one).span,
    }));
    const sources = { around: [], found, notes: [], findings: [] };
    const { items } = (isFresh ? newList() : list).update(sources, new Converter("file:///a.flow.yaml", each, "utf-8"));
    return { said, rest: rest?.message, items };
  };
  let cut = 0;
  let known = 0;
  for (let round = 0; round < 30; round++) {
    const at = Math.floor(random() * document.length);
    const [removed, added] = pick(random, edits)(at);
    const end = Math.min(document.length, at + removed);
    const undo = { start: at, end: at + added.length, text: document.text.slice(at, end) };
    for (const edit of [{ start: at, end, text: added }, undo]) {
      document.edit([edit]);
      const live = shownIn(document, false);
      assert.deepEqual(live, shownIn(FlowDocument.read(document.text), true));
      if (live.rest) cut++;
      if (tallyOf(diagnosticsIn(document, settings))) known++;
    }
    // Some edits remain.
    const words = document.text.indexOf("Step", at);
    if (words > 0) document.edit([{ start: words, end: words, text: "Say. " }]);
  }
  assert.ok(cut > 20, `cut ${cut} times`);
  assert.ok(known > 10, `known ${known} times`);
});

test("nothing is left of an emptied text, with any settings", () => {
  const text = "entry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n";
  const [mine, yours] = [{}, {}];
  for (const [first, second] of [
    [mine, mine],
    [mine, yours],
  ] as const) {
    const document = FlowDocument.read(text);
    assert.notEqual(diagnosticsIn(document, first).length, 0);
    document.edit([{ start: 0, end: text.length, text: "" }]);
    assert.deepEqual(
      diagnosticsIn(document, second).map(({ code }) => code),
      diagnosticsIn(FlowDocument.read(""), second).map(({ code }) => code),
    );
  }
});

test("an edit of text recomputes only the positions that it changed", () => {
  const nodes = Array.from(
    { length: 700 },
    (_, n) => `  n${n}: {type: message, instructions: Say it., edges: []}\n`,
  ).join("");
  const document = FlowDocument.read(`entry: n0\nnodes:\n${nodes}`);
  const settings = {};
  const list = new DiagnosticList(true, () => undefined);
  const update = () => {
    const sources = { around: [], found: diagnosticsIn(document, settings), notes: [], findings: [] };
    return list.update(sources, new Converter("file:///a.flow.yaml", document, "utf-16"));
  };
  let asked = 0;
  const { positionOf } = document;
  document.positionOf = (entry) => {
    asked++;
    return positionOf.call(document, entry);
  };
  const askedFor = (at: number, text: string) => {
    asked = 0;
    document.edit([{ start: at, end: at, text }]);
    update();
    return asked;
  };
  assert.ok(update().items.length > 700);
  const words = document.text.indexOf("Say it.", document.length / 2);
  assert.ok(askedFor(words, "Please ") < 10, `${asked} asked for`);
  // Verifies the count: another line moves everything below it.
  assert.ok(askedFor(document.text.indexOf("  n350:"), "  # Behind this.\n") > 300, `${asked} asked for`);
});
