/**
 * The diagnostics of one file as the client has them. After an edit only those are made anew that moved or changed, so
 * that it is known without looking into them whether there is anything to send.
 */
import type { Diagnostic, Position, Range } from "vscode-languageserver";
import {
  type Entry,
  type FlowDocument,
  type Found,
  type FoundPlace,
  mostSevere,
  type Problem,
  sourceOf,
  tallyOf,
} from "../flow";
import type { Converter } from "./to-protocol";

/** Related places in one file, in all: they are larger than what they belong to. A hover tells of every finding's. */
const MAX_RELATED = 400;

export interface DiagnosticSources {
  /** Problems between files, and what only who made the plan of a file can know. */
  readonly around: readonly Problem[];
  readonly found: readonly Found[];
  readonly notes: readonly Problem[];
  /** What the platform found. */
  readonly findings: readonly Problem[];
}

export interface DiagnosticsOfFile {
  /** Changes when the list does. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
}

/** A diagnostic, and where the entries stood that it speaks of. */
interface Made {
  readonly diagnostic: Diagnostic;
  readonly places: readonly { readonly entry: Entry; readonly at: Position }[];
  readonly hasRelated: boolean;
  readonly related: readonly FoundPlace[];
  /** Of the flow when its related places were last worked out: they may change with it while the finding does not. */
  shape: number;
}

let lists = 0;

export class DiagnosticList {
  readonly #made = new WeakMap<Found, Made>();
  #last: DiagnosticsOfFile | undefined;

  /** `related`: whether the client shows related places. */
  constructor(
    private readonly related: boolean,
    private readonly pageOf: (code: string) => string | undefined,
  ) {}

  update(sources: DiagnosticSources, converter: Converter): DiagnosticsOfFile {
    const { around, found, notes, findings } = sources;
    const platform = new Set<Found | Problem>(findings);
    const all: (Found | Problem)[] = [];
    const counted = tallyOf(found)?.with([...around, ...notes, ...findings]);
    const { shown, rest } = mostSevere(all.concat(around, found, notes, findings), counted);
    const own: Diagnostic[] = [];
    const before: Diagnostic[] = [];
    const after: Diagnostic[] = [];
    let room = this.related ? MAX_RELATED : 0;
    for (const item of shown)
      if ("hasMore" in item) {
        const made = this.#makeOnce(item, converter, room > 0);
        room -= made.diagnostic.relatedInformation?.length ?? 0;
        own.push(made.diagnostic);
      } else {
        const list = own.length > 0 ? after : before;
        list.push(this.#ofProblem(item, platform.has(item) ? "platform" : sourceOf(item), converter));
      }
    own.sort((a, b) => compare(a.range, b.range));
    if (rest) after.push(this.#ofProblem(rest, "assistant-flow", converter));
    return this.#known([...before, ...own, ...after]);
  }

  /** The list as it was, where it says the same. */
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

  #makeOnce(found: Found, converter: Converter, withRelated: boolean): Made {
    const known = this.#made.get(found);
    const { document } = converter;
    const wanted = withRelated && found.hasMore;
    const isStill = known?.hasRelated === wanted && known.places.every((place) => isThere(document, place));
    if (isStill && (!wanted || known.shape === document.shape)) return known;
    const related = wanted ? found.related() : [];
    if (isStill && sameList(related, known.related, samePlace)) {
      known.shape = document.shape;
      return known;
    }
    const entries = [found, ...related].map(({ entry }) => entry);
    const made: Made = {
      diagnostic: converter.diagnosticOf(found, related, this.pageOf(found.code)),
      places: entries.flatMap((entry) => (entry ? [{ entry, at: document.positionOf(entry) }] : [])),
      hasRelated: wanted,
      related,
      shape: document.shape,
    };
    // What is not in an entry may move without a sign.
    if (entries.every((entry) => entry !== undefined)) this.#made.set(found, made);
    return made;
  }

  #ofProblem(problem: Problem, source: string, converter: Converter): Diagnostic {
    const page = source === "platform" ? undefined : this.pageOf(problem.code);
    const { related: _, ...bare } = problem;
    return converter.diagnostic(this.related ? problem : bare, source, page);
  }
}

function isThere(document: FlowDocument, { entry, at }: Made["places"][number]): boolean {
  if (!document.has(entry)) return false;
  const { line, character } = document.positionOf(entry);
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

function samePlace(a: FoundPlace, b: FoundPlace): boolean {
  return a.entry === b.entry && a.message === b.message && a.span.start === b.span.start && a.span.end === b.span.end;
}

/** The order of the text. */
function compare(a: Range, b: Range): number {
  return (
    a.start.line - b.start.line ||
    a.start.character - b.start.character ||
    a.end.line - b.end.line ||
    a.end.character - b.end.character
  );
}
