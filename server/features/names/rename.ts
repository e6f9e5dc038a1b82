/** Renames a node or a variable in its file, with all checks before the edits. */
import {
  type FlowDocument,
  isNameLike,
  MAX_NAME_LENGTH,
  type Meaning,
  type Span,
  type TextEdit,
  whyNot,
} from "../../../flow";
import { renamesNode, renamesOutput, renamesVariable } from "../../../flow/edit";
import { t } from "../../../text";
import { type FlowName, isDefined, nameAt, type Occurrence, occurrencesOf } from "./occurrences";

export type Renaming =
  | { readonly name: FlowName; readonly edits: readonly TextEdit[] }
  /** The reason, as a sentence. */
  | { readonly refused: string };

/** The name at an offset that would be renamed, if there is one. */
export function renamedAt(document: FlowDocument, offset: number): { span: Span; name: string } | undefined {
  const name = nameAt(document, offset);
  // A value from an alias is written elsewhere.
  return name && document.slice(name.span) === name.name ? name : undefined;
}

export function rename(document: FlowDocument, offset: number, newName: string): Renaming {
  const name = nameAt(document, offset);
  if (!name) return { refused: t("There's no node ID or variable name here. Put the cursor on one.") };
  const wrong = nameProblem(document, name, newName);
  if (wrong !== undefined) return { refused: wrong };
  if (newName === name.name) return { name, edits: [] };
  const places = occurrencesOf(document, name);
  const edits = places.filter((place) => !place.alias).map(({ span }) => ({ ...span, text: newName }));
  if (whyNot(document, edits, meaningOf(name, newName)) === undefined) return { name, edits };
  return { refused: whyRefused(document, name, places) };
}

/** Most aliases follow the text at their anchor. One that isn't only a name doesn't. */
function whyRefused(document: FlowDocument, { name }: FlowName, places: readonly Occurrence[]): string {
  const alias = places.find((place) => place.alias);
  if (!alias) return t('"{0}" can\'t be renamed everywhere it is used. Fix the problems in this file first.', name);
  const { line } = document.positionAt(alias.span.start);
  return t(
    'Line {0} gets "{1}" from the alias {2}, which wouldn\'t be renamed. Write the name there first.',
    line + 1,
    name,
    document.slice(alias.span),
  );
}

function meaningOf({ kind, name }: FlowName, to: string): Meaning {
  if (kind === "output") return renamesOutput(name, to);
  return kind === "node" ? renamesNode(name, to) : renamesVariable(name, to);
}

/** Why a name can't be used, as a sentence. */
export function nameProblem(document: FlowDocument, name: FlowName, newName: string): string | undefined {
  if (newName === name.name) return undefined;
  const wrong = spellingProblem(newName);
  if (wrong !== undefined) return wrong;
  if (isDefined(document, { kind: name.kind, name: newName }))
    return name.kind === "node"
      ? t('There is already a node "{0}". Choose another ID.', newName)
      : name.kind === "variable"
        ? t('There is already a variable "{0}". Choose another name.', newName)
        : t('There is already an output "{0}". Choose another name.', newName);
  return undefined;
}

/** Why nothing can have this name or ID. */
export function spellingProblem(newName: string): string | undefined {
  if (newName === "") return t("Enter at least one character.");
  if (newName.length > MAX_NAME_LENGTH)
    return t("Use at most {0} characters; there are {1}.", MAX_NAME_LENGTH, newName.length);
  if (!/^[A-Za-z]/.test(newName)) return t("Start with a letter.");
  if (!isNameLike(newName)) return t('Use only letters, digits, "_" and "-"; "{0}" contains something else.', newName);
  return AMBIGUOUS.test(newName)
    ? t('"{0}" wouldn\'t be read as text in YAML. Choose another name.', newName)
    : undefined;
}

const AMBIGUOUS = /^(true|false|null|yes|no|on|off|y|n)$/i;
