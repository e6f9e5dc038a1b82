/**
 * Checks typed values: each check returns a message, or undefined if the value is valid. Nothing here needs VS Code.
 */
import { l10n } from "vscode";
import { CALL_ENDED_REASONS, isUuid, limits, type PlatformError, safeText } from "../../platform";

export type Check = (value: string) => string | undefined;

/** Why a form with wrong or missing values isn't sent. */
export function incomplete(fields: number): string {
  return fields === 1
    ? l10n.t("Complete the highlighted field first.")
    : l10n.t("Complete the highlighted fields first.");
}

export const scopeProblem: Check = (value) =>
  /^[a-z][a-z0-9_-]*:[a-z][a-z0-9_-]*$/.test(value)
    ? undefined
    : l10n.t('"{0}" isn\'t a valid scope. Use resource:action, e.g. agents:read.', value);

/** Digits with an optional +, separated by spaces, dots, brackets, or dashes. */
export const phoneProblem: Check = (value) => {
  const digits = value.replace(/[\s().-]/g, "");
  if (!/^\+?\d+$/.test(digits)) return l10n.t("Enter a phone number with country code, e.g. +1 518 555 0100.");
  const count = digits.replace("+", "").length;
  if (count < 7) return l10n.t("Too short: a phone number has at least 7 digits.");
  return count > 15 ? l10n.t("Too long: a phone number has at most 15 digits.") : undefined;
};

export const emailProblem: Check = (value) =>
  /^[^\s@,;<>"]+@[^\s@,;<>".]+(?:\.[^\s@,;<>".]+)+$/.test(value)
    ? undefined
    : l10n.t("Enter an email address, e.g. anna@example.com.");

export const uuidProblem: Check = (value) =>
  isUuid(value) ? undefined : l10n.t("Enter an ID like 3f6f1c9e-2b7d-4c58-9a41-5d2e8b7c0101.");

/** The platform defines these IDs only as strings, so any single word is valid. */
export const idProblem: Check = (value) =>
  /^[^\s/?#]+$/.test(value) && !/^\.{1,2}$/.test(value) ? undefined : l10n.t("IDs can't contain spaces or slashes.");

/** A calendar date: February 30 is invalid. */
export const dateProblem: Check = (value) => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const real = year !== undefined && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return real ? undefined : l10n.t("Enter a date as yyyy-mm-dd, e.g. 2026-03-31.");
};

export const datetimeProblem: Check = (value) => {
  const [, date, hours, minutes, seconds = "0"] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(value) ?? [];
  const real = date && !dateProblem(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  return real ? undefined : l10n.t("Enter a date and time, e.g. 2026-03-31T09:00:00Z.");
};

/** An API key expires on a date or at a time in the future. */
export const expiryProblem = (value: string, now: Date): string | undefined => {
  if (dateProblem(value) && datetimeProblem(value))
    return l10n.t("Enter a date as yyyy-mm-dd, or a date and time, e.g. 2026-03-31T09:00:00Z.");
  return expiryMoment(value).getTime() <= now.getTime() ? l10n.t("Choose a future date.") : undefined;
};

/** A key that expires on a date stays valid until the end of that day in the local time zone. */
export function expiryMoment(value: string): Date {
  return dateProblem(value) ? new Date(value) : new Date(`${value}T23:59:59`);
}

export const limitProblem: Check = (value) => {
  const { min, max } = limits.embeddingCostRows;
  const count = Number(value);
  return /^\d+$/.test(value) && count >= min && count <= max
    ? undefined
    : l10n.t("Enter a whole number from {0} to {1}.", min, max);
};

export const secondsProblem: Check = (value) =>
  /^\d{1,6}$/.test(value) ? undefined : l10n.t("Enter a duration in seconds, e.g. 90.");

export const reasonProblem: Check = (value) =>
  (CALL_ENDED_REASONS as readonly string[]).includes(value)
    ? undefined
    : l10n.t("Valid reasons: {0}.", CALL_ENDED_REASONS.join(", "));

export const webAddressProblem: Check = (value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
    ? undefined
    : l10n.t("Enter a URL that begins with https://.");

/**
 * Groups the errors of a 422 response by field: `["body","primaryPhone"]` belongs to `primaryPhone`. Errors without a
 * field go to `otherwise`, so that no error is lost.
 */
export function problemsByField(error: PlatformError, otherwise: string): Record<string, string> {
  const problems = new Map<string, string>();
  for (const { loc, msg } of error.detail) {
    const field = loc.find((step, index) => index > 0 && typeof step === "string");
    if (typeof field === "string" && !problems.has(field))
      problems.set(field, l10n.t("The platform says: {0}", safeText(msg)));
  }
  return problems.size > 0 ? Object.fromEntries(problems) : { [otherwise]: error.message };
}
