import { type Analysis, type NodeParts, UseKind } from "../analysis";
import { unquoted } from "../model";
import { unused } from "../refactor/refactoring";
import { textOf } from "../values";
import { addNode, inOrder, quoted } from "./edits";
import { pathPlaces, tellPath } from "./paths";
import type { Rule } from "./rule";

/**
 * A variable is followed from the entry along every path for as long as nothing sets it; a node that reads it there is
 * reported, with the path. What cannot be known is taken as set: a variable that no node of the flow sets, or that has
 * a source outside the conversation; everything behind a node of unknown type; and a variable that an edge of the node
 * asks about, since asking is how a flow finds out whether a value is known. After the first read on a path the
 * variable counts as set, so that one mistake is told once.
 */
export const mayBeUnset: Rule = {
  code: "may-be-unset",
  severity: "warning",
  title: "A variable is read on a path where nothing has set it yet",
  checkGraph(flow, report) {
    if (flow.entry < 0) return;
    const { bits, count } = trackedVariables(flow);
    if (count === 0) return;
    const spread = new Spread(flow, bits, count);
    spread.run();
    for (let node = 0; node < flow.nodes.length; node++) {
      const reads = spread.reads[node];
      if (!reads) continue;
      for (const { bit, use } of reads) {
        if (!spread.has(node, bit)) continue;
        const name = flow.nodes[node]?.refs[use]?.name ?? "";
        const { path, cut } = spread.pathTo(node, bit);
        const told = cut ? `${flow.nodes[flow.entry]?.id} → … → ${tellPath(flow, path)}` : tellPath(flow, path);
        const why =
          path.length > 1 ? `no node on the path ${told} sets it` : "the flow starts there, and nothing has set it";
        report({
          message: `"${name}" may not be set yet when "${flow.nodes[node]?.id}" reads it: ${why}. Collect it before, or lead the path past a node that does.`,
          at: { node, use },
          related: pathPlaces(flow, path.slice(0, -1), (id, step) =>
            step === 0 && !cut ? `From "${id}" …` : `… to "${id}" …`,
          ),
          data: { name, from: path.length > 1 ? flow.nodes[path.at(-2) as number]?.id : undefined },
        });
      }
    }
  },
  /** A node that asks for the variable comes between the reader and the node before it on the path. */
  fixes({ span, data }, document) {
    const { name, from } = data as { name: string; from?: string };
    const reader = document.entryAt(span.start);
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

interface Read {
  readonly bit: number;
  readonly use: number;
}

/** The bit of each symbol that is tracked, else -1: declared, learned in the conversation, set and read by some node. */
function trackedVariables(flow: Analysis): { bits: Int32Array; count: number } {
  const set = new Uint8Array(flow.symbols);
  const read = new Uint8Array(flow.symbols);
  for (let node = 0; node < flow.parts.length; node++) {
    const { uses, useKinds } = flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++) (useKinds[use] === UseKind.sets ? set : read)[uses[use] as number] = 1;
  }
  const bits = new Int32Array(flow.symbols).fill(-1);
  let count = 0;
  flow.document.variables.forEach((variable, number) => {
    const symbol = flow.symbolOf(variable.name);
    if (!set[symbol] || !read[symbol] || flow.variableOf(symbol) !== number) return;
    const source = textOf(variable.fields.get("source")?.value);
    if (source === undefined || source === "derived") bits[symbol] = count++;
  });
  return { bits, count };
}

const MAX_STEPS = 64;

/** Which variables may be unset at which node: sets of bits that spread along the edges until nothing new arrives. */
class Spread {
  readonly reads: (Read[] | undefined)[];
  readonly #words: number;
  readonly #unset: Int32Array;
  /** What a node does to the bits on their way out: on every edge, and on edges that are no event. */
  readonly #always: Int32Array;
  readonly #done: Int32Array;
  /** For each arrival of new bits at a node: where they came from, and the arrival at that node before. */
  readonly #from: number[] = [];
  readonly #bits: number[] = [];
  readonly #earlier: number[] = [];
  readonly #latest: Int32Array;

  constructor(
    private readonly flow: Analysis,
    tracked: Int32Array,
    variables: number,
  ) {
    const count = flow.nodes.length;
    this.reads = new Array(count).fill(undefined);
    this.#words = (variables + 31) >> 5;
    this.#unset = new Int32Array(count * this.#words);
    this.#always = new Int32Array(count * this.#words);
    this.#done = new Int32Array(count * this.#words);
    this.#latest = new Int32Array(count).fill(-1);
    for (let node = 0; node < count; node++) this.#learn(node, tracked);
    const entry = flow.entry;
    for (let bit = 0; bit < variables; bit++) this.#mark(this.#unset, entry, bit);
  }

  has(node: number, bit: number): boolean {
    return (((this.#unset[node * this.#words + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  /** Sweeps over the nodes in an order where callers mostly come first, so that a few sweeps are enough. */
  run(): void {
    const { out, parts, entry } = this.flow;
    const words = this.#words;
    const order = callersFirst(out, entry);
    const waiting = new Uint8Array(parts.length);
    const fresh = new Int32Array(words);
    waiting[entry] = 1;
    for (let again = true; again; ) {
      again = false;
      for (const node of order) {
        if (!waiting[node]) continue;
        waiting[node] = 0;
        const part = parts[node] as NodeParts;
        if (part.kind === "unknown") continue;
        for (let i = out.start[node] as number; i < (out.start[node + 1] as number); i++) {
          const target = out.to[i] as number;
          // An event is taken instead of the node's own result: what the node would have set is not set.
          const event = part.events[out.edge[i] as number] === true;
          let any = 0;
          for (let w = 0; w < words; w++) {
            const at = node * words + w;
            let bits = (this.#unset[at] as number) & ~(this.#always[at] as number);
            if (!event) bits &= ~(this.#done[at] as number);
            const arrived = bits & ~(this.#unset[target * words + w] as number);
            fresh[w] = arrived;
            any |= arrived;
          }
          if (any === 0) continue;
          for (let w = 0; w < words; w++) {
            const at = target * words + w;
            this.#unset[at] = (this.#unset[at] as number) | (fresh[w] as number);
            this.#bits.push(fresh[w] as number);
          }
          this.#from.push(node);
          this.#earlier.push(this.#latest[target] as number);
          this.#latest[target] = this.#from.length - 1;
          waiting[target] = 1;
          again = true;
        }
      }
    }
  }

  /** The way a bit took from the entry to a node; only its end where it is very long. */
  pathTo(node: number, bit: number): { path: number[]; cut: boolean } {
    const path = [node];
    for (let at = node; path.length < MAX_STEPS; ) {
      let arrival = this.#latest[at] as number;
      while (arrival >= 0 && !this.#brought(arrival, bit)) arrival = this.#earlier[arrival] as number;
      if (arrival < 0) return { path: path.reverse(), cut: false };
      at = this.#from[arrival] as number;
      path.push(at);
    }
    return { path: path.slice(0, 4).reverse(), cut: true };
  }

  #brought(arrival: number, bit: number): boolean {
    return (((this.#bits[arrival * this.#words + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  #learn(node: number, tracked: Int32Array): void {
    const { uses, useKinds } = this.flow.parts[node] as NodeParts;
    for (let use = 0; use < uses.length; use++) {
      const bit = tracked[uses[use] as number] as number;
      if (bit < 0) continue;
      const kind = useKinds[use];
      if (kind === UseKind.sets) this.#mark(this.#done, node, bit);
      else this.#mark(this.#always, node, bit);
      if (kind !== UseKind.reads) continue;
      this.reads[node] ??= [];
      const reads = this.reads[node];
      if (!reads.some((read) => read.bit === bit)) reads.push({ bit, use });
    }
  }

  #mark(bits: Int32Array, node: number, bit: number): void {
    const at = node * this.#words + (bit >> 5);
    bits[at] = (bits[at] as number) | (1 << (bit & 31));
  }
}

/** The nodes that can be reached, each after those that lead to it as far as loops allow (reverse postorder). */
function callersFirst(out: Analysis["out"], entry: number): Int32Array {
  const count = out.start.length - 1;
  const order = new Int32Array(count);
  const seen = new Uint8Array(count);
  const at = new Int32Array(count);
  const stack = new Int32Array(count);
  let depth = 0;
  let place = count;
  stack[0] = entry;
  seen[entry] = 1;
  at[entry] = out.start[entry] as number;
  while (depth >= 0) {
    const node = stack[depth] as number;
    const next = at[node] as number;
    if (next === out.start[node + 1]) {
      order[--place] = node;
      depth--;
      continue;
    }
    at[node] = next + 1;
    const target = out.to[next] as number;
    if (seen[target]) continue;
    seen[target] = 1;
    at[target] = out.start[target] as number;
    stack[++depth] = target;
  }
  return order.subarray(place);
}
