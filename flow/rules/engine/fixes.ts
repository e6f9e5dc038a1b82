/** Fixes for one problem, and for all problems of a file. */
import { AttachedCache } from "../../attached-cache";
import { type Block, FlowDocument } from "../../document";
import { type Meaning, whyNot } from "../../guard";
import { applyEdits, editBetween, firstIndex, type TextEdit } from "../../text";
import { rules } from "../index";
import { checkDocument, diagnosticsIn, settle } from "./engine";
import { ignoreFix } from "./ignore";
import type { Fix, Problem, RuleSettings } from "./rule";

/** The fixes of a problem, the best one first; the last one adds `# flow-ignore`. */
export function fixesFor(problem: Problem, document: FlowDocument): Fix[] {
  const fixes = ownFixes(problem, document).filter((fix) => isSound(problem, document, fix));
  settle(document);
  return [...fixes, ...(canIgnore(problem) ? ignoring(problem, document) : [])];
}

/** The best fix only, if there is one besides `# flow-ignore`. Several times faster than trying all fixes. */
export function bestFixFor(problem: Problem, document: FlowDocument): Fix | undefined {
  const best = ownFixes(problem, document).find((fix) => isSound(problem, document, fix));
  settle(document);
  return best;
}

/**
 * Edits that apply every preferred fix, of the given codes or of all. A fix can enable another one or make it
 * unnecessary, so fixes are applied to a copy until nothing changes; the edits are relative to the current text.
 */
export function fixAll(
  document: FlowDocument,
  settings: RuleSettings = {},
  codes?: Iterable<string>,
): readonly TextEdit[] {
  const wanted = codes === undefined ? undefined : new Set(codes);
  const original = document.text;
  const copy = FlowDocument.read(original);
  const most = mostOfRule(document);
  const counts = new Map<string, number>();
  const isCounted = ({ code }: Problem) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= most;
  };
  let first: readonly TextEdit[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const unread = unreadBlocks(copy);
    const problems = checkDocument(copy, settings).filter(
      ({ code }) => !CHOICES.has(code) && (!wanted || wanted.has(code)),
    );
    const preferred = problems.filter(isCounted).flatMap((problem) => {
      const [fix] = ownFixes(problem, copy, (each) => each.preferred === true, unread);
      return fix ? [{ problem, fix }] : [];
    });
    const problemOf = new Map(preferred.map(({ problem, fix }) => [fix, problem]));
    const fixes = [...problemOf.keys()];
    const isTried = fixes.length <= mostSingle(copy, fixes);
    const edits = together(copy, fixes, (fix) => !isTried || isSound(problemOf.get(fix) as Problem, copy, fix));
    if (round === 0) first = edits;
    if (edits.length === 0 || applyEdits(copy.text, edits) === copy.text) {
      if (round <= 1) return first;
      break;
    }
    copy.edit(edits);
  }
  return copy.text === original ? [] : [editBetween(original, copy.text)];
}

/**
 * The edits of as many fixes as can be applied at once. Each is valid alone, but two may do the same thing twice: a
 * missing key may be there with a typo. So typos are fixed first, and skipped fixes are tried again in the next round.
 * Only fixes that would be applied are verified: hundreds may add a line at the same place, where each round adds one.
 */
function together(
  document: FlowDocument,
  fixes: readonly Fix[],
  verify: (fix: Fix) => boolean = () => true,
): readonly TextEdit[] {
  const adds = ({ edits }: Fix) => edits.every((edit) => edit.start === edit.end);
  const verdicts = new Map<Fix, boolean>();
  const isValid = (fix: Fix) => {
    const isKnown = verdicts.get(fix) ?? verify(fix);
    verdicts.set(fix, isKnown);
    return isKnown;
  };
  const sorted = [...fixes.filter((fix) => !adds(fix)), ...fixes.filter(adds)];
  const all = disjointEdits(sorted, isValid);
  const means: Meaning = { changes: "anything" };
  if (whyNot(document, all, means) === undefined) return all;
  let taken: Fix[] = [];
  for (const fix of sorted.slice(0, mostSingle(document, sorted)))
    if (isValid(fix) && whyNot(document, disjointEdits([...taken, fix]), means) === undefined) taken = [...taken, fix];
  return disjointEdits(taken);
}

/**
 * How many fixes of one round are tried one by one; fewer if one of them changes a long block, which is parsed each
 * time.
 */
function mostSingle(document: FlowDocument, fixes: readonly Fix[]): number {
  let longest = 1;
  for (const { edits } of fixes)
    for (const { start } of edits) longest = Math.max(longest, document.blockAt(start)?.text.length ?? 0);
  return Math.min(100, Math.max(5, Math.floor(1_000_000 / longest)));
}

/**
 * How many problems of one rule are fixed at once. Computing a fix may search the whole file, so in a long one there
 * are fewer; the others remain for the next time.
 */
function mostOfRule({ length }: FlowDocument): number {
  return Math.max(500, Math.floor(20_000_000 / Math.max(1, length)));
}

/**
 * Rules whose fixes are never applied automatically, because the user has to choose. There may be thousands of them,
 * and computing a fix may read the whole file.
 */
export const CHOICES: ReadonlySet<string> = new Set([
  "condition-never-true",
  "dead-end",
  "duplicate-id-case",
  "duplicate-instructions",
  "duplicate-key",
  "duplicate-output",
  "edge-from-terminal",
  "empty-condition",
  "empty-flow",
  "enum-value-unhandled",
  "hardcoded-phone",
  "hardcoded-secret",
  "instructions-too-long",
  "may-be-unset",
  "missing-default",
  "not-sent",
  "on-and-when",
  "revision-claimed-twice",
  "self-loop-without-condition",
  "tool-without-error-edge",
  "unreachable-node",
  "unused-variable",
]);

