/** The rules about component nodes: what they hand in and take out, held against the flow that the component is. */

import { AttachedCache } from "../attached-cache";
import type { FlowDocument, NodeBlock } from "../document";
import { topText } from "../graph/graph-of";
import { IncrementalFilter } from "../incremental-map";
import { nearest } from "../near";
import { fileNameIn, type Span } from "../text";
import { keyText, type Pair, pairOf, textOf } from "../values";
import type { Problem, Rule } from "./engine/rule";

/** A flow of the workspace as those that use it see it. */
export interface Component {
  /** As the file is called in messages. */
  readonly name: string;
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
}

/** What a file says to the flows that use it. */
export interface ComponentFacts {
  readonly uri: string;
  readonly assistant: string | undefined;
  readonly revision: string | undefined;
  /** Names of its variables, which a component takes as inputs, and of its outputs. */
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
  /** False where part of it could not be read, so that it may have more of them. */
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
 * Finds a component among files, which are looked at when the first one is wanted. Several revisions of one assistant may
 * be there: what any of them has is fine.
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
  for (const { uri, assistant, revision, variables, outputs, isWhole } of files) {
    const name = fileNameIn(uri);
    for (const id of new Set([assistant?.toLowerCase(), revision?.toLowerCase()])) {
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

/** Not part of fix-all, which knows one file alone. */
const changeTo: Rule["fixes"] = ({ span, data }) =>
  typeof data === "string" ? [{ title: `Change to "${data}"`, edits: [{ ...span, text: data }] }] : [];

export const componentOfItself: Rule = {
  code: "component-of-itself",
  severity: "warning",
  title: "A flow uses itself as a component",
};

export const unknownComponentInput: Rule = {
  code: "unknown-component-input",
  severity: "warning",
  title: "A component is handed something it has no variable for",
  fixes: changeTo,
};

export const unknownComponentOutput: Rule = {
  code: "unknown-component-output",
  severity: "warning",
  title: "A path names an output the component does not have",
  fixes: changeTo,
};

const componentNodes = new AttachedCache<FlowDocument, IncrementalFilter<NodeBlock>>();

/** Asked after every edit, and a flow may have ten thousand other nodes. */
function componentNodesOf(document: FlowDocument): readonly NodeBlock[] {
  let picked = componentNodes.get(document);
  if (!picked) {
    picked = new IncrementalFilter((node) => node.type === "component" && !node.isBroken);
    componentNodes.set(document, picked);
  }
  return picked.in(document.nodes);
}

type Report = (rule: Rule, finding: Pick<Problem, "message" | "span" | "data">) => void;

/** Looks at every component node; `find` knows the flows of the workspace by their assistant or revision. */
export function checkComponentNodes(
  document: FlowDocument,
  find: (id: string) => Component | undefined,
  report: Report,
): void {
  const own = new Set([topText(document, "assistant"), topText(document, "revision")].map((id) => id?.toLowerCase()));
  for (const node of componentNodesOf(document)) {
    const value = node.fields.get("component")?.value;
    const id = textOf(value);
    if (!value || !id) continue;
    if (own.has(id.toLowerCase())) {
      report(componentOfItself, {
        message: `"${node.id}" runs this very flow again, which runs it again, without an end. Name another flow's ID.`,
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
      message: `"${name}" has no context variable "${input}", so this input is lost. ${advice(near, variables)}`,
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
  if (near) return `Did you mean "${near}"?`;
  if (names.length === 0) return "It has none at all.";
  const shown = names.slice(0, 6).map((each) => `"${each}"`);
  return `It has ${shown.join(", ")}${names.length > 6 ? ` and ${names.length - 6} more` : ""}.`;
}
