/** Renaming a node or a variable: every place in the file, checked before anything is changed. */
import {
  type FlowDocument,
  isNameLike,
  MAX_NAME_LENGTH,
  type Meaning,
  renamesNode,
  renamesVariable,
  type Span,
  type TextEdit,
  whyNot,
} from "../../flow";
import { type FlowName, isDefined, nameAt, type Occurrence, occurrencesOf } from "./occurrences";

export type Renaming =
  | { readonly name: FlowName; readonly edits: readonly TextEdit[] }
  /** A sentence that says why not. */
  | { readonly refused: string };

/** What would be renamed at an offset, or undefined where nothing has a name. */
export function renamedAt(document: FlowDocument, offset: number): { span: Span; name: string } | undefined {
  const name = nameAt(document, offset);
  // A value that came through an alias is written elsewhere.
  return name && document.slice(name.span) === name.name ? name : undefined;
}

export function rename(document: FlowDocument, offset: number, newName: string): Renaming {
  const name = nameAt(document, offset);
  if (!name) return { refused: "There is no node id or variable name here. Put the cursor on one." };
  const wrong = nameProblem(document, name, newName);
  if (wrong !== undefined) return { refused: wrong };
  if (newName === name.name) return { name, edits: [] };
  const places = occurrencesOf(document, name);
  const edits = places.filter((place) => !place.alias).map(({ span }) => ({ ...span, text: newName }));
  if (whyNot(document, edits, meaningOf(name, newName)) === undefined) return { name, edits };
  return { refused: whyRefused(document, name, places) };
}

/** Most aliases follow what is written at their anchor. One that stands for a text that is no name does not. */
function whyRefused(document: FlowDocument, { name }: FlowName, places: readonly Occurrence[]): string {
  const alias = places.find((place) => place.alias);
  if (!alias) return `"${name}" can't be renamed everywhere it is used. Fix the problems in this file first.`;
  const { line } = document.positionAt(alias.span.start);
  return `Line ${line + 1} gets "${name}" from the alias ${document.slice(alias.span)}, which would not follow. Write the name out there first.`;
}

function meaningOf({ kind, name }: FlowName, to: string): Meaning {
  if (kind === "output") return { changes: "touched" };
  return kind === "node" ? renamesNode(name, to) : renamesVariable(name, to);
}

/** Why a name cannot be given, as a sentence. */
export function nameProblem(document: FlowDocument, name: FlowName, newName: string): string | undefined {
  const what = { node: "A node id", variable: "A variable name", output: "An output name" }[name.kind];
  if (newName === name.name) return undefined;
  if (newName === "") return `${what} cannot be empty.`;
  if (newName.length > MAX_NAME_LENGTH)
    return `${what} has at most ${MAX_NAME_LENGTH} characters; this one has ${newName.length}.`;
  if (!/^[A-Za-z]/.test(newName)) return `${what} starts with a letter.`;
  if (!isNameLike(newName)) return `${what} has only letters, digits, "_" and "-"; "${newName}" has something else.`;
  if (AMBIGUOUS.test(newName)) return `"${newName}" would not be read as text in YAML. Choose another name.`;
  if (isDefined(document, { kind: name.kind, name: newName }))
    return name.kind === "node"
      ? `There is already a node "${newName}". Two nodes cannot have the same id.`
      : `There is already ${name.kind === "variable" ? "a variable" : "an output"} "${newName}". Choose another name.`;
  return undefined;
}

const AMBIGUOUS = /^(true|false|null|yes|no|on|off|y|n)$/i;
