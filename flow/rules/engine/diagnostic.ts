/**
 * The results of rules, attached to blocks. A diagnostic stays the same object while its block and finding don't
 * change, so callers can detect changes by identity.
 */
import type { Block, FlowDocument, ReadProblem } from "../../document";
import { readTemplates } from "../../model";
import { type Span, shift } from "../../text";
import { pairOf } from "../../values";
import type { At, BlockFinding, GraphFinding, Problem, RelatedAt, RelatedPlace, Severity } from "./rule";

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
  const places = (list: readonly DiagnosticPlace[]) => list.map((each) => relatedPlace(document, each));
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

/** A problem of the reader, with a place in the file. */
export class FileDiagnostic implements FlowDiagnostic {
  readonly block = undefined;
  readonly unnecessary = false;

  constructor(
    private readonly problem: Omit<ReadProblem, "code" | "data"> & Pick<Problem, "code" | "data">,
    readonly severity: Severity,
  ) {}

  get code(): string {
    return this.problem.code;
  }
  get message(): string {
    return this.problem.message;
  }
  get data(): unknown {
    return this.problem.data;
  }
  get span(): Span {
    return this.problem.span;
  }
  get hasMore(): boolean {
    return this.problem.related !== undefined;
  }
  related(): DiagnosticPlace[] {
    return (this.problem.related ?? []).map((place) => ({ ...place, block: undefined }));
  }
  also(): DiagnosticPlace[] {
    return [];
  }
  why(): undefined {}
}

export class BlockDiagnostic implements FlowDiagnostic {
  readonly message: string;
  readonly span: Span;

  constructor(
    readonly code: string,
    readonly severity: Severity,
    readonly block: Block,
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

/** A diagnostic about the graph, valid for one shape of the document. Its details are computed on request. */
export class GraphDiagnostic implements FlowDiagnostic {
  readonly message: string;
  readonly block: Block | undefined;
  readonly span: Span;

  constructor(
    readonly code: string,
    readonly severity: Severity,
    private readonly document: FlowDocument,
    private readonly finding: GraphFinding,
  ) {
    this.message = finding.message;
    const { block, span } = placeOf(document, finding.at);
    this.block = block;
    this.span = span;
  }

  get data(): unknown {
    return this.finding.data;
  }
  get unnecessary(): boolean {
    return this.finding.unnecessary === true;
  }
  get hasMore(): boolean {
    const { related, also, why } = this.finding;
    return related !== undefined || also !== undefined || why !== undefined;
  }
  related(): DiagnosticPlace[] {
    const { related, also } = this.finding;
    const own = typeof related === "function" ? related() : (related ?? []);
    return this.#placed([...own, ...(also?.(MAX_ALSO_RELATED).slice(0, MAX_ALSO_RELATED) ?? [])]);
  }
  also(): DiagnosticPlace[] {
    return this.#placed(this.finding.also?.() ?? []);
  }
  why(): string | undefined {
    return this.finding.why?.();
  }

  #placed(places: readonly RelatedAt[]): DiagnosticPlace[] {
    return places.map(({ message, at }) => ({ message, ...placeOf(this.document, at) }));
  }
}

function relatedPlace(document: FlowDocument, place: DiagnosticPlace): RelatedPlace {
  return { message: place.message, span: absolute(document, place) };
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
