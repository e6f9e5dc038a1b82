/** The platform's no to a batch, on the lines that made the operations it speaks of. */
import { type FlowDocument, opAtLoc, type Problem, placeOfOp } from "../../flow";
import type { SyncState } from "../../sync";

export function refusalProblems(state: SyncState, document: FlowDocument): Problem[] {
  if (state.kind !== "blocked" || !state.refusal) return [];
  const { detail, batch, message } = state.refusal;
  const code = "platform-refused";
  const placed = detail.flatMap(({ loc, msg }): Problem[] => {
    const found = opAtLoc(loc, batch);
    const place = found && placeOfOp(document, found.at);
    return place ? [{ code, severity: "error", message: `The platform refused this: ${msg}`, span: place.name }] : [];
  });
  return placed.length > 0 ? placed : [{ code, severity: "error", message, span: { start: 0, end: 0 } }];
}
