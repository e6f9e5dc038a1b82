import { analyse } from "../analysis";
import type { Entry, FlowDocument } from "../document";
import { unquoted } from "../model";
import { unused } from "../refactor/refactoring";
import { addNode, inOrder, quoted } from "./edits";
import { more, pathPlaces, tellPath } from "./paths";
import type { Rule } from "./rule";
import { firstReads } from "./unset";

/**
 * Reported at the first reads on each path; reads behind them have the same cause and are counted there. What cannot be
 * known is taken as set: a variable that no node of the flow sets, or that has a source outside the conversation;
 * everything behind a node of unknown type; and a variable that an edge of the node asks about, since asking is how a
 * flow finds out whether a value is known.
 */
export const mayBeUnset: Rule = {
  code: "may-be-unset",
  severity: "warning",
  title: "A variable is read on a path where nothing has set it yet",
  checkGraph(flow, report) {
    const idOf = (node: number) => flow.nodes[node]?.id ?? "";
    for (const { read, others, path: pathOf } of firstReads(flow)) {
      const name = flow.nodes[read.node]?.refs[read.use]?.name ?? "";
      const id = idOf(read.node);
      const count =
        others.length > 0
          ? ` ${more(others.length, "read")} after it ${others.length === 1 ? "has" : "have"} the same cause.`
          : "";
      report({
        message: `"${name}" may be unset when "${id}" reads it.${count} Collect it first, on every path to "${id}".`,
        at: { node: read.node, use: read.use },
        data: { name },
        why: () => {
          const { path, cut } = pathOf();
          if (path.length < 2) return `The flow starts at "${id}", and nothing has set "${name}" yet.`;
          const told = cut ? `${idOf(flow.entry)} → … → ${tellPath(flow, path)}` : tellPath(flow, path);
          return `No node on the path ${told} sets "${name}".`;
        },
        related: () => {
          const { path, cut } = pathOf();
          return pathPlaces(flow, path.slice(0, -1), (each, step) =>
            step === 0 && !cut ? `From "${each}" …` : `… through "${each}" …`,
          );
        },
        ...(others.length > 0 && {
          also: () => others.map((at) => ({ message: `"${idOf(at.node)}" reads it too.`, at })),
        }),
      });
    }
  },
  /** A node that asks for the variable comes between the reader and the node before it on the path. */
  fixes({ span, data }, document) {
    const { name } = data as { name: string };
    const reader = document.entryAt(span.start);
    const from = nodeBefore(document, reader, name);
    const before = from === undefined ? undefined : document.node(from);
    if (reader?.section !== "nodes") return [];
    const id = unused(`ask_${name}`.slice(0, 60), (other) => document.node(other) !== undefined);
    const entry = document.top("entry");
    const places = before
      ? before.edges.flatMap(({ to, toSpan }) =>
          to === reader.key && toSpan ? [document.absolute(before, toSpan)] : [],
        )
      : entry?.value?.kind === "scalar"
        ? [document.absolute(entry, unquoted(entry.value))]
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

/** The id of the node before the reader on the path that is told; undefined where the flow starts at the reader. */
function nodeBefore(document: FlowDocument, reader: Entry | undefined, name: string): string | undefined {
  const flow = analyse(document);
  const first = firstReads(flow).find(({ read: { node, use } }) => {
    const entry = flow.nodes[node];
    return entry === reader && entry?.refs[use]?.name === name;
  });
  const before = first?.path().path.at(-2);
  return before === undefined ? undefined : flow.nodes[before]?.id;
}
