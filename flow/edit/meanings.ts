/** The intended effect of renaming and removing, block by block, which the guard checks edits against. */
import type { FlowDocument } from "../document";
import { replaceTemplates } from "../grammar";
import { topRefs, topText } from "../graph/graph-of";
import type { Meaning, WrittenBlock } from "../guard";

export function renamesNode(id: string, to: string): Meaning {
  return {
    changes: (said) => ({
      ...said,
      key: said.section === "nodes" && said.key === id ? to : said.key,
      data: renamedData(said, id, to),
      ...(said.edges && { edges: said.edges.map((edge) => withTarget(edge, id, to)) }),
    }),
    and: (document) => !namesNode(document, id),
  };
}

/** With `instead`, edges to the node point to that node. */
export function removesNode(id: string, instead?: string): Meaning {
  return {
    removes: true,
    changes: (said) => {
      if (said.section === "nodes" && said.key === id) return undefined;
      if (instead === undefined && said.section === "top" && said.key === "entry" && String(said.data) === id)
        return undefined;
      if (instead === undefined) return { ...said, edges: said.edges?.filter((edge) => targetOf(edge) !== id) ?? [] };
      return {
        ...said,
        data: renamedData(said, id, instead),
        ...(said.edges && { edges: said.edges.map((edge) => withTarget(edge, id, instead)) }),
      };
    },
    and: (document) => !namesNode(document, id),
  };
}

/**
 * Only the edges of a node change, and nodes may be added. Edges that come through an alias have the place of the alias,
 * so an edit of one could replace more than the edge.
 */
export function changesEdges(id: string, become: (edges: readonly unknown[]) => readonly unknown[]): Meaning {
  return {
    adds: true,
    changes: (said) => {
      if (said.section !== "nodes" || said.key !== id) return said;
      const { edges: _, ...data } = said.data as Record<string, unknown>;
      return { ...said, data, edges: become(said.edges ?? []) };
    },
  };
}

/** A list of edges in which one points to another node. */
export function retargeted(edges: readonly unknown[], index: number, to: string): readonly unknown[] {
  return edges.map((edge, at) => (at === index ? { ...(edge as object), to } : edge));
}

export function renamesVariable(name: string, to: string): Meaning {
  const inText = (data: unknown): unknown => {
    if (typeof data === "string") return replaceTemplates(data, name, to);
    if (Array.isArray(data)) return data.map(inText);
    if (data === null || typeof data !== "object") return data;
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, inText(value)]));
  };
  return {
    changes: (said) => {
      if (said.section === "context_variables")
        return said.key === name ? { ...said, key: to, data: { ...(said.data as object), name: to } } : said;
      const data = inText(said.data);
      if (said.section === "top") return { ...said, data };
      const { variable, saves, ...rest } = data as Record<string, unknown>;
      const saved = saves === null || typeof saves !== "object" || Array.isArray(saves) ? saves : renamedKey(saves);
      return {
        ...said,
        data: { ...rest, variable: variable === name ? to : variable, saves: saved },
        edges: said.edges?.map(inText) ?? [],
      };
    },
    and: (document) =>
      document.variable(name) === undefined &&
      !document.nodes.some((node) => node.refs.some((ref) => ref.name === name)) &&
      !topRefs(document).some(({ ref }) => ref.name === name),
  };
  function renamedKey(map: object): object {
    return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === name ? to : key, value]));
  }
}

export function renamesOutput(name: string, to: string): Meaning {
  const renamed = (output: unknown) =>
    output !== null && typeof output === "object" && "name" in output && output.name === name
      ? { ...output, name: to }
      : output;
  return {
    changes: (said) =>
      said.section === "top" && said.key === "component_outputs" && Array.isArray(said.data)
        ? { ...said, data: said.data.map(renamed) }
        : said,
  };
}

function renamedData({ section, key, data }: WrittenBlock, id: string, to: string): unknown {
  if (section === "top") return key === "entry" && String(data) === id ? to : data;
  return section === "nodes" && key === id ? { ...(data as object), id: to } : data;
}

function targetOf(edge: unknown): string | undefined {
  return edge !== null && typeof edge === "object" && "to" in edge && edge.to !== null ? String(edge.to) : undefined;
}

function withTarget(edge: unknown, id: string, to: string): unknown {
  return targetOf(edge) === id ? { ...(edge as object), to } : edge;
}

function namesNode(document: FlowDocument, id: string): boolean {
  return (
    document.node(id) !== undefined ||
    topText(document, "entry") === id ||
    document.nodes.some((node) => node.edges.some((edge) => edge.to === id))
  );
}
