/** The hover text of a platform finding: what its fix would change, line by line. */
import {
  applyEdits,
  canIgnore,
  commonEnds,
  type FlowDocument,
  type Problem,
  ruleCatalog,
  type TextEdit,
} from "../../../flow";
import type { FindingData, SuggestedFix } from "../../../flow/findings";
import { codeBlock, escapeMarkdown, linkTarget, t } from "../../../text";

export function isFinding(problem: Problem): boolean {
  return typeof (problem.data as Partial<FindingData> | undefined)?.finding === "number";
}

/** As Markdown. `link` applies the edits, if the editor supports it. */
export function findingHelp(
  document: FlowDocument,
  problem: Problem,
  fix: SuggestedFix | undefined,
  link: (title: string) => string | undefined,
): string {
  const { category } = problem.data as FindingData;
  const about = category
    ? t("Found by the platform, under {0}.", escapeMarkdown(category))
    : t("Found by the platform.");
  if (!fix) return about;
  if (fix.kind === "advice") return `${about} ${t("Its advice: {0}", escapeMarkdown(fix.text))}`;
  const target = link(fix.title);
  return [
    `${about} ${t("Its fix would be:")}`,
    fenced(lineDiff(document.text, fix.edits)),
    ...(target === undefined
      ? []
      : [`[${t("Apply this fix")}](${target} "${escapeMarkdown(fix.title).replaceAll('"', "'")}")`]),
  ].join("\n\n");
}

/** The maximum number of lines in a hover; the editor's own preview shows the rest. */
const MAX_LINES = 16;

/** The lines that edits remove and add, with the line before pure insertions. */
export function lineDiff(text: string, edits: readonly TextEdit[]): string[] {
  const lines = hunks(text, edits).flatMap(({ start, end, edits: own }, index) => {
    const before = text.slice(start, end).split(/\r?\n/);
    const shifted = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const after = applyEdits(text.slice(start, end), shifted).split(/\r?\n/);
    const { head, tail } = commonEnds(before, after);
    const gone = before.slice(head, before.length - tail);
    const context = gone.length === 0 ? before.slice(Math.max(0, head - 1), head) : [];
    return [
      ...(index > 0 ? ["…"] : []),
      ...context.map((line) => `  ${line}`),
      ...gone.map((line) => `- ${line}`),
      ...after.slice(head, after.length - tail).map((line) => `+ ${line}`),
    ];
  });
  return lines.length > MAX_LINES
    ? [...lines.slice(0, MAX_LINES - 1), t("… {0} more lines", lines.length - MAX_LINES + 1)]
    : lines;
}

/** The whole lines that edits touch; edits on the same line are combined. */
function hunks(text: string, edits: readonly TextEdit[]): { start: number; end: number; edits: TextEdit[] }[] {
  const found: { start: number; end: number; edits: TextEdit[] }[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const start = text.lastIndexOf("\n", edit.start - 1) + 1;
    const next = text.indexOf("\n", edit.end);
    const end = next < 0 ? text.length : next;
    const last = found.at(-1);
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else found.push({ start, end, edits: [edit] });
  }
  return found;
}

/** Common indentation is removed. */
function fenced(lines: readonly string[]): string {
  const written = lines.filter((line) => /^[-+ ] /.test(line) && line.slice(2).trim() !== "");
  const indent = written.reduce((least, line) => Math.min(least, line.slice(2).search(/\S/)), Infinity);
  const shown = lines.map((line) => (/^[-+ ] /.test(line) ? line.slice(0, 2) + line.slice(2 + indent) : line));
  return codeBlock("diff", shown);
}

const MAX_LINKS = 10;

/**
 * The cause of a problem, its other locations and a link to its rule, as Markdown. The message isn't repeated: the
 * editor shows the problem itself. `pageOf`: the page of a rule.
 */
export function problemHelp(
  uri: string,
  document: FlowDocument,
  problem: Problem,
  pageOf: (code: string) => string | undefined,
): string | undefined {
  const rule = ruleCatalog.find(({ code }) => code === problem.code);
  if (!rule) return undefined;
  const { why, also = [] } = problem;
  const links = also.slice(0, MAX_LINKS).map(({ message, span }) => {
    const line = document.positionAt(span.start).line + 1;
    return `- [${t("Line {0}", line)}](${linkTarget(uri)}#L${line}): ${escapeMarkdown(message)}`;
  });
  const left = also.length - links.length;
  const ignoring = canIgnore(rule) ? [t("To ignore it, add {0}.", `\`# flow-ignore ${rule.code}\``)] : [];
  // The problem itself links its rule.
  if (!why && links.length === 0 && ignoring.length === 0) return undefined;
  return [
    ...(why ? [escapeMarkdown(why)] : []),
    ...(links.length > 0 ? [[...links, ...(left > 0 ? [`- … ${t("and {0} more", left)}`] : [])].join("\n")] : []),
    [`[${rule.code}](${linkTarget(pageOf(rule.code) ?? "")})`, ...ignoring].join(" · "),
  ].join("\n\n");
}
