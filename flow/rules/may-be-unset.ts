import { type Analysis, analyze, type NodeParts } from "../analysis";
import { AttachedCache } from "../attached-cache";
import type { Block, FlowDocument } from "../document";
import { unquoted } from "../model";
import { unused } from "../refactor/refactoring";
import { countMore } from "../wording";
import { pathPlaces, tellPath } from "./analyses/paths";
import { type Cause, firstReads } from "./analyses/unset";
import { addNode, inOrder, quoted } from "./engine/edits";
import type { GraphFinding, Rule } from "./engine/rule";

/**
 * Reports what runs would read: a caller may give up, a result may lack a value, and only a condition guarantees one.
 * Reported at the first reads on each path; later reads with the same cause are counted there. Anything uncertain
 * counts as set: a variable with a source outside the conversation, an input of a component, and everything after a
 * node of unknown type.
 */
export const mayBeUnset: Rule = {
  code: "may-be-unset",
  severity: "warning",
  title: "Possibly unset variable",
  checkGraph(flow, report) {
    const reads = firstReads(flow);
    const known = knownFindings(flow.document, flow.nodes.length);
    for (const read of reads.numbers) {
      const node = reads.nodeOf(read);
      report(known(flow, node, reads.useOf(read), reads.countOthers(read), reads.causeOf(read)));
    }
  },
  /** Inserts a node that collects the variable before the reader, on the reported path. */
  fixes({ span, data }, document) {
    const { name, cause } = data as { name: string; cause: Cause };
    const reader = document.blockAt(span.start);
    const from = nodeBefore(document, reader, name);
    const before = from === undefined ? undefined : document.node(from);
    if (reader?.section !== "nodes" || cause === "may-fail" || cause === "asked-after") return [];
    const id = unused(`ask_${name}`.slice(0, 60), (other) => document.node(other) !== undefined);
    const block = document.top("entry");
    const places = before
      ? before.edges.flatMap(({ to, toSpan }) =>
          to === reader.key && toSpan ? [document.absolute(before, toSpan)] : [],
        )
      : block?.value?.kind === "scalar"
        ? [document.absolute(block, unquoted(block.value))]
        : [];
    const added = addNode(document, id, [
      ["type", "collect"],
      ["variable", name],
      ["instructions", quoted(`Ask for ${name.replaceAll("_", " ")}.`)],
      ["edges", `[{to: ${reader.key}}]`],
    ]);
    if (!added || places.length === 0) return [];
    const edits = inOrder([...places.map((place) => ({ ...place, text: id })), added]);
    return [{ title: `Ask for "${name}" before "${reader.key}"`, edits }];
  },
};

interface Known {
  /** The parts of the node, the same object while the node doesn't change. */
  readonly part: NodeParts | undefined;
  readonly use: number;
  readonly others: number;
  readonly cause: Cause;
  readonly finding: GraphFinding;
}

/** The last findings in a document, by node number. */
const found = new AttachedCache<FlowDocument, Known[][]>();

/**
 * There may be thousands of findings, of which an edit changes a few, so an equal finding stays the same object. Its
 * details are computed on request, from the current flow.
 */
function knownFindings(document: FlowDocument, nodes: number) {
  const byNode = found.get(document) ?? [];
  found.set(document, byNode);
  byNode.length = Math.min(byNode.length, nodes);
  return (flow: Analysis, node: number, use: number, others: number, cause: Cause): GraphFinding => {
    const part = flow.parts[node];
    while (byNode.length <= node) byNode.push([]);
    let list = byNode[node] as Known[];
    for (const each of list)
      if (each.part === part && each.use === use && each.others === others && each.cause === cause) return each.finding;
    list = list.filter((each) => each.part === part && each.use !== use);
    const finding = findingAt(flow, node, use, others, cause);
    list.push({ part, use, others, cause, finding });
    byNode[node] = list;
    return finding;
  };
}

function findingAt(
  { document, nodes }: Analysis,
  node: number,
  use: number,
  others: number,
  cause: Cause,
): GraphFinding {
  const name = nodes[node]?.refs[use]?.name ?? "";
  const id = nodes[node]?.id ?? "";
  const count =
    others > 0 ? ` ${countMore(others, "read")} after it ${others === 1 ? "has" : "have"} the same cause.` : "";
  const look = () => {
    const flow = analyze(document);
    return { flow, reads: firstReads(flow), idOf: (each: number) => flow.nodes[each]?.id ?? "" };
  };
  return {
    message: messageFor(cause, name, id, count),
    ...(cause === "path" ? {} : { severity: "info" }),
    at: { node, use },
    data: { name, cause },
    why: () => {
      const { flow, reads, idOf } = look();
      const { path, cut } = reads.pathTo(node, use);
      if (path.length < 2) return `The flow starts at "${id}", and nothing has set "${name}" yet.`;
      const shown = cut ? `${idOf(flow.entry)} → … → ${tellPath(flow, path)}` : tellPath(flow, path);
      const last = path.slice(0, -1).findLast((each) => setsIt(flow, each, name));
      if (cause !== "may-fail" || last === undefined) return `No node on the path ${shown} sets "${name}".`;
      const fails = flow.nodes[last]?.type === "collect" ? "the caller may give up" : `the result may lack "${name}"`;
      return `On the path ${shown}, ${fails} at "${idOf(last)}".`;
    },
    related: () => {
      const { flow, reads } = look();
      const { path, cut } = reads.pathTo(node, use);
      return pathPlaces(flow, path.slice(0, -1), (each, step) =>
        step === 0 && !cut ? `From "${each}" …` : `… through "${each}" …`,
      );
    },
    ...(others > 0 && {
      also: (most?: number) => {
        const { reads, idOf } = look();
        return reads.othersOf(node, use, most).map((at) => ({ message: `"${idOf(at.node)}" also reads it.`, at }));
      },
    }),
  };
}

function messageFor(cause: Cause, name: string, id: string, count: string): string {
  const unset = `"${name}" may be unset when "${id}" reads it`;
  switch (cause) {
    case "path":
      return `${unset}.${count} Collect it first, on every path to "${id}".`;
    case "may-fail":
      return `${unset}: the caller may give up, or the result may lack it.${count} Add a condition such as \`{{${name}}} is known\` to the edge to "${id}".`;
    case "asked-after":
      return `${unset}: it's read before it's collected.${count}`;
    case "never-set":
      return `${unset}: no node in this flow sets it.${count} Collect it first, or set \`source\` to where it comes from.`;
  }
}

function setsIt({ nodes }: Analysis, node: number, name: string): boolean {
  return nodes[node]?.refs.some((ref) => ref.kind !== "template" && ref.name === name) === true;
}

/** The ID of the node before the reader on the reported path; undefined if the flow starts at the reader. */
function nodeBefore(document: FlowDocument, reader: Block | undefined, name: string): string | undefined {
  const flow = analyze(document);
  const reads = firstReads(flow);
  const first = reads.numbers.find((read) => {
    const block = flow.nodes[reads.nodeOf(read)];
    return block === reader && block?.refs[reads.useOf(read)]?.name === name;
  });
  const before = first === undefined ? undefined : reads.pathTo(reads.nodeOf(first), reads.useOf(first)).path.at(-2);
  return before === undefined ? undefined : flow.nodes[before]?.id;
}
