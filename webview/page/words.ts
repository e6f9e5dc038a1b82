/** Formats platform values for display. A missing value is a dash, never `undefined`. */
import { t } from "./l10n";

export const NOTHING = "–";

export function shown(value: unknown): string {
  if (value === undefined || value === null || value === "") return NOTHING;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Formats `NO_ANSWER` as `No answer`, also for unknown values. */
export function words(value: string | undefined | null): string {
  if (!value) return NOTHING;
  const text = value
    .replace(/_/g, " ")
    .toLowerCase()
    .replace(/\bid\b/g, "ID");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function when(value: string | undefined | null): string {
  const time = value ? new Date(value) : undefined;
  if (!time || Number.isNaN(time.getTime())) return shown(value);
  return time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function clock(value: string | undefined | null): string {
  const time = value ? new Date(value) : undefined;
  if (!time || Number.isNaN(time.getTime())) return shown(value);
  return time.toLocaleTimeString(undefined, { timeStyle: "medium" });
}

export function duration(seconds: number | undefined | null): string {
  if (seconds === undefined || seconds === null || !Number.isFinite(seconds)) return NOTHING;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  return minutes > 0 ? t("{0} min {1} s", minutes, rest) : `${rest} s`;
}
