import { type Analysis, analyze, type NodeParts } from "../analysis";
import { AttachedCache } from "../attached-cache";
import type { Block, FlowDocument } from "../document";
import { unquoted } from "../model";
import { unused } from "../refactor/refactoring";
import { more, pathPlaces, tellPath } from "./analyses/paths";
import { type Cause, firstReads } from "./analyses/unset";
import { addNode, inOrder, quoted } from "./engine/edits";
import type { GraphFinding, Rule } from "./engine/rule";

/**
 * What runs of the machine come to is what is reported: a caller may give up, an answer may lack what would be saved, and only a
 * condition makes sure of a value. Reported at the first reads on each path; reads behind them have the same cause and are
 * counted there. What cannot be known is taken as set: a variable that has a source outside the conversation, one that is
 * handed to a component, and everything behind a node of unknown type.
 */
export const mayBeUnset: Rule = {
  code: "may-be-unset",
  severity: "warning",
  title: "A variable is read on a path where nothing has set it yet",
  checkGraph(flow, report) {
    const reads = firstReads(flow);
    const known = knownFindings(flow.document, flow.nodes.length);
    for (const read of reads.numbers) {
      const node = reads.nodeOf(read);
      report(known(flow, node, reads.useOf(read), reads.countOthers(read), reads.causeOf(read)));
    }
  },
  /** A node that asks for the variable comes between the reader and the node before it on the path. */
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
  /** What the node says, as an object that stays the same while the node does. */
  readonly part: NodeParts | undefined;
  readonly use: number;
  readonly others: number;
  readonly cause: Cause;
  readonly finding: GraphFinding;
}

/** What was last found in a document, by the number of the node. */
const found = new AttachedCache<FlowDocument, Known[][]>();

/**
 * There may be thousands of findings, of which an edit changes a few: one that says the same as before is the same object.
 * What more there is to tell of it is looked up when somebody asks, in the flow as it is then.
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
  const count = others > 0 ? ` ${more(others, "read")} after it ${others === 1 ? "has" : "have"} the same cause.` : "";
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
      const told = cut ? `${idOf(flow.entry)} → … → ${tellPath(flow, path)}` : tellPath(flow, path);
      const last = path.slice(0, -1).findLast((each) => setsIt(flow, each, name));
      if (cause !== "may-fail" || last === undefined) return `No node on the path ${told} sets "${name}".`;
      const fails = flow.nodes[last]?.type === "collect" ? "the caller may give up" : `the answer may lack "${name}"`;
      return `On the path ${told} ${fails} at "${idOf(last)}".`;
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
        return reads.othersOf(node, use, most).map((at) => ({ message: `"${idOf(at.node)}" reads it too.`, at }));
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
      return `${unset}: a caller may give up, and an answer may lack it.${count} Lead to "${id}" by an edge that makes sure of it, such as one with "{{${name}}} is known".`;
    case "asked-after":
      return `${unset}: it's read before it's asked for.${count}`;
    case "never-set":
      return `${unset}: no node of this flow sets it.${count} Collect it first, or say with "source" where it comes from.`;
  }
}

function setsIt({ nodes }: Analysis, node: number, name: string): boolean {
  return nodes[node]?.refs.some((ref) => ref.kind !== "template" && ref.name === name) === true;
}

/** The id of the node before the reader on the path that is told; undefined where the flow starts at the reader. */
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
