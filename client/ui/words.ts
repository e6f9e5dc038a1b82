/** Formats times, amounts, and IDs for display. Nothing here needs VS Code. */
import { l10n } from "vscode";
import { safeText } from "../../platform";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "3 h ago", "in 5 days"; an invalid date is returned unchanged. */
export function ago(moment: string | null | undefined, now: number): string {
  if (!moment) return "";
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return safeText(moment, 40);
  const distance = Math.abs(now - time);
  if (distance < MINUTE) return time > now ? l10n.t("in a moment") : l10n.t("just now");
  const span =
    distance < HOUR
      ? l10n.t("{0} min", Math.floor(distance / MINUTE))
      : distance < 2 * DAY
        ? `${Math.floor(distance / HOUR)} h`
        : l10n.t("{0} days", Math.floor(distance / DAY));
  return time > now ? l10n.t("in {0}", span) : l10n.t("{0} ago", span);
}

/** The full local date and time, with its relative time. */
export function moment(value: string | null | undefined, now: number): string {
  if (!value) return "";
  const time = Date.parse(value);
  if (Number.isNaN(time)) return safeText(value, 40);
  return `${new Date(time).toLocaleString()} (${ago(value, now)})`;
}

/** Seconds as 0:09, 1:32 or 1:02:05. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (part: number) => String(part).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats a delay in seconds: "immediately", "after 30 s", "after 2 h". */
export function delay(seconds: number | undefined): string {
  if (!seconds) return l10n.t("immediately");
  if (seconds < 60) return l10n.t("after {0} s", seconds);
  if (seconds < 3600) return l10n.t("after {0} min", Math.round(seconds / 60));
  if (seconds < 48 * 3600) return l10n.t("after {0} h", Math.round(seconds / 360) / 10);
  return l10n.t("after {0} days", Math.round(seconds / 86_400));
}

/** Formats NOT_INTERESTED as "not interested". */
export function plainWords(value: string): string {
  return value === "DNC" ? l10n.t("do not call") : safeText(value, 60).replaceAll("_", " ").toLowerCase();
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Shortens an ID, enough to distinguish two. The tooltip has the whole ID. */
export function shortId(id: string | undefined): string {
  if (!id) return l10n.t("someone");
  const clean = safeText(id, 40);
  return /^[0-9a-f]{8}-/i.test(clean) ? clean.slice(0, 8) : clean.length > 14 ? `${clean.slice(0, 12)}…` : clean;
}

export function dollars(amount: number): string {
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: amount < 0.1 ? 4 : 2 })}`;
}

/** Formats 1234567 as "1.2 M". */
export function roughly(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e4 ? `${(count / 1e3).toFixed(0)} k` : count.toLocaleString("en-US");
}
