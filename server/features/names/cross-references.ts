/** References in a flow by name: the edges to a node and the uses of a variable. Read once for each text. */
import {
  addTo,
  type Block,
  type EdgeModel,
  type FlowDocument,
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

/** The last references of each document. Its lists of blocks are other objects after an edit. */
const known = new WeakMap<FlowDocument, { nodes: unknown; tops: unknown; references: CrossReferences }>();

export function crossReferences(document: FlowDocument): CrossReferences {
  const { nodes, tops } = document;
  let last = known.get(document);
  if (last?.nodes !== nodes || last.tops !== tops) {
    last = { nodes, tops, references: new CrossReferences(document) };
    known.set(document, last);
  }
  return last.references;
}

class CrossReferences {
  readonly #edges = new Map<string, EdgeUse[]>();
  readonly #uses = new Map<string, VariableUse[]>();

  constructor(private readonly document: FlowDocument) {
    for (const use of topRefs(document)) addTo(this.#uses, use.ref.name, use);
    for (const block of document.nodes) {
      for (const ref of block.refs) addTo(this.#uses, ref.name, { block, ref });
      for (const edge of block.edges) if (edge.to !== undefined) addTo(this.#edges, edge.to, { block, edge });
    }
  }

  /** The edges to a node, in file order. */
  incoming(id: string): EdgeUse[] {
    return this.#inOrder(this.#edges.get(id), (use) => use.edge.span);
  }

  incomingCount(id: string): number {
    return this.#edges.get(id)?.length ?? 0;
  }

  /** The reads and writes of a variable, in file order. */
  uses(name: string): VariableUse[] {
    return this.#inOrder(this.#uses.get(name), (use) => use.ref.span);
  }

  /** The targets of edges. */
  targets(): Iterable<string> {
    return this.#edges.keys();
  }

  /** The variables that are used anywhere. */
  usedNames(): Iterable<string> {
    return this.#uses.keys();
  }

  #inOrder<Use extends { readonly block: Block }>(uses: readonly Use[] = [], span: (use: Use) => Span): Use[] {
    return uses
      .map((use) => ({ use, at: this.document.startOf(use.block) + span(use).start }))
      .sort((a, b) => a.at - b.at)
      .map(({ use }) => use);
  }
}
