/**
 * The diagnostics of one file as the client has them. After an edit only those that moved or changed are created again,
 * so unchanged lists are detected without comparing them.
 */
import type { Diagnostic, Position, Range } from "vscode-languageserver";
import {
  type Block,
  type DiagnosticPlace,
  type FlowDiagnostic,
  type FlowDocument,
  IncrementalMap,
  type Problem,
  tallyOf,
} from "../../flow";
import { type BlockingRules, mostSevere, sourceOf } from "../../flow/findings";
import type { Converter } from "../protocol/to-protocol";

/**
 * The maximum number of related locations per file: they are larger than the diagnostics themselves. A hover shows all
 * of them.
 */
const MAX_RELATED = 400;

export interface DiagnosticSources {
  /** Cross-file problems, and policy violations. */
  readonly around: readonly Problem[];
  readonly found: readonly FlowDiagnostic[];
  /** Problems known only from the plan of a push, such as that it needs several batches. */
  readonly notes: readonly Problem[];
  /** Findings of the platform. */
  readonly findings: readonly Problem[];
}

export interface DiagnosticsOfFile {
  /** Changes when the list does. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
}

interface Place {
  readonly block: Block;
  readonly at: Position;
}

/** A diagnostic, and the positions of the blocks it refers to. */
interface Made {
  readonly diagnostic: Diagnostic;
  /** Starts with the diagnostic's own location; empty if one of them isn't in a block and may move unnoticed. */
  readonly places: readonly Place[];
  readonly hasRelated: boolean;
  readonly related: readonly DiagnosticPlace[];
  /** The layout of the text at the last check of the positions. */
  layout: number;
  /** The version of the flow when the related locations were computed: they may change while the diagnostic doesn't. */
  shape: number;
}

let lists = 0;

export class DiagnosticList {
  /** The diagnostics last created, by finding. */
  #made = noneMade();
  #blocking: BlockingRules | undefined;
  #last: DiagnosticsOfFile | undefined;

  /** `related`: whether the client shows related locations. */
  constructor(
    private readonly related: boolean,
    private readonly pageOf: (code: string) => string | undefined,
  ) {}

  update(sources: DiagnosticSources, converter: Converter): DiagnosticsOfFile {
    const { around, found, notes, findings } = sources;
    // Messages say what the platform blocks on.
    if (this.#blocking !== converter.blocking) this.#made = noneMade();
    this.#blocking = converter.blocking;
    const counted = tallyOf(found)?.with([...around, ...notes, ...findings]);
    const { shown, rest } = mostSevere([around, found, notes, findings] as const, counted);
    const ofProblem = (problem: Problem) => this.#ofProblem(problem, sourceOf(problem), converter);
    const items = shown[0].map(ofProblem);
    for (const each of this.#ofFound(shown[1], converter)) items.push(each);
    for (const each of shown[2]) items.push(ofProblem(each));
    for (const each of shown[3]) items.push(this.#ofProblem(each, "platform", converter));
    if (rest) items.push(this.#ofProblem(rest, "assistant-flow", converter));
    return this.#known(items);
  }

  /** The previous list if it is equal. */
  #known(items: Diagnostic[]): DiagnosticsOfFile {
    const last = this.#last?.items ?? [];
    let isSame = this.#last !== undefined && last.length === items.length;
    for (let index = 0; isSame && index < items.length; index++) {
      const [old, now] = [last[index] as Diagnostic, items[index] as Diagnostic];
      isSame = old === now || sameDiagnostic(old, now);
    }
    if (!this.#last || !isSame) this.#last = { id: String(++lists), items };
    return this.#last;
  }

  /** In the order of the text. */
  #ofFound(found: readonly FlowDiagnostic[], converter: Converter): Diagnostic[] {
    const { results } = this.#made.update(found);
    const diagnostics: Diagnostic[] = [];
    let room = this.related ? MAX_RELATED : 0;
    for (let index = 0; index < found.length; index++) {
      const kept = results[index] as { last: Made | undefined };
      kept.last = this.#makeOnce(found[index] as FlowDiagnostic, kept.last, converter, room > 0);
      room -= kept.last.diagnostic.relatedInformation?.length ?? 0;
      diagnostics.push(kept.last.diagnostic);
    }
    return diagnostics.sort((a, b) => compare(a.range, b.range));
  }

  #makeOnce(found: FlowDiagnostic, known: Made | undefined, converter: Converter, withRelated: boolean): Made {
    const { document } = converter;
    const wanted = withRelated && found.hasMore;
    const isStill = known?.hasRelated === wanted && areThere(document, known);
    if (isStill && (!wanted || known.shape === document.shape)) return known;
    const related = wanted ? found.related() : [];
    if (isStill && sameList(related, known.related, samePlace)) {
      known.shape = document.shape;
      return known;
    }
    const blocks = [found, ...related].map(({ block }) => block);
    return {
      diagnostic: converter.diagnosticOf(found, related, this.pageOf(found.code)),
      places: blocks.every((block) => block !== undefined)
        ? blocks.map((block) => ({ block, at: document.positionOf(block) }))
        : [],
      hasRelated: wanted,
      related,
      layout: document.layout,
      shape: document.shape,
    };
  }

  #ofProblem(problem: Problem, source: string, converter: Converter): Diagnostic {
    const page = source === "platform" ? undefined : this.pageOf(problem.code);
    const { related: _, ...bare } = problem;
    return converter.diagnostic(this.related ? problem : bare, source, page);
  }
}

function noneMade(): IncrementalMap<FlowDiagnostic, { last: Made | undefined }> {
  return new IncrementalMap(() => ({ last: undefined }));
}

function areThere(document: FlowDocument, made: Made): boolean {
  const { places } = made;
  if (places.length === 0) return false;
  if (made.layout === document.layout) {
    // Its own block exists; otherwise it would be another diagnostic.
    for (let index = 1; index < places.length; index++) if (!document.has((places[index] as Place).block)) return false;
    return true;
  }
  if (!places.every((place) => isThere(document, place))) return false;
  made.layout = document.layout;
  return true;
}

function isThere(document: FlowDocument, { block, at }: Place): boolean {
  if (!document.has(block)) return false;
  const { line, character } = document.positionOf(block);
  return line === at.line && character === at.character;
}

function sameDiagnostic(a: Diagnostic, b: Diagnostic): boolean {
  const [one, other] = [a.relatedInformation ?? [], b.relatedInformation ?? []];
  return (
    a.message === b.message &&
    a.code === b.code &&
    a.severity === b.severity &&
    a.source === b.source &&
    a.tags?.length === b.tags?.length &&
    compare(a.range, b.range) === 0 &&
    sameList(
      one,
      other,
      (place, { message, location }) =>
        place.message === message &&
        place.location.uri === location.uri &&
        compare(place.location.range, location.range) === 0,
    )
  );
}

function sameList<Item>(a: readonly Item[], b: readonly Item[], same: (one: Item, other: Item) => boolean): boolean {
  return a.length === b.length && a.every((each, index) => same(each, b[index] as Item));
}

function samePlace(a: DiagnosticPlace, b: DiagnosticPlace): boolean {
  return a.block === b.block && a.message === b.message && a.span.start === b.span.start && a.span.end === b.span.end;
}

function compare(a: Range, b: Range): number {
  return (
    a.start.line - b.start.line ||
    a.start.character - b.start.character ||
    a.end.line - b.end.line ||
    a.end.character - b.end.character
  );
}
