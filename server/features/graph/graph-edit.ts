/** Converts edits on the graph page to minimal text edits. */

import {
  type EdgeModel,
  type FlowDocument,
  type Meaning,
  nodeType,
  pairOf,
  type TextEdit,
  textOf,
  whyNot,
} from "../../../flow";
import {
  addEdge,
  addNode,
  removeEdge,
  removeNode,
  removesNode,
  renameNode,
  renamesNode,
  setTop,
} from "../../../flow/edit";
import { t } from "../../../text";
import type { GraphEdit } from "../../messages";
import { nameProblem } from "../names/rename";

export type GraphEditResult = { readonly edits: readonly TextEdit[] } | { readonly problem: string };

/** The edits, or why they can't be made. */
export function graphEdit(document: FlowDocument, edit: GraphEdit): GraphEditResult {
  const result = editsFor(document, edit);
  if ("problem" in result) return result;
  if (!replacesEdges(document, edit) && whyNot(document, result.edits, meaningOf(edit)) === undefined) return result;
  return { problem: t("The graph can't make this change without affecting other parts. Edit the text instead.") };
}

/** Edges that aren't a list can't be read, so an edge can't be added to them. */
function replacesEdges(document: FlowDocument, edit: GraphEdit): boolean {
  if (edit.kind !== "connect" && edit.kind !== "add-after") return false;
  const value = document.node(edit.kind === "connect" ? edit.from : edit.id)?.edgesPair?.value;
  return value?.kind === "map" || (value?.kind === "scalar" && value.value !== null);
}

function meaningOf(edit: GraphEdit): Meaning {
  if (edit.kind === "rename") return renamesNode(edit.id, edit.name);
  if (edit.kind === "delete" && edit.element.kind === "node") return removesNode(edit.element.id);
  return { changes: "touched", removes: edit.kind === "delete" };
}

function editsFor(document: FlowDocument, edit: GraphEdit): GraphEditResult {
  switch (edit.kind) {
    case "rename": {
      const problem = nameProblem(document, { kind: "node", name: edit.id }, edit.name);
      return problem === undefined
        ? withNode(document, edit.id, () => renameNode(document, edit.id, edit.name))
        : { problem };
    }
    case "add-after": {
      const problem = nameProblem(document, { kind: "node", name: "" }, edit.name);
      return problem === undefined
        ? withNode(document, edit.id, () => addAfter(document, edit.id, edit.name, edit.type))
        : { problem };
    }
    case "connect":
      return connect(document, edit.from, edit.to, edit.when?.trim() || undefined);
    case "delete": {
      const { element } = edit;
      if (element.kind === "node") return withNode(document, element.id, () => removeNode(document, element.id));
      const edge = document.node(element.node)?.edges.find((candidate) => candidate.id === element.id);
      return edge
        ? { edits: removeEdge(document, element.node, edge.index) }
        : { problem: t("This edge is no longer in the file.") };
    }
    case "set-entry":
      return withNode(document, edit.id, () => setTop(document, "entry", edit.id));
  }
}

function withNode(document: FlowDocument, id: string, edits: () => readonly TextEdit[]): GraphEditResult {
  return document.node(id) ? { edits: edits() } : { problem: t('Node "{0}" is no longer in the file.', id) };
}

function connect(document: FlowDocument, from: string, to: string, when: string | undefined): GraphEditResult {
  const source = document.node(from);
  if (!source || !document.node(to)) return { problem: t("One of the two nodes is no longer in the file.") };
  if (nodeType(source.type)?.terminal)
    return { problem: t('"{0}" ends the conversation ({1}), so no edge can leave it.', from, source.type) };
  const present = source.edges.find((edge) => (when === undefined ? edge.isDefault : isOnlyWhen(edge, when)));
  if (present)
    return {
      problem:
        when === undefined
          ? t(
              '"{0}" already has a default edge to "{1}", so another one would never be taken. Enter a condition.',
              from,
              present.to ?? "",
            )
          : t(
              '"{0}" already has an edge to "{1}" with this condition, so another one would never be taken. Enter another condition.',
              from,
              present.to ?? "",
            ),
    };
  const edge = { target: to, ...(when === undefined ? {} : { when }) };
  // A condition goes before the default edge: after it, it would never be evaluated.
  const fallback = source.edges.findIndex((candidate) => candidate.isDefault);
  return { edits: addEdge(document, from, edge, when !== undefined && fallback >= 0 ? fallback : undefined) };
}

function isOnlyWhen({ value }: EdgeModel, when: string): boolean {
  return textOf(pairOf(value, "when")?.value)?.trim() === when && pairOf(value, "on") === undefined;
}

/**
 * Inserts a node between a node and the target of its default edge; without a default edge, adds an edge to the new
 * node. The edits are in different blocks, so they can be made together.
 */
function addAfter(document: FlowDocument, id: string, name: string, type: string): readonly TextEdit[] {
  const source = document.node(id);
  const terminal = nodeType(type)?.terminal ?? false;
  const fallback = source?.edges.find((edge) => edge.isDefault);
  const required = Object.fromEntries(
    (nodeType(type)?.fields ?? [])
      .filter((field) => field.required && field.name !== "edges")
      .map((field) => [field.name, `TODO ${field.name}`]),
  );
  const onwards = !terminal && fallback?.to !== undefined ? [{ target: fallback.to }] : [];
  const added = addNode(document, { id: name, type, ...required }, onwards, id);
  if (!source || nodeType(source.type)?.terminal) return added;
  if (!terminal && fallback?.toSpan) return [{ ...document.absolute(source, fallback.toSpan), text: name }, ...added];
  const leads = addEdge(document, id, { target: name }, fallback?.index);
  return [...leads, ...added];
}
