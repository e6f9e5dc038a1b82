/** Diagnostics for a rejected batch, on the lines of the rejected operations. */
import { type ElementRef, type FlowDocument, opAtLoc, type Problem, placeOfOp } from "../../flow";
import { ignoredHere, notStoredHere, type SyncState } from "../../sync";

const code = "platform-refused";

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
