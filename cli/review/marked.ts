/** Formats the old and new values of a field. */
import { type Change, type WordRun, wordDiff } from "../../flow/review";
import { visibleLine } from "../../text";
import { shortened } from "../terminal";

/** Characters of unchanged text shown on each side of a change. */
const CONTEXT = 40;

/** The word diff of two strings with words in common; undefined for other values, which are shown completely. */
export function markedWords(before: unknown, after: unknown): readonly WordRun[] | undefined {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const runs = wordDiff(visibleLine(before.trim()), visibleLine(after.trim()));
  if (!runs.some(({ kind, text }) => kind === "same" && /[\p{L}\p{N}]/u.test(text))) return undefined;
  return runs.map((run, index) =>
    run.kind === "same" ? { ...run, text: unchangedPart(run.text, index > 0, index < runs.length - 1) } : run,
  );
}

/** Shortens unchanged text between changes. */
function unchangedPart(text: string, isAfter: boolean, isBefore: boolean): string {
  const letters = [...text];
  const most = CONTEXT * (Number(isAfter) + Number(isBefore));
  if (letters.length <= most + 1) return text;
  const start = isAfter ? letters.slice(0, CONTEXT).join("") : "";
  const end = isBefore ? letters.slice(-CONTEXT).join("") : "";
  return `${start}…${end}`;
}

export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  return shortened(typeof value === "string" ? `"${visibleLine(value.trim())}"` : visibleLine(JSON.stringify(value)));
}

/** Marks a difference that comes from the platform. */
export function ownerOf({ kind, fields, platform = [] }: Change, field?: string): string {
  const isWhole = kind === "added" || kind === "removed";
  const isPlatforms =
    field !== undefined
      ? platform.includes(field)
      : isWhole
        ? fields.length > 0 && fields.every((each) => platform.includes(each))
        : platform.includes("order");
  return isPlatforms ? " (platform)" : "";
}
