/**
 * How long the sidebar blocks the extension host with many calls loaded: `npm run bench:sidebar`. Measures all our code
 * that runs when the view is expanded or refreshed; VS Code requests every row of an open level at once, so long lists
 * are grouped. The unit is processor time, including garbage collection.
 */
import "../test/support/vscode";
import { countThings, foldLong, idsForDuplicates } from "../client/ui/row";
import { type CallList, withMore, withNewest } from "../client/views/calls/list";
import { callRows } from "../client/views/calls/rows";
import { treeItem } from "../client/views/drawing";
import { CALL_ENDED_REASONS, type Call } from "../platform";
import { median, timeOf } from "./measure";

const COUNT = 10_000;
const LIMIT_MS = 100;

const calls: Call[] = Array.from({ length: COUNT }, (_, index) => ({
  id: `call-${index}`,
  firstName: "Anna",
  lastName: `Berg ${index}`,
  phone: `+1518555${String(index).padStart(5, "0")}`,
  createdAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
  callDuration: index % 600,
  callEndedReason: CALL_ENDED_REASONS[index % CALL_ENDED_REASONS.length],
  status: "COMPLETED",
  transcript: Array.from({ length: 12 }, (_, id) => ({
    id,
    text: "A sentence of the usual length.",
    user: "assistant",
  })),
}));
const page = { calls: calls.slice(0, 25), nextCursorId: { id: "call-24" } };
const newer = {
  calls: [{ ...calls[0], id: "new", createdAt: "2026-06-01T00:00:00Z" } as Call, ...page.calls.slice(0, 24)],
  nextCursorId: { id: "call-23" },
};
const loaded: CallList = { calls, next: undefined };

/** The work of drawing a view: its rows, and the items of all open levels. */
const draw = (list: CallList) => {
  const rows = foldLong(callRows(list, Date.now()), "calls");
  const others = idsForDuplicates(rows);
  return [countThings(rows), rows.map((row) => treeItem(row, others.get(row)))];
};
const lastGroup = foldLong(callRows(loaded, Date.now()), "calls").at(-1)?.children ?? [];
if (lastGroup.length !== 1000) throw new Error("The last group should hold a thousand calls.");

const steps: Record<string, () => unknown> = {
  expand: () => draw(loaded),
  "open a folded group": () => lastGroup.map((row) => treeItem(row)),
  "refresh, nothing new": () => withNewest(loaded, page),
  "refresh, a new call": () => draw(withNewest(loaded, newer)),
  "load more": () => draw(withMore({ calls: calls.slice(25), next: { id: "x" } }, page)),
};

let slow = 0;
for (const [name, run] of Object.entries(steps)) {
  for (let round = 0; round < 5; round++) run();
  const times = Array.from({ length: 15 }, () => timeOf(run).processor);
  const isSlow = median(times) >= LIMIT_MS;
  if (isSlow) slow++;
  const figures = `median ${median(times).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms`;
  console.log(`${isSlow ? "✖" : "✔"} ${COUNT} calls, ${name}: ${figures} (limit ${LIMIT_MS})`);
}
process.exitCode = slow > 0 ? 1 : 0;
