/** Converts edits on the graph page to minimal text edits. */

import {
  type EdgeModel,
  type FlowDocument,
  type Meaning,
  type NodeBlock,
  nodeType,
  pairOf,
  type TextEdit,
  textOf,
  whyNot,
} from "../../../flow";
import {
  addEdge,
  addNode,
  changesEdges,
  removeEdge,
  removeNode,
  removesNode,
  renameNode,
  renamesNode,
  retargeted,
  setTop,
} from "../../../flow/edit";
import { t } from "../../../text";
import type { GraphEdit } from "../../messages";
import { nameProblem } from "../names/rename";

export type GraphEditResult = { readonly edits: readonly TextEdit[] } | { readonly problem: string };

/** Edits with their intended effect, which is verified before they are made. */
interface Planned {
  readonly edits: readonly TextEdit[];
  readonly means: Meaning;
}

/** The edits, or why they can't be made. */
export function graphEdit(document: FlowDocument, edit: GraphEdit): GraphEditResult {
  const planned = planOf(document, edit);
  if ("problem" in planned) return planned;
  const { edits, means } = planned;
  if (!replacesEdges(document, edit) && whyNot(document, edits, means) === undefined) return { edits };
  return { problem: t("The graph can't make this change without affecting other parts. Edit the text instead.") };
}

/** Edges that aren't a list can't be read, so an edge can't be added to them. */
function replacesEdges(document: FlowDocument, edit: GraphEdit): boolean {
  if (edit.kind !== "connect" && edit.kind !== "add-after") return false;
  const value = document.node(edit.kind === "connect" ? edit.from : edit.id)?.edgesPair?.value;
  return value?.kind === "map" || (value?.kind === "scalar" && value.value !== null);
}

function planOf(document: FlowDocument, edit: GraphEdit): Planned | { readonly problem: string } {
  switch (edit.kind) {
    case "rename": {
      const { id, name } = edit;
      const problem = nameProblem(document, { kind: "node", name: id }, name);
      if (problem !== undefined) return { problem };
      return withNode(document, id, () => ({ edits: renameNode(document, id, name), means: renamesNode(id, name) }));
    }
    case "add-after": {
      const problem = nameProblem(document, { kind: "node", name: "" }, edit.name);
      if (problem !== undefined) return { problem };
      return withNode(document, edit.id, (node) => addAfter(document, node, edit.name, edit.type));
    }
    case "connect":
      return connect(document, edit.from, edit.to, edit.when?.trim() || undefined);
    case "delete": {
      const { element } = edit;
      if (element.kind === "node")
        return withNode(document, element.id, ({ id }) => ({
          edits: removeNode(document, id),
          means: removesNode(id),
        }));
      const edges = document.node(element.node)?.edges ?? [];
      const at = edges.findIndex((candidate) => candidate.id === element.id);
      if (at < 0) return { problem: t("This edge is no longer in the file.") };
      const means = changesEdges(element.node, (all) => all.toSpliced(at, 1));
      return {
        edits: removeEdge(document, element.node, (edges[at] as EdgeModel).index),
        means: { ...means, removes: true },
      };
    }
    case "set-entry":
      return withNode(document, edit.id, ({ id }) => ({
        edits: setTop(document, "entry", id),
        means: { changes: "touched" },
      }));
  }
}

function withNode(
  document: FlowDocument,
  id: string,
  plan: (node: NodeBlock) => Planned,
): Planned | { readonly problem: string } {
  const node = document.node(id);
  return node ? plan(node) : { problem: t('Node "{0}" is no longer in the file.', id) };
}

function connect(
  document: FlowDocument,
  from: string,
  to: string,
  when: string | undefined,
): Planned | { readonly problem: string } {
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
  const condition = when === undefined ? {} : { when };
  // A condition goes before the default edge: after it, it would never be evaluated.
  const fallback = source.edges.findIndex((candidate) => candidate.isDefault);
  const at = when !== undefined && fallback >= 0 ? fallback : source.edges.length;
  return {
    edits: addEdge(document, from, { target: to, ...condition }, at),
    means: changesEdges(from, (edges) => edges.toSpliced(at, 0, { to, ...condition })),
  };
}

function isOnlyWhen({ value }: EdgeModel, when: string): boolean {
  return textOf(pairOf(value, "when")?.value)?.trim() === when && pairOf(value, "on") === undefined;
}

/**
 * Inserts a node between a node and the target of its default edge; without a default edge, adds an edge to the new
 * node. The edits are in different blocks, so they can be made together.
 */
function addAfter(document: FlowDocument, source: NodeBlock, name: string, type: string): Planned {
  const { id, edges } = source;
  const terminal = nodeType(type)?.terminal ?? false;
  const at = edges.findIndex((edge) => edge.isDefault);
  const fallback = edges[at];
  const required = Object.fromEntries(
    (nodeType(type)?.fields ?? [])
      .filter((field) => field.required && field.name !== "edges")
      .map((field) => [field.name, `TODO ${field.name}`]),
  );
  const onwards = !terminal && fallback?.to !== undefined ? [{ target: fallback.to }] : [];
  const added = addNode(document, { id: name, type, ...required }, onwards, id);
  if (nodeType(source.type)?.terminal) return { edits: added, means: changesEdges(id, (all) => all) };
  if (!terminal && fallback?.toSpan)
    return {
      edits: [{ ...document.absolute(source, fallback.toSpan), text: name }, ...added],
      means: changesEdges(id, (all) => retargeted(all, at, name)),
    };
  const leads = addEdge(document, id, { target: name }, fallback?.index);
  const place = fallback ? at : edges.length;
  return {
    edits: [...leads, ...added],
    means: changesEdges(id, (all) => all.toSpliced(place, 0, { to: name })),
  };
}
