/** Shows calls as rows: callee, time, duration, and outcome. */
import { l10n } from "vscode";
import { type Call, type CallEndedReason, safeText } from "../../../platform";
import type { Row } from "../../ui/row";
import { ago, clockTime, moment, plainWords } from "../../ui/words";
import type { CallList } from "./list";

/** Icons for outcomes: success, failure, or neutral. */
const endings: ReadonlyMap<string, readonly [icon: string, color?: string]> = new Map<
  CallEndedReason,
  [string, string?]
>([
  ["ENDED", ["pass", "charts.green"]],
  ["SCHEDULER", ["calendar", "charts.green"]],
  ["WARM_TRANSFER", ["person-add", "charts.green"]],
  ["TEXT_CONSENT", ["comment", "charts.green"]],
  ["CALL_AGAIN", ["debug-restart", "charts.blue"]],
  ["NO_ANSWER", ["bell-slash"]],
  ["LEFT_VOICEMAIL", ["mail"]],
  ["LINE_BUSY", ["circle-slash"]],
  ["NOT_INTERESTED", ["thumbsdown", "list.warningForeground"]],
  ["DNC", ["stop-circle", "charts.red"]],
  ["BAD_NUMBER", ["error", "charts.red"]],
  ["FRAUD", ["shield", "charts.red"]],
]);

const LIVE = ["pulse", "charts.green"] as const;
const UNKNOWN: readonly [string, string?] = ["call-outgoing"];

/** A call is live until it has an end time or reason. The status isn't used, because not all of its values are known. */
export function isLive(call: Call): boolean {
  return !call.callEndedAt && !call.callEndedReason;
}

export function callerName(call: Call): string {
  const name = [call.firstName, call.lastName].filter(Boolean).join(" ");
  return safeText(name || call.phone || call.email || call.id, 80);
}

export function callRows(list: CallList, now: number): readonly Row[] {
  const rows: Row[] = list.calls.map((call) => callRow(call, now));
  if (list.next)
    rows.push({
      id: "more",
      label: l10n.t("Load More…"),
      description: l10n.t("{0} loaded", list.calls.length),
      icon: "fold-down",
      context: "more",
      command: { command: "assistantFlow.calls.loadMore", title: l10n.t("Load More") },
    });
  return rows;
}

function callRow(call: Call, now: number): Row {
  const { callDuration, callEndedReason, status } = call;
  const [icon, color] = isLive(call) ? LIVE : (endings.get(callEndedReason ?? "") ?? UNKNOWN);
  const state = isLive(call) ? (status ?? l10n.t("in progress")) : (callEndedReason ?? status);
  return {
    id: `call/${call.id}`,
    label: callerName(call),
    description: [
      ago(call.callStartedAt ?? call.createdAt, now),
      ...(callDuration ? [clockTime(callDuration)] : []),
      ...(state ? [plainWords(state)] : []),
    ].join(" · "),
    icon,
    color,
    context: isLive(call) ? "call live" : "call",
    copy: call.id,
    thing: call,
    command: { command: "assistantFlow.openCall", title: l10n.t("Open Call"), arguments: [call.id, true] },
    facts: () => [
      [l10n.t("Phone:"), call.phone],
      [l10n.t("Email:"), call.email],
      [l10n.t("Started:"), moment(call.callStartedAt ?? call.createdAt, now)],
      [l10n.t("Duration:"), call.callDuration === undefined ? undefined : clockTime(call.callDuration)],
      [l10n.t("End reason:"), call.callEndedReason && plainWords(call.callEndedReason)],
      [l10n.t("Ended by:"), call.callEndedBy && plainWords(call.callEndedBy)],
      [l10n.t("Status:"), call.status],
      [l10n.t("Tag:"), call.tag],
      [l10n.t("Summary:"), call.summary],
      [l10n.t("Lead:"), call.customerLeadId],
      ["ID:", call.id],
    ],
  };
}
