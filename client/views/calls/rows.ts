/** Shows calls as rows: callee, time, duration, and outcome. */
import { l10n } from "vscode";
import { type Call, type CallEndedReason, safeText } from "../../../platform";
import type { Fact, Row } from "../../ui/row";
import { ago, clockTime, moment, plainWords } from "../../ui/words";
import type { CallList } from "./list";

/** Icons for outcomes: success, failure, or neutral. */
const endings: Record<CallEndedReason, readonly [icon: string, color?: string]> = {
  ENDED: ["pass", "charts.green"],
  SCHEDULER: ["calendar", "charts.green"],
  WARM_TRANSFER: ["person-add", "charts.green"],
  TEXT_CONSENT: ["comment", "charts.green"],
  CALL_AGAIN: ["debug-restart", "charts.blue"],
  NO_ANSWER: ["bell-slash"],
  LEFT_VOICEMAIL: ["mail"],
  LINE_BUSY: ["circle-slash"],
  NOT_INTERESTED: ["thumbsdown", "list.warningForeground"],
  DNC: ["stop-circle", "charts.red"],
  BAD_NUMBER: ["error", "charts.red"],
  FRAUD: ["shield", "charts.red"],
};

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
  const rows: Row[] = list.calls.map((call) => new CallRow(call, now));
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

/** A class with getters: creating 10,000 rows takes 5 ms instead of 92 ms, and most are never shown. */
class CallRow implements Row {
  constructor(
    readonly thing: Call,
    private readonly now: number,
  ) {}

  get id(): string {
    return `call/${this.thing.id}`;
  }

  get label(): string {
    return callerName(this.thing);
  }

  get description(): string {
    const { callDuration, callEndedReason, callStartedAt, createdAt, status } = this.thing;
    const length = callDuration ? ` · ${clockTime(callDuration)}` : "";
    const state = isLive(this.thing) ? (status ?? l10n.t("in progress")) : (callEndedReason ?? status);
    return `${ago(callStartedAt ?? createdAt, this.now)}${length}${state ? ` · ${plainWords(state)}` : ""}`;
  }

  get icon(): string {
    return lookOf(this.thing)[0];
  }

  get color(): string | undefined {
    return lookOf(this.thing)[1];
  }

  get context(): string {
    return isLive(this.thing) ? "call live" : "call";
  }

  get copy(): string {
    return this.thing.id;
  }

  get command(): NonNullable<Row["command"]> {
    return { command: "assistantFlow.openCall", title: l10n.t("Open Call"), arguments: [this.thing.id, true] };
  }

  facts(): readonly Fact[] {
    const call = this.thing;
    return [
      [l10n.t("Phone:"), call.phone],
      [l10n.t("Email:"), call.email],
      [l10n.t("Started:"), moment(call.callStartedAt ?? call.createdAt, this.now)],
      [l10n.t("Duration:"), call.callDuration === undefined ? undefined : clockTime(call.callDuration)],
      [l10n.t("Ended:"), call.callEndedReason && plainWords(call.callEndedReason)],
      [l10n.t("Ended by:"), call.callEndedBy && plainWords(call.callEndedBy)],
      [l10n.t("Status:"), call.status],
      [l10n.t("Tag:"), call.tag],
      [l10n.t("Summary:"), call.summary],
      [l10n.t("Lead:"), call.customerLeadId],
      ["ID:", call.id],
    ];
  }
}

function lookOf(call: Call): readonly [icon: string, color?: string] {
  return isLive(call) ? LIVE : (endings[call.callEndedReason as CallEndedReason] ?? UNKNOWN);
}
