/**
 * Every edit that is offered for a flow, at every place: fixes, fix-all, refactorings, completions, formatting,
 * renames, graph edits. The result is judged independently of the product: by `yaml` if it could read the file before,
 * and by comparing the content of the nodes.
 */
import { Lexer, parseDocument } from "yaml";
import {
  applyEdits,
  checkDocument,
  FlowDocument,
  formatDocument,
  formatOnType,
  formatRange,
  graphOf,
  type Problem,
  sameElement,
  sameGraph,
  type TextEdit,
} from "../../flow";
import { type ActionContext, actionsAt, fixAllKind } from "../../server/features/code-actions";
import { complete, type Neighbors } from "../../server/features/completion/completion";
import { insertionOf, type Suggestion, type Suggestions } from "../../server/features/completion/insertion";
import { placeAt } from "../../server/features/completion/place";
import { graphEdit } from "../../server/features/graph/graph-edit";
import { nameAt } from "../../server/features/names/occurrences";
import { rename } from "../../server/features/names/rename";
import type { GraphEdit } from "../../server/messages";

export interface Offer {
  readonly kind: "fix" | "fix-all" | "refactor" | "style" | "complete" | "format" | "rename" | "graph";
  readonly title: string;
  readonly at: number;
  readonly edits: readonly TextEdit[];
  /** The title announces a removal, and comments may be removed with it. */
  readonly removes?: boolean;
}

const neighbors: Neighbors = { ids: () => [], component: () => undefined };
const empty = { start: 0, end: 0 };

/**
 * The offers for a text, without repetitions. `places` are the offsets to ask at (default: all of them). `isTried`
 * selects graph edits by their number.
 */
export function* offersOf(
  text: string,
  places?: readonly number[],
  isTried: (edit: number) => boolean = () => true,
): Generator<Offer> {
  const document = FlowDocument.read(text);
  const problems = checkDocument(document);
  const seen = new Set<string>();
  const isNew = (offer: Offer) => {
    const key = `${offer.kind} ${JSON.stringify(offer.edits)}`;
    return offer.edits.length > 0 && !seen.has(key) && seen.add(key);
  };
  const all = places ?? Array.from({ length: text.length + 1 }, (_, at) => at);
  for (const offer of wholeOffers(document, problems, isTried)) if (isNew(offer)) yield offer;
  for (const at of all) for (const offer of offersAt(document, problems, at)) if (isNew(offer)) yield offer;
}

function* wholeOffers(
  document: FlowDocument,
  problems: readonly Problem[],
  isTried: (edit: number) => boolean,
): Generator<Offer> {
  yield { kind: "format", title: "format", at: 0, edits: formatDocument(document) };
  for (const action of actionsAt(contextOf(document, problems, true), empty))
    yield { kind: "fix-all", title: action.title, at: 0, edits: action.edits(), removes: true };
  for (const [number, edit] of [...graphEdits(document)].entries()) {
    if (!isTried(number)) continue;
    const result = graphEdit(document, edit);
    if ("edits" in result)
      yield { kind: "graph", title: JSON.stringify(edit), at: 0, edits: result.edits, removes: edit.kind === "delete" };
  }
}

function* graphEdits(document: FlowDocument): Generator<GraphEdit> {
  const ids = [...new Set(document.nodes.map((node) => node.id))].slice(0, 5);
  for (const [index, id] of ids.entries()) {
    yield { kind: "rename", id, name: `${id}_new` };
    yield { kind: "add-after", id, name: "added", type: index % 2 === 0 ? "message" : "end" };
    yield { kind: "connect", from: id, to: ids[(index + 1) % ids.length] as string, when: "the caller: asks # why" };
    yield { kind: "connect", from: id, to: ids[(index + 2) % ids.length] as string };
    yield { kind: "delete", element: { kind: "node", id } };
    yield { kind: "set-entry", id };
    for (const edge of document.node(id)?.edges ?? [])
      yield { kind: "delete", element: { kind: "edge", node: id, id: edge.id } };
  }
}

function* offersAt(document: FlowDocument, problems: readonly Problem[], at: number): Generator<Offer> {
  const here = { start: at, end: at };
  const before = document.slice({ start: at - 1, end: at });
  const word = /^\w+(?: \w+)?/.exec(document.slice({ start: at, end: at + 60 }))?.[0];
  // Actions are the same everywhere in a word.
  if (!/\w/.test(before) && (word || before !== " ")) {
    const context = contextOf(document, problems, false);
    for (const action of actionsAt(context, here)) yield offerOf(action, at);
    const refactoring = { ...context, wanted: (kind: string) => kind.startsWith("refactor") };
    if (word)
      for (const action of actionsAt(refactoring, { start: at, end: at + word.length })) yield offerOf(action, at);
  }
  for (const typed of ["\n", "}", "]"])
    if (document.slice({ start: at - 1, end: at }) === typed)
      yield { kind: "format", title: `typed ${JSON.stringify(typed)}`, at, edits: formatOnType(document, at, typed) };
  if (document.slice({ start: at, end: at + 1 }) === "\n")
    yield { kind: "format", title: "range", at, edits: formatRange(document, here) };
  const name = nameAt(document, at);
  if (name?.span.start === at) {
    const renamed = rename(document, at, "renamed_here");
    if ("edits" in renamed) yield { kind: "rename", title: `rename ${name.name}`, at, edits: renamed.edits };
  }
  const found = complete(document, at, neighbors);
  const kinds = new Set<string>();
  for (const item of found.items) {
    // Names differ only in their letters, so two of each kind are enough.
    const kind = item.snippet || item.kind === "key" ? item.label : item.kind;
    if (kinds.has(`${kind} 2`)) continue;
    kinds.add(kinds.has(kind) ? `${kind} 2` : kind);
    // A rule code completes its comment.
    const removes = placeAt(document, at).kind === "comment";
    yield { kind: "complete", title: item.label, at, edits: [taken(document, found, item)], removes };
  }
}

