/**
 * The results of rules, attached to blocks. A diagnostic stays the same object while its block and finding don't
 * change, so callers can detect changes by identity.
 */
import type { Block, FlowDocument } from "../../document";
import { readTemplates } from "../../model";
import { type Span, shift } from "../../text";
import { pairOf } from "../../values";
import type { At, BlockFinding, GraphFinding, Problem, RelatedAt, Severity } from "./rule";

/** A span relative to a block, or to the file if there's no block. */
export interface Place {
  readonly block: Block | undefined;
  readonly span: Span;
}

export interface DiagnosticPlace extends Place {
  readonly message: string;
}

export interface FlowDiagnostic extends Place {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly data: unknown;
  readonly unnecessary: boolean;
  /** Whether `related`, `also`, or `why` return anything. They're computed on request, from the current text. */
  readonly hasMore: boolean;
  related(): readonly DiagnosticPlace[];
  also(): readonly DiagnosticPlace[];
  why(): string | undefined;
}

/** Converts a diagnostic to a problem with a place in the current text. */
export function problemOf(document: FlowDocument, found: FlowDiagnostic): Problem {
  const { code, severity, message, data, unnecessary } = found;
  const problem: Problem = {
    code,
    severity,
    message,
    span: absolute(document, found),
    ...(data !== undefined && { data }),
    ...(unnecessary && { unnecessary }),
  };
  if (!found.hasMore) return problem;
  const places = (list: readonly DiagnosticPlace[]) =>
    list.map((each) => ({ message: each.message, span: absolute(document, each) }));
  // Getters, because a file may have thousands of problems and only a few are viewed.
  return {
    ...problem,
    get related() {
      return places(found.related());
    },
    get also() {
      return places(found.also());
    },
    get why() {
      return found.why() ?? "";
    },
  };
}

/** A diagnostic whose finding has places in the text: in a block, or in the file if there's no block. */
export class TextDiagnostic implements FlowDiagnostic {
  readonly message: string;
  readonly span: Span;

  constructor(
    readonly code: string,
    readonly severity: Severity,
    readonly block: Block | undefined,
    private readonly finding: BlockFinding,
  ) {
    this.message = finding.message;
    this.span = finding.span;
  }

  get data(): unknown {
    return this.finding.data;
  }
  get unnecessary(): boolean {
    return this.finding.unnecessary === true;
  }
  get hasMore(): boolean {
    return this.finding.related !== undefined;
  }
  related(): DiagnosticPlace[] {
    return (this.finding.related ?? []).map((place) => ({ ...place, block: this.block }));
  }
  also(): DiagnosticPlace[] {
    return [];
  }
  why(): undefined {}
}

/** How many of the `also` places are included in `related`. */
const MAX_ALSO_RELATED = 4;

/** Finds the current version of a graph finding after the graph changed. */
export interface FindingSource {
  current(block: Block | undefined, code: string, before: GraphFinding): GraphFinding | undefined;
}

/**
 * A diagnostic about the graph. It stays the same object while the finding about its block does; its details are
 * computed from the current graph.
 */
export class GraphDiagnostic implements FlowDiagnostic {
  readonly message: string;
  readonly block: Block | undefined;
  readonly span: Span;
  #finding: GraphFinding;
  #shape: number;

  constructor(
    readonly code: string,
    readonly severity: Severity,
    private readonly document: FlowDocument,
    private readonly source: FindingSource,
    finding: GraphFinding,
  ) {
    this.message = finding.message;
    this.#finding = finding;
    this.#shape = document.shape;
    const { block, span } = placeOf(document, finding.at);
    this.block = block;
    this.span = span;
  }

  /** Replaces the finding with an equal one from another version of the graph. */
  replaceFinding(finding: GraphFinding, shape: number): void {
    this.#finding = finding;
    this.#shape = shape;
  }

  get #current(): GraphFinding {
    const { shape } = this.document;
    if (this.#shape !== shape) {
      // The document was edited since the last check, or edits were tried on it.
      const current = this.source.current(this.block, this.code, this.#finding);
      if (current) this.replaceFinding(current, shape);
    }
    return this.#finding;
  }

  get data(): unknown {
    return this.#finding.data;
  }
  get unnecessary(): boolean {
    return this.#finding.unnecessary === true;
  }
  get hasMore(): boolean {
    return hasMore(this.#finding);
  }
  related(): DiagnosticPlace[] {
    const { related, also } = this.#current;
    const own = typeof related === "function" ? related() : (related ?? []);
    return this.#placed([...own, ...(also?.(MAX_ALSO_RELATED).slice(0, MAX_ALSO_RELATED) ?? [])]);
  }
  also(): DiagnosticPlace[] {
    return this.#placed(this.#current.also?.() ?? []);
  }
  why(): string | undefined {
    return this.#current.why?.();
  }

  #placed(places: readonly RelatedAt[]): DiagnosticPlace[] {
    return places.map(({ message, at }) => ({ message, ...placeOf(this.document, at) }));
  }
}

/** Whether two findings are equal apart from block numbers and details that are computed on request. */
export function sameFinding(one: GraphFinding, other: GraphFinding): boolean {
  return (
    one.message === other.message &&
    samePart(one.at, other.at) &&
    one.unnecessary === other.unnecessary &&
    hasMore(one) === hasMore(other) &&
    (one.data === other.data || JSON.stringify(one.data) === JSON.stringify(other.data))
  );
}

interface Part {
  readonly edge?: number;
  readonly use?: number;
  readonly field?: string;
}

function samePart(one: Part, other: Part): boolean {
  return one.use === other.use && one.edge === other.edge && one.field === other.field;
}

function hasMore({ related, also, why }: GraphFinding): boolean {
  return related !== undefined || also !== undefined || why !== undefined;
}

function absolute(document: FlowDocument, { block, span }: Place): Span {
  return block ? shift(span, document.startOf(block)) : span;
}

function blockOf(document: FlowDocument, at: At): Block | undefined {
  if ("top" in at) return document.top(at.top);
  return "variable" in at ? document.variables[at.variable] : document.nodes[at.node];
}

const nowhere: Place = { block: undefined, span: { start: 0, end: 0 } };

function placeOf(document: FlowDocument, at: At): Place {
  if ("top" in at) {
    const block = document.top(at.top);
    if (!block) return nowhere;
    const use = at.use === undefined ? undefined : readTemplates(block.value, block.text)[at.use];
    return { block, span: use?.span ?? (block.value?.kind === "scalar" ? block.value.span : block.keySpan) };
  }
  const block = blockOf(document, at);
  if (!block) return nowhere;
  if ("node" in at && at.use !== undefined) {
    const node = document.nodes[at.node];
    return { block, span: node?.refs[at.use]?.span ?? block.keySpan };
  }
  if ("node" in at && at.edge !== undefined) {
    const edge = document.nodes[at.node]?.edges[at.edge];
    const field = at.field === undefined ? undefined : pairOf(edge?.value, at.field);
    return { block, span: (field?.value ?? field?.key)?.span ?? edge?.toSpan ?? edge?.span ?? block.keySpan };
  }
  return { block, span: fieldSpan(block, at.field) ?? block.keySpan };
}

function fieldSpan(block: Block, field: string | undefined): Span | undefined {
  const pair = field === undefined ? undefined : pairOf(block.value, field);
  return (pair?.value ?? pair?.key)?.span;
}