/** All fixes for a file at once: ours first, then suggestions from others that don't touch them. */
export function fixEverything(
  document: FlowDocument,
  settings: RuleSettings,
  suggested: readonly Pick<Fix, "title" | "edits">[],
): readonly TextEdit[] {
  return together(document, [{ title: "", edits: fixAll(document, settings) }, ...suggested]);
}

const MAX_ROUNDS = 10;

function ownFixes(
  problem: Problem,
  document: FlowDocument,
  wanted: (fix: Fix) => boolean = () => true,
  unread = unreadBlocks(document),
): readonly Fix[] {
  // Other places share the text of an alias, so a change would affect them too.
  const written = document.slice({ start: problem.span.start, end: problem.span.start + 1 });
  if (written === "*" && problem.code !== "yaml-syntax") return [];
  const rule = rules.find((each) => each.code === problem.code);
  const fixes = rule?.fixes?.(problem, document).filter((fix) => wanted(fix) && fix.edits.length > 0) ?? [];
  if (fixes.length === 0 || problem.code === "yaml-syntax") return fixes;
  const touches = (edit: TextEdit) => unread.size > 0 && unread.has(document.blockAt(edit.start));
  return fixes.filter(({ edits }) => !edits.some((edit) => touches(edit) || losesAnchor(document, edit)));
}

function ignoring(problem: Problem, document: FlowDocument): Fix[] {
  const fix = ignoreFix(problem, document);
  return whyNot(document, fix.edits, { changes: "nothing" }) === undefined ? [{ ...fix, suppresses: true }] : [];
}

/** A fix is sound if it changes only what it touches, and its problem is gone afterwards. */
function isSound(problem: Problem, document: FlowDocument, { edits }: Fix): boolean {
  const repairs = problem.code === "yaml-syntax";
  return (
    whyNot(document, edits, {
      changes: repairs ? "anything" : "touched",
      removes: true,
      ...(isShort(document) && { and: solves(problem, document, repairs) }),
    }) === undefined
  );
}

/**
 * In longer files, and in those with very many problems, fixes aren't verified by running the rules: the light bulb
 * updates with every cursor move.
 */
function isShort(document: FlowDocument): boolean {
  if (document.length > 100_000) return false;
  const { text } = document;
  const known = problemCounts.get(document);
  const count = known?.text === text ? known.count : diagnosticsIn(document).length;
  problemCounts.set(document, { text, count });
  return count <= 1000;
}

/** Counted once for each text, because `check` tries a fix for each of the problems. */
const problemCounts = new AttachedCache<FlowDocument, { readonly text: string; readonly count: number }>();

/**
 * Whether there are fewer problems of a kind than before. Numbers in messages are ignored, because they change with the
 * edges.
 */
function solves(problem: Problem, document: FlowDocument, isRead: boolean): (after: FlowDocument) => boolean {
  const kind = ({ code, message }: Pick<Problem, "code" | "message">) => `${code} ${message.replace(/\d+/g, "")}`;
  const own = kind(problem);
  const count = (now: FlowDocument) =>
    isRead
      ? now.problems.filter((each) => each.code === problem.code).length
      : checkDocument(now).filter((each) => kind(each) === own).length;
  const before = count(document);
  // Problems from other files or the platform can't be checked again here.
  return (after) => before === 0 || count(after) < before;
}

/** Aliases elsewhere may refer to the anchor, so removing it would break them. */
function losesAnchor(document: FlowDocument, edit: TextEdit): boolean {
  const anchor = /(?:^|[\s,[{])&[^\s,[\]{}]+/;
  return edit.end > edit.start && anchor.test(document.slice(edit)) && !anchor.test(edit.text);
}

/** Blocks with syntax errors: the effect of an edit on them can't be known. */
function unreadBlocks(document: FlowDocument): Set<Block | undefined> {
  const unread = new Set<Block | undefined>();
  for (const { code, span } of document.problems)
    if (code === "yaml-syntax") {
      unread.add(document.blockAt(span.start));
      unread.add(document.blockAt(Math.max(0, span.start - 1)));
    }
  return unread;
}

/** A comment can't be added in text with syntax errors, nor silence a problem between files. */
/** Silencing what can't be read would only hide that nothing is checked or pushed. */
export function canIgnore({ code }: Pick<Problem, "code">): boolean {
  return code !== "yaml-syntax" && code !== "limit";
}

/** The edits of as many accepted fixes as don't overlap, in order of preference. */
export function disjointEdits(fixes: readonly Fix[], isAccepted: (fix: Fix) => boolean = () => true): TextEdit[] {
  const taken: TextEdit[] = [];
  const placeOf = ({ start }: TextEdit) =>
    firstIndex(taken.length, (index) => (taken[index] as TextEdit).start >= start);
  const free = (edit: TextEdit) => {
    const at = placeOf(edit);
    const before = taken[at - 1];
    const after = taken[at];
    return (!before || before.end <= edit.start) && (!after || (edit.end <= after.start && edit.start < after.start));
  };
  for (const fix of fixes)
    if (fix.edits.every(free) && isAccepted(fix)) for (const edit of fix.edits) taken.splice(placeOf(edit), 0, edit);
  return taken;
}
