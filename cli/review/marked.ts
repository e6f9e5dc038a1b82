/** Values of a field before and after, as words of a review. */
import { type Change, type WordRun, wordDiff } from "../../flow/review";
import { visibleLine } from "../../text";

const LONGEST = 80;
/** As much as is shown of what stayed the same, on either side of a change. */
const CONTEXT = 40;

/** The runs of two texts that have words in common; undefined for anything else, which is shown whole. */
export function markedWords(before: unknown, after: unknown): readonly WordRun[] | undefined {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const runs = wordDiff(visibleLine(before.trim()), visibleLine(after.trim()));
  if (!runs.some(({ kind, text }) => kind === "same" && /[\p{L}\p{N}]/u.test(text))) return undefined;
  return runs.map((run, index) =>
    run.kind === "same" ? { ...run, text: shortened(run.text, index > 0, index < runs.length - 1) } : run,
  );
}

/** The beginning and the end of what stayed the same, where something stands before and behind it. */
function shortened(text: string, isAfter: boolean, isBefore: boolean): string {
  const letters = [...text];
  const most = CONTEXT * (Number(isAfter) + Number(isBefore));
  if (letters.length <= most + 1) return text;
  const start = isAfter ? letters.slice(0, CONTEXT).join("") : "";
  const end = isBefore ? letters.slice(-CONTEXT).join("") : "";
  return `${start}…${end}`;
}

export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  const text = typeof value === "string" ? `“${visibleLine(value.trim())}”` : visibleLine(JSON.stringify(value));
  const letters = [...text];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : text;
}

/** Whose a difference is, behind a field or behind the name of an element that differs as a whole. */
export function ownerOf({ kind, fields, platform = [] }: Change, field?: string): string {
  const isWhole = kind === "added" || kind === "removed";
  const isPlatforms =
    field !== undefined
      ? platform.includes(field)
      : isWhole
        ? fields.length > 0 && fields.every((each) => platform.includes(each))
        : platform.includes("order");
  return isPlatforms ? " (the platform's)" : "";
}
