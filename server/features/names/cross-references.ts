/**
 * References in a flow by name: the edges to a node and the uses of a variable. Cached for each document and updated
 * from the blocks that were added and removed, so an answer after a keystroke doesn't iterate over all edges and texts.
 */
import {
  type Block,
  type EdgeModel,
  type FlowDocument,
  IncrementalMap,
  type NodeBlock,
  type Span,
  topRefs,
  type VariableRef,
} from "../../../flow";

export interface EdgeUse {
  readonly block: NodeBlock;
  readonly edge: EdgeModel;
}

export interface VariableUse {
  readonly block: Block;
  readonly ref: VariableRef;
}

export interface CrossReferences {
  /** The edges to a node, in file order. */
  incoming(id: string): EdgeUse[];
  incomingCount(id: string): number;
  /** The reads and writes of a variable, in file order. */
  uses(name: string): VariableUse[];
  usesIn(block: Block): readonly VariableUse[];
  /** The targets of edges. */
  targets(): Iterable<string>;
  /** The variables that are used anywhere. */
  usedNames(): Iterable<string>;
}

const known = new WeakMap<FlowDocument, Index>();

export function crossReferences(document: FlowDocument): CrossReferences {
  let index = known.get(document);
  if (!index) {
    index = new Index(document);
    known.set(document, index);
  }
  index.refresh();
  return index;
}

class Index implements CrossReferences {
  readonly #edges = new Map<string, Set<EdgeUse>>();
  readonly #uses = new Map<string, Set<VariableUse>>();
  /** What each block has added to the two maps. */
  readonly #entries = new Map<Block, { edges: EdgeUse[]; uses: VariableUse[] }>();
  readonly #nodes = new IncrementalMap<NodeBlock, true>(() => true);
  readonly #tops = new IncrementalMap<Block, true>(() => true);

  constructor(private readonly document: FlowDocument) {}

  refresh(): void {
    const nodes = this.#nodes.update(this.document.nodes);
    for (const block of nodes.left) this.#remove(block);
    for (const block of nodes.came) this.#add(block, block.edges, block.refs);
    const tops = this.#tops.update(this.document.tops);
    for (const block of tops.left) this.#remove(block);
    if (tops.came.length === 0) return;
    const refs = topRefs(this.document);
    for (const came of tops.came) {
      const own = refs.filter(({ block }) => block === came);
      this.#add(
        came,
        [],
        own.map(({ ref }) => ref),
      );
    }
  }

  incoming(id: string): EdgeUse[] {
    return this.#inOrder(this.#edges.get(id), (use) => use.edge.span);
  }

  incomingCount(id: string): number {
    return this.#edges.get(id)?.size ?? 0;
  }

  uses(name: string): VariableUse[] {
    return this.#inOrder(this.#uses.get(name), (use) => use.ref.span);
  }

  usesIn(block: Block): readonly VariableUse[] {
    return this.#entries.get(block)?.uses ?? [];
  }

  targets(): Iterable<string> {
    return this.#edges.keys();
  }

  usedNames(): Iterable<string> {
    return this.#uses.keys();
  }

  #inOrder<Use extends { readonly block: Block }>(uses: Set<Use> | undefined, span: (use: Use) => Span): Use[] {
    if (!uses) return [];
    return [...uses]
      .map((use) => ({ use, at: this.document.startOf(use.block) + span(use).start }))
      .sort((a, b) => a.at - b.at)
      .map(({ use }) => use);
  }

  #add(block: Block, edges: readonly EdgeModel[], refs: readonly VariableRef[]): void {
    const record = {
      edges: edges.filter((edge) => edge.to !== undefined).map((edge) => ({ block: block as NodeBlock, edge })),
      uses: refs.map((ref) => ({ block, ref })),
    };
    this.#entries.set(block, record);
    for (const use of record.edges) add(this.#edges, use.edge.to as string, use);
    for (const use of record.uses) add(this.#uses, use.ref.name, use);
  }

  #remove(block: Block): void {
    const record = this.#entries.get(block);
    for (const use of record?.edges ?? []) remove(this.#edges, use.edge.to as string, use);
    for (const use of record?.uses ?? []) remove(this.#uses, use.ref.name, use);
    this.#entries.delete(block);
  }
}

function add<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const there = map.get(key);
  if (there) there.add(value);
  else map.set(key, new Set([value]));
}

function remove<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const there = map.get(key);
  there?.delete(value);
  if (there?.size === 0) map.delete(key);
}
