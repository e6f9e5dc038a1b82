/** Reads a version of a flow for comparison. It must be complete: missing parts would look like removals. */
import { FlowDocument } from "../document";
import { notInFull } from "../unread";

const TOP_KEYS = ["nodes", "entry", "context_variables", "persona", "component_outputs", "assistant", "revision"];

/**
 * The flow, or the reason that there's none, as the end of a sentence that begins with the file name. Parts shared with
 * `like` are parsed once.
 */
export function readWhole(text: string, like?: FlowDocument): FlowDocument | { readonly problem: string } {
  if (text.includes("\0")) return { problem: "is binary, not a flow." };
  const document = FlowDocument.read(text, like);
  const broken = document.explainedProblems[0] ?? document.problems[0];
  if (broken) return { problem: notInFull(document, broken) };
  const isEmpty =
    document.tops.length === 0 &&
    document.nodes.length === 0 &&
    text.replace(/^[^\S\r\n\u2028\u2029]*#.*$/gm, "").trim() === "";
  if (!isEmpty && !TOP_KEYS.some((key) => document.top(key)))
    return { problem: `isn't a flow: it has none of the keys ${TOP_KEYS.slice(0, 3).join(", ")}.` };
  return document;
}
