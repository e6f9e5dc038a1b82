/** The hover text of a rule's problem: its cause, and a link to its documentation. */
import { type FlowDocument, type Problem, ruleCatalog } from "../../../flow";
import { escapeMarkdown, linkTarget, t } from "../../../text";

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
  return [
    ...(why ? [escapeMarkdown(why)] : []),
    ...(links.length > 0 ? [[...links, ...(left > 0 ? [`- … ${t("and {0} more", left)}`] : [])].join("\n")] : []),
    `[${rule.code}](${linkTarget(pageOf(rule.code) ?? "")}) · ${t("silence it with {0}", `\`# flow-ignore ${rule.code}\``)}`,
  ].join("\n\n");
}
