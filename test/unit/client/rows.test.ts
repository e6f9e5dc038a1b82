import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { flowFileName } from "../../../client/new-flow";
import {
  countThings,
  factsMarkdown,
  foldLong,
  idsForDuplicates,
  neighborOf,
  plainMarkdown,
  type Row,
  rowsFromArguments,
} from "../../../client/ui/row";
import { ago, clockTime, delay, dollars, plainWords, roughly, shortId } from "../../../client/ui/words";
import { callRows } from "../../../client/views/calls/rows";
import { changedRows } from "../../../client/views/drawing";
import { eventRows } from "../../../client/views/events";
import { historyRow } from "../../../client/views/flows/history";
import { linkOf } from "../../../client/views/flows/link";
import { badgesOf, keyRows, observedScopes } from "../../../client/views/keys/rows";
import { problemRows } from "../../../client/views/problem";
import { idsIn, isOpen, ownListNote, proposal, reviewRows } from "../../../client/views/reviews/rows";
import { spendFields, spendQuery, spendRows } from "../../../client/views/spend-rows";
import { workflowRows } from "../../../client/views/workflows/rows";
import { PlatformError } from "../../../platform";
import { escapeMarkdown } from "../../../text";

const now = Date.parse("2026-03-10T12:00:00Z");
const hour = 3_600_000;
const before = (ms: number) => new Date(now - ms).toISOString();
const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);

test("times, durations and amounts are human-readable", () => {
  assert.deepEqual(
    [10_000, 5 * 60_000, 3 * hour, 50 * hour].map((ms) => ago(before(ms), now)),
    ["just now", "5 min ago", "3 h ago", "2 days ago"],
  );
  assert.equal(ago(before(-26 * hour), now), "in 26 h");
  assert.equal(ago("once upon a time", now), "once upon a time");
  assert.deepEqual([9, 92, 3725].map(clockTime), ["0:09", "1:32", "1:02:05"]);
  assert.deepEqual([0, 30, 1800, 5400, 259_200].map(delay), [
    "immediately",
    "after 30 s",
    "after 30 min",
    "after 1.5 h",
    "after 3 days",
  ]);
  assert.deepEqual([plainWords("NOT_INTERESTED"), plainWords("DNC")], ["not interested", "do not call"]);
  assert.deepEqual([dollars(0.0123), dollars(0.9446), dollars(1234.5)], ["$0.0123", "$0.94", "$1,234.50"]);
  assert.deepEqual([999, 12_345, 1_234_567].map(roughly), ["999", "12 k", "1.2 M"]);
  assert.equal(shortId("7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001"), "7b1c0d52");
});

