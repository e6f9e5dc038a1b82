/** Rules about component nodes: their inputs and outputs must match the component's flow. */

import type { FlowDocument, NodeBlock } from "../document";
import { topText } from "../graph/graph-of";
import { fileNameIn, type Span } from "../text";
import { keyText, type Pair, pairOf, textOf } from "../values";
import { didYouMean, listNames, nearest } from "../wording";
import { type Problem, type Rule, replaceWithData } from "./engine/rule";

/** A flow of the workspace as its callers see it. */
export interface Component {
  /** The file name used in messages. */
  readonly name: string;
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
}

/** The facts about a flow that its callers need. */
export interface ComponentFacts {
  readonly uri: string;
  readonly assistant: string | undefined;
  readonly revision: string | undefined;
  /** What else a `component` may name it by, from the project file: its IDs in environments, and `$name`s. */
  readonly names?: readonly string[];
  /** The names of its variables, which are a component's inputs, and of its outputs. */
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
  /** False if part of the file couldn't be read, so it may have more of them. */
  readonly isWhole: boolean;
}

export function componentFacts(uri: string, document: FlowDocument): ComponentFacts {
  const outputs = document.top("component_outputs")?.value;
  return {
    uri,
    assistant: topText(document, "assistant"),
    revision: topText(document, "revision"),
    variables: document.variables.map((variable) => variable.name),
    outputs: outputs?.kind === "list" ? outputs.items.flatMap((item) => textOf(pairOf(item, "name")?.value) ?? []) : [],
    isWhole: document.problems.length === 0,
  };
}

/**
 * Finds a component by ID; the files are read on first use. If several revisions of one assistant exist, a name that
 * any of them has is accepted.
 */
export function componentsIn(files: () => Iterable<ComponentFacts>): (id: string) => Component | undefined {
  let known: Map<string, Component | undefined> | undefined;
  return (id) => {
    known ??= indexed(files());
    return known.get(id.toLowerCase());
  };
}

function indexed(files: Iterable<ComponentFacts>): Map<string, Component | undefined> {
  const known = new Map<string, Component | undefined>();
  for (const { uri, assistant, revision, names = [], variables, outputs, isWhole } of files) {
    const name = fileNameIn(uri);
    for (const id of new Set([assistant, revision, ...names].map((each) => each?.toLowerCase()))) {
      if (id === undefined) continue;
      const other = known.get(id);
      if (!isWhole || (known.has(id) && !other)) known.set(id, undefined);
      else if (!other) known.set(id, { name, variables, outputs });
      else
        known.set(id, {
          name: other.name,
          variables: [...other.variables, ...variables],
          outputs: [...other.outputs, ...outputs],
        });
    }
  }
  return known;
}

/** Not preferred, because fix-all works on one file only. */
const changeTo = replaceWithData(undefined, undefined, false);

export const componentOfItself: Rule = {
  code: "component-of-itself",
  severity: "warning",
  title: "Recursive component",
};

export const unknownComponentInput: Rule = {
  code: "unknown-component-input",
  severity: "warning",
  title: "Unknown component input",
  fixes: changeTo,
};

export const unknownComponentOutput: Rule = {
  code: "unknown-component-output",
  severity: "warning",
  title: "Unknown component output",
  fixes: changeTo,
};

type Report = (rule: Rule, finding: Pick<Problem, "message" | "span" | "data">) => void;

/** Checks every component node; `find` returns the flow with a given assistant or revision ID. */
export function checkComponentNodes(
  document: FlowDocument,
  find: (id: string) => Component | undefined,
  report: Report,
): void {
  const own = new Set([topText(document, "assistant"), topText(document, "revision")].map((id) => id?.toLowerCase()));
  for (const node of document.nodes) {
    if (node.type !== "component" || node.isBroken) continue;
    const value = node.fields.get("component")?.value;
    const id = textOf(value);
    if (!value || !id) continue;
    if (own.has(id.toLowerCase())) {
      report(componentOfItself, {
        message: `"${node.id}" runs this flow recursively and never ends. Use another flow's ID.`,
        span: document.absolute(node, value.span),
      });
      continue;
    }
    const component = find(id);
    if (!component) continue;
    checkInputs(document, node, component, report);
    checkOutputs(document, node, component, report);
  }
}

function pairsOf(node: NodeBlock, field: string): readonly Pair[] {
  const map = pairOf(node.value, field)?.value;
  return map?.kind === "map" ? map.pairs : [];
}

function checkInputs(document: FlowDocument, node: NodeBlock, { name, variables }: Component, report: Report): void {
  for (const pair of pairsOf(node, "inputs")) {
    const input = keyText(pair);
    if (variables.includes(input)) continue;
    const near = nearest(input, variables);
    report(unknownComponentInput, {
      message: `"${name}" has no context variable "${input}", so this input is ignored. ${advice(near, variables)}`,
      span: document.absolute(node, pair.key.span),
      ...(near ? { data: near } : {}),
    });
  }
}

function checkOutputs(document: FlowDocument, node: NodeBlock, { name, outputs }: Component, report: Report): void {
  for (const { value } of pairsOf(node, "saves")) {
    const path = value?.kind === "scalar" ? /^\$\.([A-Za-z_][\w-]*)/.exec(String(value.value))?.[1] : undefined;
    if (!value || path === undefined || outputs.includes(path)) continue;
    const near = nearest(path, outputs);
    const source = node.text.slice(value.span.start, value.span.end);
    const start = value.span.start + Math.max(0, source.indexOf(`$.${path}`)) + 2;
    const span: Span = { start, end: start + path.length };
    report(unknownComponentOutput, {
      message: `"${name}" has no output "${path}", so nothing is saved. ${advice(near, outputs)}`,
      span: document.absolute(node, span),
      ...(near ? { data: near } : {}),
    });
  }
}

function advice(near: string | undefined, names: readonly string[]): string {
  if (near) return didYouMean(near);
  if (names.length === 0) return "It doesn't declare any.";
  return `Available: ${listNames(names)}.`;
}
