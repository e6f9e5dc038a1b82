/** Calls as rows: who, when, how long, how it ended. */
import { type Call, type CallEndedReason, safeText } from "../../../platform";
import type { Row } from "../../ui/row";
import { ago, clockTime, moment, plainWords } from "../../ui/words";
import type { CallList } from "./list";

/** How a call ended, as an icon: a glance tells what went well, what did not, and what nobody can change. */
const endings: Record<CallEndedReason, readonly [icon: string, color?: string]> = {
  ENDED: ["pass", "charts.green"],
  SCHEDULER: ["calendar", "charts.green"],
  WARM_TRANSFER: ["person-add", "charts.green"],
  TEXT_CONSENT: ["comment", "charts.green"],
  CALL_AGAIN: ["debug-restart", "charts.blue"],
  NO_ANSWER: ["bell-slash"],
  LEFT_VOICEMAIL: ["mail"],
  LINE_BUSY: ["circle-slash"],
  NOT_INTERESTED: ["thumbsdown", "charts.orange"],
  DNC: ["stop-circle", "charts.red"],
  BAD_NUMBER: ["error", "charts.red"],
  FRAUD: ["shield", "charts.red"],
};

const LIVE = ["pulse", "charts.green"] as const;
const UNKNOWN: readonly [string, string?] = ["call-outgoing"];

/** A call is over when it has an end; a status alone is not trusted, since its values are not all known. */
export function isLive(call: Call): boolean {
  return !call.callEndedAt && !call.callEndedReason;
}

export function callerName(call: Call): string {
  const name = [call.firstName, call.lastName].filter(Boolean).join(" ");
  return safeText(name || call.phone || call.email || call.id, 80);
}

export function callRows(list: CallList, now: number): readonly Row[] {
  const rows = list.calls.map((call) => callRow(call, now));
  if (list.next)
    rows.push({
      id: "more",
      label: "Load More…",
      description: `${list.calls.length} loaded`,
      icon: "fold-down",
      context: "more",
      command: { command: "assistantFlow.calls.loadMore", title: "Load More" },
    });
  return rows;
}

/** Rows of calls that did not change are kept: thousands may be loaded, and one changes at a time. */
const kept = new WeakMap<Call, { readonly when: string; readonly row: Row }>();

function callRow(call: Call, now: number): Row {
  const when = ago(call.callStartedAt ?? call.createdAt, now);
  const known = kept.get(call);
  if (known?.when === when) return known.row;
  const row = newRow(call, when, now);
  kept.set(call, { when, row });
  return row;
}

function newRow(call: Call, when: string, now: number): Row {
  const live = isLive(call);
  const [icon, color] = live ? LIVE : (endings[call.callEndedReason as CallEndedReason] ?? UNKNOWN);
  const length = call.callDuration ? ` · ${clockTime(call.callDuration)}` : "";
  const state = live ? (call.status ?? "under way") : (call.callEndedReason ?? call.status);
  return {
    id: `call/${call.id}`,
    label: callerName(call),
    description: `${when}${length}${state ? ` · ${plainWords(state)}` : ""}`,
    icon,
    color,
    context: live ? "call live" : "call",
    copy: call.id,
    thing: call,
    command: { command: "assistantFlow.openCall", title: "Open the Call", arguments: [call.id, true] },
    facts: () => [
      ["Phone:", call.phone],
      ["E-mail:", call.email],
      ["Began:", moment(call.callStartedAt ?? call.createdAt, now)],
      ["Length:", call.callDuration === undefined ? undefined : clockTime(call.callDuration)],
      ["Ended:", call.callEndedReason && plainWords(call.callEndedReason)],
      ["Ended by:", call.callEndedBy && plainWords(call.callEndedBy)],
      ["Status:", call.status],
      ["Tag:", call.tag],
      ["Summary:", call.summary],
      ["Lead:", call.customerLeadId],
      ["Id:", call.id],
    ],
  };
}
