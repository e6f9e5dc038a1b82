/**
 * Diagnostics for what the platform doesn't keep of a file: one for each field, on the line of its first occurrence.
 */
import { type ElementRef, type FlowDocument, locate, type Problem } from "../../flow";
import { fieldNotStored, orderNotKept } from "../../sync";

export function notKeptProblems(refs: readonly ElementRef[], document: FlowDocument): Problem[] {
  const first = new Map<string, Problem>();
  for (const at of refs) {
    const field = at.kind === "top" ? at.key : at.field;
    if (field === undefined) continue;
    const isOrder = at.kind === "node" && field === "edges";
    const [code, message] = isOrder
      ? ["order-not-kept", orderNotKept()]
      : ["field-not-stored", fieldNotStored(field === "target" ? "to" : field)];
    const place = locate(document, at);
    const known = first.get(`${at.kind} ${field}`);
    if (!place || (known && known.span.start <= place.name.start)) continue;
    first.set(`${at.kind} ${field}`, { code, severity: "info", message, span: place.name });
  }
  return [...first.values()];
}
