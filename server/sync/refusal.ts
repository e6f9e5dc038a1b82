/** The platform's no to a batch, on the lines that made the operations it speaks of. */
import { type FlowDocument, opAtLoc, type Problem, placeOfOp } from "../../flow";
import { notStoredHere, type SyncState } from "../../sync";

export function refusalProblems(state: SyncState, document: FlowDocument): Problem[] {
  if (state.kind !== "blocked" || !state.refusal) return [];
  const { detail, batch, message, notStored = [] } = state.refusal;
  const code = "platform-refused";
  const missing = notStored.flatMap((at): Problem[] => {
    const place = placeOfOp(document, at);
    return place ? [{ code, severity: "error", message: notStoredHere(), span: place.name }] : [];
  });
  if (missing.length > 0) return missing;
  const placed = detail.flatMap(({ loc, msg }): Problem[] => {
    const found = opAtLoc(loc, batch);
    const place = found && placeOfOp(document, found.at);
    return place ? [{ code, severity: "error", message: `The platform rejected this: ${msg}`, span: place.name }] : [];
  });
  return placed.length > 0 ? placed : [{ code, severity: "error", message, span: { start: 0, end: 0 } }];
}
