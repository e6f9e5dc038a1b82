/** The calling hours of a workflow in its own time zone, and whether it is within them now. */
import { l10n } from "vscode";
import type { CallingWorkflow } from "../../../platform";

export interface Hours {
  /** "9:00 to 17:00, America/New_York" */
  readonly text: string;
  /** The workflow's local time, "14:05"; undefined if the time zone is unknown. */
  readonly there: string | undefined;
  /** Whether it is within its hours; undefined if unknown. */
  readonly open: boolean | undefined;
}

export function hoursOf({ startHour, endHour, timezone }: CallingWorkflow, now: number): Hours | undefined {
  if (startHour === undefined || endHour === undefined) return undefined;
  const hour = (value: number) => `${value}:00`;
  const text = l10n.t("{0} to {1}{2}", hour(startHour), hour(endHour), timezone ? `, ${timezone}` : "");
  const there = timezone ? timeIn(timezone, now) : undefined;
  if (!there) return { text, there: undefined, open: undefined };
  const at = there.hours;
  // Hours that end before they start span midnight; equal ones mean all day.
  const open =
    startHour === endHour
      ? true
      : startHour < endHour
        ? at >= startHour && at < endHour
        : at >= startHour || at < endHour;
  return { text, there: `${there.hours}:${String(there.minutes).padStart(2, "0")}`, open };
}

function timeIn(timezone: string, now: number): { hours: number; minutes: number } | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone: timezone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    const parts = format.formatToParts(now);
    const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
    return { hours: part("hour"), minutes: part("minute") };
  } catch (error) {
    if (error instanceof RangeError) return undefined; // This computer doesn't know the time zone.
    throw error;
  }
}

/** Returns a warning to show before a call is placed outside of its hours. */
export function hoursWarning(workflow: CallingWorkflow, now: number): string | undefined {
  const hours = hoursOf(workflow, now);
  if (!hours) return l10n.t("This workflow has no calling hours.");
  if (hours.open === undefined) return l10n.t("Calling hours: {0}. The current time there is unknown.", hours.text);
  return hours.open
    ? undefined
    : l10n.t("OUTSIDE calling hours: it's {0} there; calling hours are {1}.", hours.there ?? "", hours.text);
}
