/** Diagnostics of a push: what the platform rejected, and what it doesn't keep. */
import { type ElementRef, type FlowDocument, locate, opAtLoc, type Problem, placeOfOp } from "../../flow";
import { fieldNotStored, ignoredHere, notStoredHere, orderNotKept, type SyncState } from "../../sync";

const code = "platform-refused";

/** Diagnostics for a rejected batch, on the lines of the rejected operations. */
export function refusalProblems(state: SyncState, document: FlowDocument): Problem[] {
  const at = (places: readonly ElementRef[], message: string) =>
    places.flatMap((each): Problem[] => {
      const place = placeOfOp(document, each);
      return place ? [{ code, severity: "error", message, span: place.name }] : [];
    });
  if (state.kind === "pending") return at(state.ignored ?? [], ignoredHere());
  if (state.kind !== "blocked" || !state.refusal) return [];
  const { detail, batch, message, notStored = [] } = state.refusal;
  const missing = at(notStored, notStoredHere());
  if (missing.length > 0) return missing;
  const placed = detail.flatMap(({ loc, msg }): Problem[] => {
    const found = opAtLoc(loc, batch);
    const place = found && placeOfOp(document, found.at);
    return place ? [{ code, severity: "error", message: `The platform rejected this: ${msg}`, span: place.name }] : [];
  });
  return placed.length > 0 ? placed : [{ code, severity: "error", message, span: { start: 0, end: 0 } }];
}

/** Diagnostics for what the platform doesn't keep of a file: one for each field, on the line of its first occurrence. */
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
