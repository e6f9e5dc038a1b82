/** Text of the pages: CSV, Markdown, labels, and which turns of a call link to a node. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import type { EmbeddingCostRow } from "../../../platform";
import { linkTurns } from "../../../server/features/graph/turns";
import { toMarkdown } from "../../../webview/call/markdown";
import { duration, shown, when, words } from "../../../webview/page/words";
import { columns, numberOf, sorted, toCsv } from "../../../webview/spend/rows";

const row = (kb_id: string, total_cost_usd: number, failed = 0): EmbeddingCostRow => ({
  ...{ kb_id, total_cost_usd, input_tokens: 10, invocations: 2, failed },
});

test("rows sort by any column in both directions, and a missing value counts as zero", () => {
  const rows = [row("b", 2), row("a", 10), { kb_id: "c" } as EmbeddingCostRow];
  const order = (key: string, down: boolean) =>
    sorted(rows, key, down)
      .map(({ kb_id }) => kb_id)
      .join("");
  assert.deepEqual([order("total_cost_usd", true), order("total_cost_usd", false)], ["abc", "cba"]);
  assert.deepEqual([order("kb_id", false), order("kb_id", true)], ["abc", "cba"]);
  assert.equal(numberOf({ kb_id: "x", failed: Number.NaN } as EmbeddingCostRow, "failed"), 0);
  assert.deepEqual(
    columns.map(({ key }) => key),
    ["kb_id", "total_cost_usd", "input_tokens", "invocations", "failed"],
  );
});

test("CSV: quoted where needed, and no cell is a formula", () => {
  assert.equal(
    toCsv([row('a,"b"\n', 0.5), row("=cmd|'/c calc'!A1", 1), row("@x", 1), row("-1+2", 1), row("+1", 1)]),
    [
      "kb_id,total_cost_usd,input_tokens,invocations,failed",
      '"a,""b""\n",0.5,10,2,0',
      "'=cmd|'/c calc'!A1,1,10,2,0",
      "'@x,1,10,2,0",
      "'-1+2,1,10,2,0",
      "'+1,1,10,2,0",
      "",
    ].join("\r\n"),
  );
});

test("a call as Markdown contains the transcript as inert text", () => {
  const text = toMarkdown({
    ...{
      id: "c1",
      firstName: "Jo",
      lastName: "*Lee*",
      status: "COMPLETED",
      summary: "Asked\nabout [x](y).",
      callDuration: 75,
    },
    ...{ callEndedReason: "CUSTOMER_ENDED_CALL", variables: { plan: "plus" }, disclosures: ["Recorded."] },
    transcript: [{ id: 1, user: "agent", text: "<b>Hello</b>\n# there", created_at: "not a date" }],
  } as Parameters<typeof toMarkdown>[0]);
  assert.match(text, /^# Call with Jo \\\*Lee\\\*\n/);
  assert.match(text, /- Duration: 1 min 15 s\n- End reason: Customer ended call\n/);
  assert.match(text, /Asked about \\\[x\\\]\\\(y\\\)\./);
  assert.match(text, /- \*\*Agent\*\* \(not a date\): \\<b\\>Hello\\<\/b\\> \\# there\n/);
  assert.match(text, /## Variables\n\n- plan: plus\n\n## Disclosures\n\n- Recorded\.\n$/);
  assert.doesNotMatch(toMarkdown({ id: "x" }), /undefined|null/);
});

test("values are described: unknown ones unchanged, missing ones as a dash", () => {
  assert.deepEqual([words("NO_ANSWER"), words(undefined), words("")], ["No answer", "–", "–"]);
  assert.deepEqual([shown(null), shown(0), shown(false), shown({ a: 1 })], ["–", "0", "false", '{"a":1}']);
  assert.deepEqual(
    [duration(undefined), duration(0), duration(61), duration(Number.NaN)],
    ["–", "0 s", "1 min 1 s", "–"],
  );
  assert.equal(when("soon"), "soon");
});

const flow = (name: string) =>
  FlowDocument.read(`entry: ${name}
nodes:
  ${name}:
    type: message
    instructions: Welcome to the billing line, how can I help?
  ask_${name}:
    type: collect
    variable: account_id
    instructions: Ask for it.
`);

test("a turn links to a node only if it's certain", () => {
  const one = [{ uri: "one", document: flow("greet") }];
  const turns = [
    { user: "agent", text: "Welcome to the billing  line, how can I help?" },
    { user: "agent", text: "Ask for it." },
    { user: "user", text: "It is AC-7731, please." },
    { user: "user", text: "AC-77310 is another one." },
    { user: "user", text: "Hello." },
  ];
  const links = linkTurns(turns, { account_id: "AC-7731" }, one);
  assert.deepEqual(
    links.map(({ turn, node }) => [turn, node]),
    [
      [0, "greet"],
      [2, "ask_greet"],
    ],
  );
  const both = [...one, { uri: "two", document: flow("other") }];
  assert.deepEqual(linkTurns(turns, { account_id: "AC-7731" }, both), [], "two flows could be meant");
  assert.deepEqual(linkTurns(turns, { account_id: "AC" }, one).length, 1, "a short value proves nothing");
  assert.deepEqual(linkTurns(turns, { account_id: { deep: 1 } }, one).length, 1);
});