test("platform text is inert in tooltips", () => {
  const evil =
    "<img src=x onerror=alert(1)> [click](command:evil) ![](http://evil/x) `code` **bold** www.evil.com a@evil.com http://evil";
  const text = factsMarkdown(evil, [["Why:", `${evil}\n# heading`]]);
  assert.doesNotMatch(text.replace(/\\./g, ""), /[<>`[\]()!]|https?:\/\/|www\.|@/);
  assert.doesNotMatch(text, /\n#/);
  assert.equal(escapeMarkdown("plain words"), "plain words");
  assert.equal(plainMarkdown("Synced v7", "A *b* c."), "Synced v7\n\nA \\*b\\* c.");
  assert.equal(plainMarkdown("`persona` was changed."), '"persona" was changed.');
});

test("a failed load shows what, why and what to do; an internal error shows no details", () => {
  const error = new PlatformError("unauthorized", "Could not list the calls: the key is wrong. Enter a new key.", {
    operation: "x",
  });
  const [row] = problemRows(error, "calls", "calls");
  assert.equal(row?.label, "Could not list the calls");
  assert.deepEqual(
    row?.children?.map(({ label }) => label),
    ["The key is wrong.", "Enter a new key.", "Enter API Key…", "Retry"],
  );
  assert.equal(row?.children?.at(-1)?.command?.command, "assistantFlow.calls.refresh");
  const offline = new PlatformError("network", "127.0.0.1 cannot be reached.", { operation: "x" });
  assert.equal(problemRows(offline, "keys", "API keys")[0]?.label, "Couldn't load API keys");
  // Above earlier results it is one row with the reason.
  const [above] = problemRows(offline, "keys", "API keys", { isFolded: true });
  assert.deepEqual([above?.expanded, above?.description], [false, "127.0.0.1 cannot be reached."]);
  const fault = JSON.stringify(problemRows(new TypeError("Cannot read properties of undefined"), "calls", "calls"));
  assert.doesNotMatch(fault, /Cannot read|undefined/);
});

test("reviews are grouped by type, newest first, and show the proposal", () => {
  const merge = {
    id: "m1",
    request_type: "merge",
    created_at: before(3 * hour),
    left_end_user_id: "l",
    right_end_user_id: "r",
    suggested_survivor_end_user_id: "l",
    trigger_identifier_type: "phone",
    trigger_masked_value: "•••• 1234",
  };
  const update = {
    id: "u1",
    request_type: "update",
    target_end_user_id: "t",
    proposed_identifier_type: "email",
    proposed_masked_value: "j•••@x.com",
  };
  const reason = "Two profiles of Ann Lee share a phone number.";
  assert.equal(proposal({ ...merge, reason }), "Two profiles of Ann Lee share a phone number");
  assert.equal(proposal(merge), "Merge r into l");
  assert.equal(proposal({ ...merge, suggested_survivor_end_user_id: "r" }), "Merge l into r");
  const evidence = { left: { name: "Ann Lee" }, right: { name: 7 } };
  assert.equal(proposal({ ...merge, evidence }), "Merge r into Ann Lee");
  // Differences come first, because a narrow list shows only the beginning.
  const names = { left: { name: "Ann Lee", sessions: 3 }, right: { name: "A. Lee", sessions: 1 } };
  assert.equal(proposal({ ...merge, reason, evidence: names }), "Ann Lee / A. Lee");
  const mails = { left: { name: "Ann Lee", email: "a@x" }, right: { name: "Ann Lee", email: "b@x" } };
  assert.equal(proposal({ ...merge, reason, evidence: mails }), "Ann Lee: a@x / b@x");
  assert.equal(proposal({ ...update, reason }), "email: j•••@x.com");
  assert.equal(proposal({ ...update, proposed_masked_value: "" }), "Change email of t");
  const newer = { ...merge, id: "m2", created_at: before(hour) };
  const rows = reviewRows([update, merge, newer, { id: "x", request_type: "split" }], {
    now,
    problem: (id) => (id === "u1" ? "Refused." : undefined),
  });
  assert.deepEqual(
    rows.map(({ label, description }) => `${label} ${description}`),
    ["Merge two people 2", "Update a person 1", "split 1"],
  );
  assert.deepEqual(
    rows[0]?.children?.map(({ copy }) => copy),
    ["m2", "m1"],
  );
  assert.equal(rows[0]?.children?.[0]?.description, "1 h ago · phone •••• 1234");
  const [group] = reviewRows([{ ...newer, reason }], { now, problem: () => undefined });
  assert.equal(group?.children?.[0]?.description, `1 h ago · phone •••• 1234 · ${reason}`);
  assert.match(rows[1]?.children?.[0]?.description ?? "", /^not rejected: Refused/);
  assert.deepEqual(
    [isOpen(merge), isOpen({ id: "a", resolved_at: before(1) }), isOpen({ id: "a", status: "rejected" })],
    [true, false, false],
  );
  assert.deepEqual(idsIn('a1, b2\n"c3";a1 /etc <b>'), ["a1", "b2", "c3"]);
});

test("the hover of a review names the people", () => {
  const ids = { left_end_user_id: "3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101", right_end_user_id: "r" };
  const evidence = { left: { name: "Diego Abara" } };
  const review = {
    id: "m",
    request_type: "merge",
    ...ids,
    suggested_survivor_end_user_id: ids.left_end_user_id,
    evidence,
  };
  const [group] = reviewRows([review], { now, problem: () => undefined });
  const facts = new Map((group?.children?.[0]?.facts?.() ?? []) as [string, string | undefined][]);
  assert.equal(facts.get("Left:"), "Diego Abara (3f6f1c9e)");
  assert.equal(facts.get("Right:"), "r");
  assert.equal(facts.get("Suggested to keep:"), "Diego Abara (left)");
});

test("keys carry badges", () => {
  const key = (more: object) => ({ id: "k", name: "CI", key_prefix: "afk_abc", ...more });
  const badges = (more: object, inUse = false) => badgesOf(key(more), now, inUse).join(", ");
  assert.equal(badges({ last_used_at: before(1) }), "");
  assert.equal(badges({ last_used_at: null }), "never used");
  assert.equal(badges({ last_used_at: null }, true), "in use");
  assert.equal(badges({ last_used_at: before(1), expires_at: before(1) }), "expired");
  assert.equal(badges({ last_used_at: before(1), expires_at: before(-hour) }), "expires soon");
  assert.equal(badges({ last_used_at: before(1), is_active: false }), "revoked");
  const [row] = keyRows([key({ scopes: ["agents:read"] })], now, () => true);
  assert.match(row?.context ?? "", /in-use/);
  assert.ok(observedScopes([key({ scopes: ["odd:scope"] })], []).includes("odd:scope"));
});

test("workflows are grouped, and open to their steps in order", () => {
  const workflow = {
    id: "w",
    name: "Welcome",
    active: true,
    startHour: 9,
    endHour: 17,
    timezone: "UTC",
    steps: [
      { id: "s2", order: 2, type: "CALL", delayInSecs: 1800, needsTCPACompliance: true, finishOn: ["ENDED"] },
      { id: "s1", order: 1, type: "CALL" },
    ],
  };
  const rows = workflowRows([workflow, { id: "i", active: false }, { id: "?" }], now);
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["Active", "Inactive", "Unknown"],
  );
  const steps = flat(rows).find(({ label }) => label === "Steps")?.children ?? [];
  assert.deepEqual(
    steps.map(({ label }) => label),
    ["1. call", "2. call"],
  );
  assert.equal(steps[1]?.description, "after 30 min · TCPA · done when ended");
  const hours = "Within calling hours";
  assert.equal(flat(rows).find(({ label }) => label === hours)?.description, "yes, it's 12:00 there");
  assert.equal(rows[0]?.children?.[0]?.description, "within hours · 2 steps");
  const paused = workflowRows([{ ...workflow, active: false }], now)[0]?.children?.[0];
  assert.equal(paused?.children?.find(({ label }) => label === hours)?.description, "yes, it's 12:00 there");
});

test("calls show who, when, how long and how they ended, and the list ends with Load More", () => {
  const calls = [
    {
      id: "1",
      firstName: "Anna",
      lastName: "Berg",
      createdAt: before(hour),
      callDuration: 92,
      callEndedReason: "NOT_INTERESTED",
    },
    { id: "2", phone: "+1518", createdAt: before(2 * hour), status: "RINGING" },
    { id: "3", createdAt: before(3 * hour), callEndedReason: "SOMETHING_NEW" },
  ];
  const rows = callRows({ calls, next: { id: "3" } }, now);
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["Anna Berg", "+1518", "3", "Load More…"],
  );
  assert.equal(rows[0]?.description, "1 h ago · 1:32 · not interested");
  assert.equal(rows[1]?.context, "call live");
  assert.match(rows[2]?.description ?? "", /something new/);
  assert.equal(callRows({ calls, next: undefined }, now).length, 3);
  // Names that every object has.
  for (const callEndedReason of ["constructor", "__proto__", "toString"])
    assert.equal(callRows({ calls: [{ id: "1", callEndedReason }], next: undefined }, now)[0]?.icon, "call-outgoing");
});

test("events and spend", () => {
  const rows = eventRows([
    { type: "b.y", group: "b", sensitivity: "pii" },
    { type: "a.x", group: "a", sensitivity: "non_pii" },
    { type: "z" },
  ]);
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["Other", "a", "b"],
  );
  assert.deepEqual(
    [rows[0], rows[1], rows[2]].map((row) => row?.children?.[0]?.icon),
    ["lock", "broadcast", "lock"],
    "unknown counts as sensitive",
  );
  const query = spendQuery({ limit: "5", source: "query" }, now);
  assert.deepEqual(query, { start_date: "2026-02-09", end_date: "2026-03-10", source: "query", limit: 5 });
  const spend = spendRows({
    query,
    rows: [
      { kb_id: "kb", total_cost_usd: 3, input_tokens: 1, invocations: 1, failed: 0 },
      { kb_id: "kc", total_cost_usd: 1, input_tokens: 1, invocations: 1, failed: 2 },
    ],
  });
  assert.deepEqual(
    spend.map(({ label }) => label),
    ["$4.00", "kb", "kc"],
  );
  assert.equal(spend[2]?.description, "$1.00 · 25% · 2 failures");
  // The same words as on the page.
  const facts = spend[2]?.facts?.().filter(([, value]) => value !== undefined) ?? [];
  assert.deepEqual(
    facts.map(([name]) => name),
    ["Knowledge base:", "Share:", "Cost:", "Input tokens:", "Invocations:", "Failed:"],
  );
  assert.equal(facts[1]?.[1], "25% of the total shown");
  const end = spendFields.find(({ name }) => name === "end_date");
  assert.match(end?.check?.("2026-01-01", { start_date: "2026-02-01" }) ?? "", /before/);
});

test("a list of one's own reviews names the key if the platform rejected it, not the platform", () => {
  assert.match(ownListNote(true), /^This API key can't list reviews/);
  assert.match(ownListNote(false), /^This platform can't list reviews/);
});

test("a flow file shows its assistant and revision", () => {
  assert.deepEqual(linkOf('# x\nassistant: "a-1"  # mine\nrevision: b-2 # x\nnodes:\n  assistant: no'), {
    assistant: "a-1",
    revision: "b-2",
  });
  assert.deepEqual(linkOf("entry: a\nassistant:\nrevision: # none\n"), { assistant: undefined, revision: undefined });
  assert.deepEqual(["Billing line", "Süd.flow.yaml", "../../etc", "…"].map(flowFileName), [
    "billing-line.flow.yaml",
    "sud.flow.yaml",
    "etc.flow.yaml",
    "",
  ]);
});

test("a long list is folded after its first thousand, level by level, and counts and filters as before", () => {
  const list = Array.from(
    { length: 2500 },
    (_, index): Row => ({ id: `r/${index}`, label: `Row ${index}`, thing: {} }),
  );
  const more: Row = { id: "more", label: "Load More…" };
  const folded = foldLong([...list, more], "calls");
  assert.equal(folded.length, 1003);
  assert.deepEqual(
    folded.slice(1000).map(({ id, label, children }) => [id, label, children?.length]),
    [
      ["from/1,001", "Calls 1,001 to 2,000", 1000],
      ["from/2,001", "Calls 2,001 to 2,500", 500],
      ["more", "Load More…", undefined],
    ],
  );
  assert.equal(countThings(folded), 2500);
  assert.deepEqual(
    folded.flatMap((row) => row.children ?? (row.thing ? [row] : [])).map(({ id }) => id),
    list.map(({ id }) => id),
  );
  const inner = foldLong([{ id: "group/a", label: "A", children: list }], "reviews")[0]?.children ?? [];
  assert.equal(inner.length, 1002);
  assert.equal(inner[1000]?.id, "group/a/from/1,001", "two groups in one view differ by their ids");
  assert.deepEqual(foldLong(list.slice(0, 1000), "calls"), list.slice(0, 1000));
});

test("a platform that sends an id twice still gets a row for each", () => {
  const twice = callRows({ calls: [{ id: "1" }, { id: "1" }, { id: "1" }], next: undefined }, now);
  assert.deepEqual([...idsForDuplicates(twice).values()], ["call/1#2", "call/1#3"]);
  const nested: Row[] = [
    { id: "a", label: "A", children: [{ id: "b", label: "B" }] },
    { id: "b", label: "B" },
  ];
  assert.deepEqual([...idsForDuplicates(nested)], [[nested[1], "b#2"]]);
});

test("when a list is reloaded, only changed rows are redrawn", () => {
  const rows = (description: string, thing: unknown = 1): Row[] => [
    { id: "a", label: "A", children: [{ id: "b", label: "B", description, thing }] },
    { id: "c", label: "C" },
  ];
  assert.deepEqual(changedRows(rows("1 min ago"), rows("1 min ago")), []);
  assert.deepEqual(changedRows(rows("1 min ago", { x: [1] }), rows("1 min ago", { x: [1] })), []);
  assert.deepEqual(changedRows(rows("1 min ago"), rows("2 min ago")), ["b"]);
  assert.deepEqual(changedRows(rows("", { x: 1 }), rows("", { x: 2 })), ["b"], "its tooltip says it");
  const [a, c] = rows("") as [Row, Row];
  assert.deepEqual(changedRows([a, c], [{ ...a, children: [] }, c]), ["a"], "a group with other rows");
  assert.deepEqual(changedRows([a, c], [{ id: "a", label: "A" }, c]), ["a"], "a group that is none any more");
  assert.equal(changedRows([a, c], [c, a]), undefined);
  assert.equal(changedRows([a, c], [a]), undefined);
});

test("a button whose row VS Code has dropped acts on no row, not on the selected one", () => {
  const [a, b, c] = ["a", "b", "c"].map((id): Row => ({ id, label: id })) as [Row, Row, Row];
  assert.equal(rowsFromArguments([]), undefined, "a key, or the palette");
  assert.equal(rowsFromArguments([undefined]), undefined, "a button of the view, nothing focused");
  assert.deepEqual(rowsFromArguments([b]), [b]);
  assert.deepEqual(rowsFromArguments([b, [a, b]]), [a, b], "a button among those selected");
  assert.deepEqual(rowsFromArguments([c, [a, b]]), [c], "a button beside those selected");
  assert.equal(rowsFromArguments([undefined, undefined]), "lost");
  assert.equal(rowsFromArguments([null, [a]]), "lost");
});

test("after removal, the next remaining row is selected, else the previous one", () => {
  const rows = [
    { id: "group/a", label: "A", children: ["a1", "a2", "a3"].map((id) => ({ id, label: id })) },
    { id: "group/b", label: "B", children: [{ id: "b1", label: "b1" }] },
    { id: "key", label: "Key", thing: {}, children: [{ id: "key/scope", label: "scope" }] },
  ];
  const next = (...gone: string[]) => neighborOf(rows, new Set(gone));
  assert.equal(next("a1"), "a2");
  assert.equal(next("a1", "a2"), "a3");
  assert.equal(next("a3"), "b1");
  assert.equal(next("group/a"), "b1");
  assert.equal(next("b1"), "key", "a listed thing, not its first detail");
  assert.equal(next("b1", "key"), "a3");
  assert.equal(next("a1", "a2", "a3", "b1", "key"), undefined);
  assert.equal(next("elsewhere"), undefined);
});

test("the history of a flow is loaded when it's opened, and lists the newest versions", () => {
  const uri = { toString: () => "file:///a.flow.yaml" } as Parameters<typeof historyRow>[0];
  let requests = 0;
  const row = (count?: number) =>
    historyRow(
      uri,
      count === undefined
        ? undefined
        : {
            versions: Array.from({ length: count }, (_, index) => ({
              at: before(index * hour),
              by: index === 1 ? ("platform" as const) : ("push" as const),
              version: count - index,
              operations: 2,
              graph: "ab12",
              environment: "staging",
            })),
          },
      now,
      () => requests++,
    );
  const labels = ({ children = [] }: Row) => children.map(({ label, description }) => [label, description]);
  assert.deepEqual(labels(row()), [["Loading…", undefined]]);
  assert.equal(requests, 0);
  row().requested?.();
  assert.equal(requests, 1);
  assert.deepEqual(labels(row(0)), [["No versions were pushed or seen from this computer.", undefined]]);
  assert.equal(row(1).description, "1 version");
  const unread = historyRow(uri, { versions: [], problem: "The project file has errors." }, now, () => undefined);
  assert.equal(unread.description, undefined);
  assert.deepEqual(labels(unread), [["The project file has errors.", undefined]]);
  const many = labels(row(10_000));
  assert.equal(many.length, 51);
  assert.deepEqual(many.slice(0, 2), [
    ["Version 10000", "staging · just now · pushed from here, 2 operations"],
    ["Version 9999", "staging · 1 h ago · seen on the platform"],
  ]);
  assert.deepEqual(many.at(-1), ["Older versions…", "9,950"]);
  assert.equal(labels(row(50)).length, 50);
});
