/**
 * Computes edits that make a document equal to a given graph and keep everything else, including comments and layout.
 *
 * In YAML, a small change can have side effects (anchors, merge keys, block scalars that keep their last empty lines).
 * So the result is parsed again, and remaining differences are changed once more, finally by rewriting whole blocks. A
 * file with syntax errors only gets the small changes; nothing in it is rewritten.
 */
import { type Block, FlowDocument, type NodeBlock, type VariableBlock } from "../document";
import { edgesBySource, type Graph, sameElement, sameGraph, sameOutputs } from "../graph/graph";
import { graphOf, topText } from "../graph/graph-of";
import { applyEdits, type TextEdit } from "../text";
import { toData, type Value } from "../values";
import { changeValue } from "./change";
import { composeEdits } from "./compose";
import { changeMap, type MapTarget } from "./containers";
import { changeNode, changeVariable, nodeData, variableData } from "./elements";
import { closingBrace, emptyBraces, mapOf, open, type Page, valueIn } from "./page";
import { replaceValue, type Slot } from "./slot";
import { pairText } from "./write";

export function applyGraph(document: FlowDocument, target: Graph): TextEdit[] {
  const length = document.length;
  const broken = document.problems.some((problem) => problem.code !== "duplicate-key");
  let edits: TextEdit[] = [];
  let now = document;
  for (const round of ["small", "small", "small", "entries", "all"] as const) {
    if (sameGraph(graphOf(now), target)) break;
    if (broken && now !== document) break;
    const step = round === "all" ? rewrite(now, target) : changeTops(open(now), target, round === "entries");
    edits = composeEdits(edits, step, length);
    now = FlowDocument.read(applyEdits(document.text, edits));
  }
  return edits;
}

/**
 * The target, but with what the document has where it has syntax errors: what isn't known there can't be compared with
 * the target, and would differ from it.
 */
export function exceptBroken(document: FlowDocument, target: Graph): Graph {
  const own = graphOf(document);
  const isOpen = (block: Block | undefined, name: string) => block?.isBroken ?? document.mayHold(name);
  const top = (key: string) => (isOpen(document.top(key), key) ? own : target);
  const { persona } = top("persona");
  const { entry } = top("entry");
  const isOpenNode = (id: string) => top("nodes") === own || isOpen(document.node(id), id);
  const isOpenVariable = (name: string) => top("context_variables") === own || isOpen(document.variable(name), name);
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(entry === undefined ? {} : { entry }),
    nodes: either(own.nodes, target.nodes, isOpenNode),
    edges: either(own.edges, target.edges, (_, { source }) => isOpenNode(source)),
    variables: either(own.variables, target.variables, isOpenVariable),
    outputs: top("component_outputs").outputs,
  };
}

/** The open members of `own` and the other ones of `target`. */
function either<T>(
  own: ReadonlyMap<string, T>,
  target: ReadonlyMap<string, T>,
  isOpen: (key: string, member: T) => boolean,
): Map<string, T> {
  return new Map([
    ...[...target].filter(([key, member]) => !isOpen(key, member)),
    ...[...own].filter(([key, member]) => isOpen(key, member)),
  ]);
}

/** The conventional order of top-level keys. */
const ORDER = ["assistant", "revision", "persona", "entry", "context_variables", "nodes", "component_outputs"];
const SECTIONS = ["context_variables", "nodes", "component_outputs"];

/** Edits of the top-level keys; if `rewrites`, each changed block is written again. */
export function changeTops(page: Page, target: Graph, rewrites = false): TextEdit[] {
  const { document, text, style } = page;
  const broken = document.problems.some((problem) => problem.code === "yaml-syntax");
  if (document.tops.length === 0) return broken ? [] : rewrite(document, target);
  const tops = mapOf(page, document.tops);
  const blockOf = (key: string) => document.top(key) as Block;
  const scalar = (key: string, wanted: string): MapTarget => ({
    key,
    data: wanted,
    change: (_, slot) =>
      topText(document, key) === wanted ? [] : replaceValue(text, slot, valueIn(page, blockOf(key)), wanted, style),
  });
  const data = new Map(topData(target));
  const targets = ORDER.flatMap((key): MapTarget[] => {
    const wanted = data.get(key);
    const exists = document.top(key) !== undefined;
    const airy = SECTIONS.includes(key);
    if (key === "assistant" || key === "revision") return exists ? [{ key, data: undefined, change: () => [] }] : [];
    if (wanted === undefined && key !== "nodes") return [];
    if (key === "persona" || key === "entry") return [scalar(key, wanted as string)];
    if (key === "nodes") {
      if (!exists && wanted === undefined) return [];
      return [
        { key, data: wanted, airy, change: (_, slot) => changeNodes(page, slot, blockOf(key), target, rewrites) },
      ];
    }
    if (key === "context_variables")
      return [
        { key, data: wanted, airy, change: (_, slot) => changeVariables(page, slot, blockOf(key), target, rewrites) },
      ];
    const same = sameOutputs(graphOf(document).outputs, target.outputs);
    const change = (slot: Slot) => changeValue(text, slot, valueIn(page, blockOf(key)), target.outputs, style);
    return [{ key, data: wanted, airy, change: (_, slot) => (same ? [] : change(slot)) }];
  });
  const graph = new Map(topData(graphOf(document)));
  // A key that contributes nothing to the graph, such as an invalid entry, is an unfinished line of the user.
  const keep = (key: string) => !ORDER.includes(key) || !graph.has(key);
  return changeMap(text, tops, targets, keep, style) ?? (broken ? [] : rewrite(document, target));
}

