/** What can be done at a place: refactorings. Every action works out its edits only when they are wanted. */
import { type FlowDocument, refactoringsAt, type Span, type TextEdit } from "../../flow";

export interface Action {
  /** Stable among the actions of a place, so that an editor can ask for the edits later. */
  readonly id: string;
  readonly title: string;
  /** A kind of the protocol: `quickfix`, `refactor.extract`, `source.fixAll` … */
  readonly kind: string;
  readonly edits: () => readonly TextEdit[];
}

export function actionsAt(document: FlowDocument, span: Span, wanted: (kind: string) => boolean): Action[] {
  if (!wanted("refactor")) return [];
  return refactoringsAt(document, span)
    .map(({ id, kind, title, edits }) => ({ id, kind: `refactor.${kind}`, title, edits }))
    .filter((action) => wanted(action.kind));
}
