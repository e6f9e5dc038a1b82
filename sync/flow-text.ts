/** Converts between graphs and the text of a flow file. */
import {
  applyEdits,
  checkDocument,
  checkTools,
  countNameErrors,
  FlowDocument,
  type Graph,
  graphOf,
  plan,
  type RuleSettings,
  resolveNames,
  restoreNames,
  sameGraph,
  sourceSpanOf,
  type TextEdit,
  topText,
  whyNot,
} from "../flow";
import { applyGraph } from "../flow/edit";
import type { FlowEnvironment } from "../flow/project";
import type { KnownTools } from "../flow/tools";
import { isUuid } from "../platform";
import type { Target } from "./host";

/** The assistant and the revision a file names; sync needs both. */
export function linkOf(document: FlowDocument): { readonly assistant: string; readonly revision: string } | undefined {
  const assistant = topText(document, "assistant")?.trim().toLowerCase();
  const revision = topText(document, "revision")?.trim().toLowerCase();
  // Checked here whatever the rules are set to: an invalid UUID must never get into a request.
  return assistant && revision && isUuid(assistant) && isUuid(revision) ? { assistant, revision } : undefined;
}

/**
 * Whether a file is linked, but its syntax errors hide that. Its lines for both keys have a UUID, although the keys
 * can't be read.
 */
export function isLinkUnreadable(document: FlowDocument): boolean {
  if (document.problems.length === 0 || linkOf(document)) return false;
  const hasLine = (key: string) =>
    document.text.split(/\r\n|[\n\r]/).some((line) => line.includes(key) && HAS_UUID.test(line));
  return hasLine("assistant") && hasLine("revision");
}

const HAS_UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/**
 * The target in a saved text. `errorsIn` returns local errors of the document, which prevent a push; a file that can't
 * be parsed completely counts as an error, because missing parts would look like deletions. The document may be edited
 * afterwards: positions refer to the current text. With an environment, the graph has the values of its names; a name
 * without a value or an ID of another environment always prevents a push.
 */
export function targetOf(
  document: FlowDocument,
  errorsIn: (document: FlowDocument) => string[] = () => [],
  environment?: FlowEnvironment,
): Target {
  const { text } = document;
  const graph = environment ? resolveNames(graphOf(document), environment.names) : graphOf(document);
  const nameErrors = environment ? countNameErrors(document, environment) : 0;
  let kept: FlowDocument | undefined;
  const asSaved = () => {
    if (document.text === text) return document;
    kept ??= FlowDocument.read(text);
    return kept;
  };
  const errors = errorsIn(document);
  const errorsBeyond = (held: Graph) => {
    const known = errorsIn(FlowDocument.read(newFlowText(NIL_UUID, NIL_UUID, held)));
    const beyond = errors.filter((error) => {
      const at = known.indexOf(error);
      if (at >= 0) known.splice(at, 1);
      return at < 0;
    });
    return beyond.length + nameErrors;
  };
  return {
    graph,
    // Several problems of the reader may be one error for the user. If rules hide all of them, the reader's count.
    errors: errors.length + nameErrors || document.problems.length,
    ...(document.problems.length > 0 ? {} : { errorsBeyond }),
    planFrom: (from) => {
      const saved = asSaved();
      return plan(from, graph, { spanOf: (id) => sourceSpanOf(saved, id) });
    },
  };
}

/**
 * The errors of a document by the configured rules, each identified by its rule and element, since positions and
 * wording may differ.
 */
export function localErrors(document: FlowDocument, rules: RuleSettings, tools?: KnownTools): string[] {
  const errors = [...checkDocument(document, rules), ...checkTools(document, tools, rules)].filter(
    // Pushing may be the fix for what the platform reports about a tool.
    ({ severity, code }) => severity === "error" && code !== "tool-incompatible",
  );
  return errors.map(({ code, span }) => {
    const block = document.blockAt(span.start);
    const isTop = block === undefined || block.section === "top";
    return isTop ? code : `${code} ${block.section} ${block.key}`;
  });
}

const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/**
 * The edits that apply `merge` to the graph of a file, keeping comments and layout; undefined if the merge returns
 * nothing or the text can't express its result. With an environment, `merge` gets and returns values; the text has names.
 */
export function mergeText(
  text: string,
  merge: (current: Graph) => Graph | undefined,
  environment?: FlowEnvironment,
): TextEdit[] | undefined {
  const document = FlowDocument.read(text);
  if (document.problems.length > 0) return undefined;
  const current = graphOf(document);
  const result = merge(environment ? resolveNames(current, environment.names) : current);
  if (!result) return undefined;
  const merged = environment ? restoreNames(result, current, environment.names) : result;
  const edits = applyGraph(document, merged);
  const hasResult = (after: FlowDocument) => sameGraph(graphOf(after), merged);
  if (edits.length === 0) return hasResult(document) ? edits : undefined;
  return whyNot(document, edits, { changes: "anything", and: hasResult }) === undefined ? edits : undefined;
}

/**
 * A new flow file for a revision. Without the assistant's ID it can be edited, but not synced until the ID is added.
 */
export function newFlowText(revision: string, assistant: string | undefined, graph: Graph): string {
  const head =
    assistant === undefined
      ? `# Write the assistant's ID here to sync this file:\n# assistant: 00000000-0000-0000-0000-000000000000\nrevision: ${revision}\n`
      : `assistant: ${assistant}\nrevision: ${revision}\n`;
  return applyEdits(head, applyGraph(FlowDocument.read(head), graph));
}
