import "../../support/vscode";

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import fc from "fast-check";
import { followNotes } from "../../../client/pages/lead-page";
import { describeFilter, queryOf } from "../../../client/views/calls";
import { type CallList, nextQuery, withMore, withNewest } from "../../../client/views/calls/list";
import { hoursOf, hoursWarning } from "../../../client/views/workflows/hours";
import { leadFields, leadProblems, leadsIn } from "../../../client/views/workflows/leads";
import { callLead, progressOf, type Starting, waitForCallEnd } from "../../../client/views/workflows/start";
import {
  type Call,
  type CallPage,
  createExecutionRequest,
  type PlatformClient,
  PlatformError,
} from "../../../platform";
import { vscodeStub } from "../../support/vscode";

test("within calling hours, in the workflow's own time zone", () => {
  const workflow = { id: "w", startHour: 9, endHour: 17, timezone: "America/New_York" };
  const at = (time: string) => hoursOf(workflow, Date.parse(time))?.open;
  assert.deepEqual(
    [at("2026-01-15T13:59:00Z"), at("2026-01-15T14:00:00Z"), at("2026-01-15T21:59:00Z"), at("2026-01-15T22:00:00Z")],
    [false, true, true, false],
  );
  assert.equal(at("2026-07-15T13:00:00Z"), true, "an hour earlier in summer");
  const night = { ...workflow, startHour: 22, endHour: 6, timezone: "UTC" };
  assert.deepEqual(
    [23, 3, 12].map((hour) => hoursOf(night, Date.UTC(2026, 0, 1, hour))?.open),
    [true, true, false],
  );
  assert.equal(hoursOf({ ...workflow, timezone: "Mars/Olympus" }, 0)?.open, undefined);
  assert.equal(hoursOf({ id: "w" }, 0), undefined);
  assert.match(hoursWarning(workflow, Date.parse("2026-01-15T03:00:00Z")) ?? "", /OUTSIDE.*22:00 there.*9:00 to 17:00/);
  assert.equal(hoursWarning(workflow, Date.parse("2026-01-15T15:00:00Z")), undefined);
});

test("the form says when the calling hours begin and end while it's open", () => {
  const workflow = { id: "w", startHour: 9, endHour: 17, timezone: "UTC" };
  mock.timers.enable({ apis: ["Date", "setInterval"], now: Date.parse("2026-01-15T08:59:30Z") });
  try {
    const sent: string[] = [];
    const following = followNotes(workflow, (notes) => sent.push(...notes));
    mock.timers.tick(15_000);
    assert.deepEqual(sent, []);
    mock.timers.tick(30_000);
    assert.deepEqual(sent, ["Within the workflow's calling hours."]);
    mock.timers.tick(8 * 3_600_000);
    assert.match(sent.at(-1) ?? "", /OUTSIDE calling hours: it's 17:00 there/);
    following.dispose();
    mock.timers.tick(3_600_000);
    assert.equal(sent.length, 2);
  } finally {
    mock.timers.reset();
  }
});

test("outside of calling hours Enter doesn't call, also if they end while the question is open", async () => {
  const workflow = { id: "w", startHour: 9, endHour: 17, timezone: "UTC" };
  const starting = { session: { connection: undefined } } as unknown as Starting;
  const call = () => callLead(starting, workflow, "execution", {});
  mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-01-15T16:59:00Z") });
  try {
    const asked: string[] = [];
    vscodeStub.answer = ({ choices }) => {
      asked.push(choices.join());
      if (asked.length > 1) return undefined;
      mock.timers.tick(60_000);
      return "Call Now";
    };
    assert.equal(await call(), "declined");
    assert.deepEqual(asked, ["Call Now", "Show Workflow,Call Now"]);
  } finally {
    mock.timers.reset();
  }
});

test("the progress of a call says who spoke", () => {
  const after = (user: string) => progressOf({ id: "c", transcript: [{ user, text: "Hello." }] } as unknown as Call);
  assert.deepEqual(["assistant", "user", "front_desk", "system"].map(after), [
    'Assistant said "Hello."',
    'Caller said "Hello."',
    'Front desk said "Hello."',
    "Hello.",
  ]);
});

test("the form has every field of the document", () => {
  assert.deepEqual(leadFields.map(({ name }) => name).sort(), Object.keys(createExecutionRequest().shape).sort());
});

test("leads are imported from common JSON and CSV", () => {
  const anna = { firstName: "Anna", lastName: "Berg, Jr.", primaryPhone: "+1518", zipcode: "12207" };
  assert.deepEqual(leadsIn(JSON.stringify(anna)), [anna]);
  assert.deepEqual(leadsIn(JSON.stringify([{ first_name: "Anna", Phone: 1518, other: "x" }, 7, null, []])), [
    { firstName: "Anna", primaryPhone: "1518" },
  ]);
  assert.deepEqual(leadsIn('[{"constructor": "x", "__proto__": "y", "phone": "1518"}]'), [{ primaryPhone: "1518" }]);
  assert.deepEqual(leadsIn('First Name,Last Name,Phone Number,Zip\r\nAnna,"Berg, Jr.",+1518,12207\r\n\r\n'), [anna]);
  assert.deepEqual(leadsIn('firstName;city\n"A ""B""";"New\nYork"'), [{ firstName: 'A "B"', city: "New\nYork" }]);
  assert.deepEqual(leadsIn("firstName\tphone\nAnna\t1518"), [{ firstName: "Anna", primaryPhone: "1518" }]);
  for (const none of ["", "[", "hello", "a,b\n1,2", "entry: greet\nnodes:\n"])
    assert.deepEqual(leadsIn(none), [], none);
  assert.deepEqual(Object.keys(leadProblems({ email: "x" })), ["primaryPhone", "email"]);
});

test("any table of leads survives CSV", () => {
  const text = fc
    .string({ unit: fc.constantFrom("a", "B", ",", '"', "\n", ";", " ", "ü") })
    .map((value) => `x${value}x`);
  const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.record({ firstName: text, city: text }, { noNullPrototype: true }), { minLength: 1, maxLength: 5 }),
      (leads) => {
        const csv = [
          "firstName,city",
          ...leads.map(({ firstName, city }) => `${quote(firstName)},${quote(city)}`),
        ].join("\r\n");
        assert.deepEqual(leadsIn(csv), leads);
      },
    ),
  );
});