function changeNodes(page: Page, slot: Slot, section: Block, target: Graph, rewrites: boolean): TextEdit[] {
  const edges = edgesBySource(target);
  const known = mapOf(page, page.document.nodes);
  const targets = [...target.nodes.values()].map(
    (node): MapTarget => ({
      key: node.id,
      data: nodeData(node, edges.get(node.id) ?? []),
      airy: page.style.airyNodes,
      change: (pair, at) => {
        const block = known.of.get(pair) as NodeBlock;
        const changed = changeNode(page, at, block, node, edges.get(node.id) ?? []);
        const rewritten = rewrites && changed?.length !== 0;
        return rewritten
          ? replaceValue(page.text, at, valueIn(page, block), nodeData(node, edges.get(node.id) ?? []), page.style)
          : changed;
      },
    }),
  );
  return changeSection(page, slot, section, known, targets, rewrites);
}

function changeVariables(page: Page, slot: Slot, section: Block, target: Graph, rewrites: boolean): TextEdit[] {
  const known = mapOf(page, page.document.variables);
  const targets = [...target.variables.values()].map(
    (variable): MapTarget => ({
      key: variable.name,
      data: variableData(variable),
      change: (pair, at) => {
        const block = known.of.get(pair) as VariableBlock;
        if (!rewrites || sameElement(block.wire, variable)) return changeVariable(page, at, block, variable);
        return replaceValue(page.text, at, valueIn(page, block), variableData(variable), page.style);
      },
    }),
  );
  return changeSection(page, slot, section, known, targets, rewrites);
}

function changeSection(
  page: Page,
  slot: Slot,
  section: Block,
  known: ReturnType<typeof mapOf>,
  targets: readonly MapTarget[],
  once: boolean,
): TextEdit[] {
  const { text, style } = page;
  if (known.pairs.length === 0 && targets.length === 0) return [];
  const edits = changeMap(text, known, targets, () => false, style, once);
  const data = Object.fromEntries(targets.map((target) => [target.key, target.data]));
  return edits ?? replaceValue(text, slot, sectionValue(page, slot, section, known), data, style);
}

/** The blocks of a section as one value. */
function sectionValue(page: Page, slot: Slot, section: Block, known: ReturnType<typeof mapOf>): Value | undefined {
  const { document, text } = page;
  const [first, last] = [known.pairs[0], known.pairs.at(-1)];
  if (first && last) {
    const start = known.flow ? text.indexOf("{", slot.from) : first.key.span.start;
    const end = known.flow
      ? closingBrace(page, known.of.get(last) as Block, document.extentOf(section).end)
      : last.span.end;
    return { kind: "map", flow: known.flow, pairs: [], span: { start, end } };
  }
  if (section.value?.kind !== "map") return valueIn(page, section);
  const span = emptyBraces(text, document.startOf(section) + section.keySpan.end);
  return span && { kind: "map", flow: true, pairs: [], span };
}

/** Rewrites the whole file, keeping the comments at its top and the keys that aren't part of the graph. */
function rewrite(document: FlowDocument, target: Graph): TextEdit[] {
  const { text, style } = open(document);
  const header =
    document.tops.length > 0
      ? document.header.replace(/\{\s*$/, "")
      : (/^\uFEFF?(?:[ \t]*(?:#.*)?(?:\r?\n|$))*/.exec(text)?.[0] ?? "");
  const data = new Map(topData(target));
  for (const block of document.tops)
    if (!ORDER.slice(2).includes(block.key) && !data.has(block.key)) data.set(block.key, toData(block.value));
  const rank = (key: string) => (ORDER.indexOf(key) + ORDER.length) % ORDER.length;
  const keys = [...data.keys()].sort((a, b) => rank(a) - rank(b));
  const parts = keys.map(
    (key, i) => (SECTIONS.includes(key) && i > 0 ? style.eol : "") + pairText(key, data.get(key), 0, style) + style.eol,
  );
  const gap = header === "" || header.endsWith("\n") || header === "\uFEFF" ? "" : style.eol;
  return [{ start: 0, end: text.length, text: header + gap + parts.join("") }];
}

/** A graph as the top-level keys of a file; empty ones are left out. */
function topData(graph: Graph): [string, unknown][] {
  const edges = edgesBySource(graph);
  const nodes = [...graph.nodes.values()].map((node) => [node.id, nodeData(node, edges.get(node.id) ?? [])]);
  const variables = [...graph.variables.values()].map((variable) => [variable.name, variableData(variable)]);
  const entries: [string, unknown][] = [
    ["persona", graph.persona ?? undefined],
    ["entry", graph.entry ?? undefined],
    ["context_variables", variables.length > 0 ? Object.fromEntries(variables) : undefined],
    ["nodes", nodes.length > 0 ? Object.fromEntries(nodes) : undefined],
    ["component_outputs", graph.outputs.length > 0 ? graph.outputs : undefined],
  ];
  return entries.filter(([, value]) => value !== undefined);
}