/** The text after an editor inserts a completion unchanged; an editor that indents lines itself has the same result. */
function taken(document: FlowDocument, found: Suggestions, item: Suggestion): TextEdit {
  const { text } = insertionOf(document, found, item, { snippets: false, adjusts: false });
  const { text: relative } = insertionOf(document, found, item, { snippets: false, adjusts: true });
  const { line } = document.positionAt(found.replace.start);
  const before = document.slice({ start: document.offsetAt({ line, character: 0 }), end: found.replace.start });
  const adjusted = relative.replaceAll("\n", `\n${/^[ \t]*/.exec(before)?.[0]}`);
  if (adjusted.replaceAll("\r", "") !== text.replaceAll("\r", ""))
    throw new Error(`${item.label}: ${adjusted} is not ${text}`);
  return { ...found.replace, text };
}

function offerOf(action: ReturnType<typeof actionsAt>[number], at: number): Offer {
  const style = ["sort-variables", "to-block-style", "to-flow-style"].includes(action.id);
  return {
    kind: style ? "style" : action.kind.startsWith("refactor") ? "refactor" : "fix",
    title: action.title,
    at,
    edits: action.edits(),
    // A fix of a comment may change that comment.
    removes: /^(Remove|Inline|Fix all|Keep|Delete)/.test(action.title) || action.problem?.code === "unknown-ignore",
  };
}

export function contextOf(document: FlowDocument, problems: readonly Problem[], whole: boolean): ActionContext {
  return {
    document,
    problems,
    findings: [],
    suggestion: () => undefined,
    advises: false,
    lists: false,
    plays: false,
    settings: {},
    wanted: (kind) => (kind === fixAllKind) === whole,
    named: (kind) => whole && kind === fixAllKind,
  };
}

/** Describes what an offer did wrong; undefined if it is correct. */
export function harmOf(before: Judged, offer: Offer): string | undefined {
  const after = new Judged(applyEdits(before.text, offer.edits));
  for (const code of ["yaml-syntax", "duplicate-key", "limit"])
    if (after.count(code) > before.count(code)) return `broken: ${code}`;
  // Parsing with `yaml` takes ten times as long, so it judges only some of the many completions and graph edits.
  const judges = (offer.kind !== "complete" && offer.kind !== "graph") || (offer.at + offer.title.length) % 24 === 0;
  if (judges && before.text.length < 3000 && before.isYaml && !after.isYaml) return "broken for yaml";
  if (!offer.removes) {
    const lost = before.comments.filter((comment) => !after.text.includes(comment));
    if (lost.length > 0) return `lost comment ${lost[0]}`;
  }
  return graphHarm(before, after, offer);
}

export class Judged {
  readonly document: FlowDocument;
  #comments: string[] | undefined;
  #isYaml: boolean | undefined;

  constructor(readonly text: string) {
    this.document = FlowDocument.read(text);
  }

  count(code: string): number {
    return this.document.problems.filter((problem) => problem.code === code).length;
  }

  get isYaml(): boolean {
    this.#isYaml ??= parseDocument(this.text).errors.length === 0;
    return this.#isYaml;
  }

  get comments(): string[] {
    this.#comments ??= [...new Lexer().lex(this.text)].filter((token) => token.startsWith("#"));
    return this.#comments;
  }
}

function graphHarm(before: Judged, after: Judged, offer: Offer): string | undefined {
  const [was, is] = [graphOf(before.document), graphOf(after.document)];
  if (offer.kind === "format" || offer.kind === "style") return sameGraph(was, is) ? undefined : "the graph changed";
  if (offer.kind === "rename" || /"kind":"rename"/.test(offer.title)) {
    // The graph has one of several edges with the same ID: a new name can distinguish them.
    const counts = ({ document }: Judged) => [
      document.nodes.length,
      document.nodes.reduce((sum, node) => sum + node.edges.length, 0),
      document.variables.length,
    ];
    if (counts(before).join() !== counts(after).join())
      return `renamed to another number of things: ${counts(before)}, ${counts(after)}`;
    return undefined;
  }
  if (before.count("yaml-syntax") > after.count("yaml-syntax")) return undefined;
  // A node that no edit touches keeps its content.
  const lines = offer.edits.map(({ start, end }) => [before.text.lastIndexOf("\n", start - 2), end] as const);
  for (const entry of before.document.nodes) {
    const start = before.document.startOf(entry);
    if (lines.some(([from, to]) => from <= start + entry.text.length && start <= to)) continue;
    if (before.document.node(entry.id) !== entry) continue;
    const now = after.document.node(entry.id);
    if (!now || !sameElement(entry.wire, now.wire)) return `node ${entry.id} changed`;
    const [own, other] = [entry.edges, now.edges];
    if (own.length !== other.length || own.some((edge, index) => edge.to !== other[index]?.to))
      return `edges of ${entry.id} changed`;
  }
  return undefined;
}