/** A platform with some calls, newest first, in pages. */
function pagesOf(calls: readonly Call[], size: number) {
  return (query: { id?: string }): CallPage => {
    const start = query.id === undefined ? 0 : calls.findIndex(({ id }) => id === query.id) + 1;
    const page = calls.slice(start, start + size);
    const last = page.at(-1);
    return {
      calls: page,
      ...(last && start + size < calls.length
        ? { nextCursorId: { id: last.id, createdAt: last.createdAt ?? "" } }
        : {}),
    };
  };
}
const call = (index: number): Call => ({ id: `c${index}`, createdAt: new Date(1e12 + index * 1000).toISOString() });

test("in any order of pages and new calls, each call is listed once, newest first, without gaps", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.array(fc.oneof(fc.constant("more" as const), fc.integer({ min: 0, max: 12 })), { maxLength: 12 }),
      (begin, steps) => {
        let all = Array.from({ length: begin }, (_, index) => call(begin - index));
        let list: CallList = withNewest(undefined, pagesOf(all, 5)({}));
        for (const step of steps) {
          if (step === "more") {
            if (list.next) list = withMore(list, pagesOf(all, 5)(nextQuery({}, list)));
          } else {
            const top = all.length;
            all = [...Array.from({ length: step }, (_, index) => call(top + step - index)), ...all];
            list = withNewest(list, pagesOf(all, 5)({}));
          }
          assert.deepEqual(
            list.calls.map(({ id }) => id),
            all.slice(0, list.calls.length).map(({ id }) => id),
          );
          if (!list.next) assert.equal(list.calls.length, all.length);
        }
      },
    ),
  );
});

test("a refresh updates a call; a server that repeats pages ends the list", () => {
  const list = withNewest(
    { calls: [call(2), call(1)], next: undefined },
    { calls: [{ ...call(2), status: "COMPLETED" }] },
  );
  assert.deepEqual(
    list.calls.map(({ status }) => status),
    ["COMPLETED", undefined],
  );
  const again = withMore({ calls: [call(1)], next: { id: "c1" } }, { calls: [call(1)], nextCursorId: { id: "c1" } });
  assert.equal(again.next, undefined);
});

test("a filter becomes a query and a description", () => {
  assert.deepEqual(queryOf({ status: " ", tag: "SINGLE", createdAt: "2026-01-01T00:00:00Z" }), {
    tag: "SINGLE",
    createdAt: "2026-01-01T00:00:00Z",
  });
  assert.match(queryOf({ createdAt: "2026-01-01T00:00" }).createdAt ?? "", /Z$/);
  assert.equal(describeFilter({}), undefined);
  assert.equal(describeFilter({ callEndedReason: "NO_ANSWER", tag: "SINGLE" }), "ended reason no answer, tag SINGLE");
});

test("an execution is followed to the end of its call, despite failures, for a limited time", async () => {
  const seen: (string | undefined)[] = [];
  let looks = 0;
  const states = ["INITIATED", "RINGING", "IN_PROGRESS"];
  const client = {
    listCalls: async () => ({
      calls: looks++ < 2 ? [{ id: "other" }] : [{ id: "mine", workflowExecutionId: "e", status: states[0] }],
    }),
    getCall: async () => {
      looks++;
      if (looks === 5) throw new PlatformError("server", "No.", { operation: "x" });
      return looks < 7
        ? { id: "mine", status: states[1] }
        : { id: "mine", status: "COMPLETED", callEndedReason: "ENDED" };
    },
  } as unknown as PlatformClient;
  const pause = async () => undefined;
  const ended = await waitForCallEnd(
    client,
    "e",
    new AbortController().signal,
    (found) => seen.push(found?.status),
    pause,
  );
  assert.equal(ended?.callEndedReason, "ENDED");
  assert.deepEqual(seen, [undefined, undefined, "INITIATED", "RINGING", "RINGING", "COMPLETED"]);
  const never = { listCalls: async () => ({ calls: [] }) } as unknown as PlatformClient;
  assert.equal(await waitForCallEnd(never, "e", new AbortController().signal, () => undefined, pause), undefined);
});
