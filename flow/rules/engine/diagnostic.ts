/**
 * What the rules find, at the entry it is about. A finding stays the same object while its entry and what the rules say
 * of it stay the same, so whoever shows findings knows by looking at objects what to show anew.
 */
import type { Block, FlowDocument, ReadProblem } from "../../document";
import { readTemplates } from "../../model";
import { type Span, shift } from "../../text";
import { pairOf } from "../../values";
import type { At, BlockFinding, GraphFinding, Problem, RelatedAt, RelatedPlace, Severity } from "./rule";

/** A place inside an entry; in the file where there is no entry. */
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
  /** Whether there is more to say, by the three questions below: worked out when asked, in the text as it is then. */
  readonly hasMore: boolean;
  related(): readonly DiagnosticPlace[];
  also(): readonly DiagnosticPlace[];
  why(): string | undefined;
}

/** A finding as it stands in the text now. */
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
  // Getters, since a file may have thousands of problems, and a person looks at a few.
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

/** What could not be read; its place is in the file. */
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

/** So many of the places with the same cause are related ones; the rest can be asked for. */
const MAX_ALSO_RELATED = 4;

/** Where a finding about the shape is found again after the shape changed. */
export interface FindingSource {
  current(block: Block | undefined, code: string, before: GraphFinding): GraphFinding | undefined;
}

/**
 * It stays the same while the same is said of its entry. Elsewhere the shape may have changed, so what more there is to tell
 * is told by what is said in the shape as it is.
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

  /** Takes what says the same of the same entry in another shape. */
  replaceFinding(finding: GraphFinding, shape: number): void {
    this.#finding = finding;
    this.#shape = shape;
  }

  get #current(): GraphFinding {
    const { shape } = this.document;
    if (this.#shape !== shape) {
      // Edits were tried meanwhile, or nobody has checked the document since it was edited.
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

/** Whether two findings say the same of an entry, whatever its number. More there is to tell of them may differ. */
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
