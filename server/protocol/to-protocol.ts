/**
 * Converts our own types to the protocol's and back.
 *
 * Internally, offsets are UTF-16 code units (flow/text.ts), and a document converts them to a zero-based line and a UTF-16
 * column. In the protocol, a position is a zero-based line and a column in the negotiated encoding (`utf-8` bytes,
 * `utf-16` units or `utf-32` code points). Only the column differs, so a conversion reads one line.
 */
import {
  type ClientCapabilities,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  type Location,
  type Position,
  type PositionEncodingKind,
  type TextEdit as ProtocolEdit,
  type Range,
  type TextDocumentContentChangeEvent,
  type WorkspaceEdit,
} from "vscode-languageserver";
import {
  type Block,
  type DiagnosticPlace,
  editBetween,
  type FlowDiagnostic,
  type FlowDocument,
  lastAtMost,
  lineStartsOf,
  type Place,
  type Problem,
  type Severity,
  type Span,
  type TextEdit,
} from "../../flow";
import { type BlockingRules, messageBeforePush, NOTHING_LEARNED } from "../../flow/findings";
import { shownMessage } from "../../text";

/** Converts between offsets and positions. */
export type Places = Pick<FlowDocument, "text" | "length" | "slice" | "positionAt" | "offsetAt">;

/** Converts for one text. */
export class TextConverter<Document extends Places = Places> {
  constructor(
    readonly uri: string,
    readonly document: Document,
    readonly encoding: PositionEncodingKind,
    /** The location in another file that a problem refers to. */
    private readonly elsewhere: (uri: string) => Range | undefined = () => undefined,
    /** What the platform of the file blocks on. */
    readonly blocking: BlockingRules = NOTHING_LEARNED,
  ) {}

  position(offset: number): Position {
    const { line, character } = this.document.positionAt(offset);
    if (this.encoding === "utf-16" || character === 0) return { line, character };
    const start = this.document.offsetAt({ line, character: 0 });
    return { line, character: unitsIn(this.document.slice({ start, end: start + character }), this.encoding) };
  }

  range(span: Span): Range {
    return { start: this.position(span.start), end: this.position(span.end) };
  }

  offset(position: Position): number {
    if (this.encoding === "utf-16" || position.character === 0) return this.document.offsetAt(position);
    const start = this.document.offsetAt({ line: position.line, character: 0 });
    const end = this.document.offsetAt({ line: position.line, character: Number.MAX_SAFE_INTEGER });
    return start + lengthOf(this.document.slice({ start, end }), position.character, this.encoding);
  }

  span(range: Range): Span {
    return { start: this.offset(range.start), end: this.offset(range.end) };
  }

  location(span: Span): Location {
    return { uri: this.uri, range: this.range(span) };
  }

  edits(edits: readonly TextEdit[]): ProtocolEdit[] {
    return edits.map((edit) => ({ range: this.range(edit), newText: edit.text }));
  }

  /** `source` names the tool; `page` is the URL of the rule's documentation. */
  diagnostic(problem: Problem, source: string, page?: string): Diagnostic {
    return diagnosticOf(
      problem,
      this.range(problem.span),
      source,
      page,
      (problem.related ?? []).map((place) => ({
        message: shownMessage(place.message),
        location:
          place.uri === undefined || place.uri === this.uri
            ? this.location(place.span)
            : { uri: place.uri, range: place.range ?? this.elsewhere(place.uri) ?? firstLine },
      })),
      this.blocking,
    );
  }
}

/** Converts for one flow. */
export class Converter extends TextConverter<FlowDocument> {
  /** The start of a block. */
  start(block: Block): Position {
    const { line, character } = this.document.positionOf(block);
    return this.encoding === "utf-16" || character === 0
      ? { line, character }
      : this.position(this.document.startOf(block));
  }

  /** Converts offsets relative to a block. Faster than `position` for many of them. */
  inBlock(block: Block): (offset: number) => Position {
    const base = this.start(block);
    const starts = lineStartsOf(block.text);
    return (offset) => {
      const line = lastAtMost(starts, offset);
      const start = starts[line] as number;
      const units =
        this.encoding === "utf-16" ? offset - start : unitsIn(block.text.slice(start, offset), this.encoding);
      return { line: base.line + line, character: line === 0 ? base.character + units : units };
    };
  }

  /** The diagnostic for one of our own findings, with the related locations to show. */
  diagnosticOf(found: FlowDiagnostic, related: readonly DiagnosticPlace[], page?: string): Diagnostic {
    return diagnosticOf(
      found,
      this.rangeOf(found),
      "assistant-flow",
      page,
      related.map((place) => ({
        message: shownMessage(place.message),
        location: { uri: this.uri, range: this.rangeOf(place) },
      })),
      this.blocking,
    );
  }

  private rangeOf({ block, span }: Place): Range {
    return this.range(block ? this.document.absolute(block, span) : span);
  }
}

function diagnosticOf(
  problem: Pick<Problem, "message" | "severity" | "code" | "unnecessary" | "alsoBy">,
  range: Range,
  source: string,
  page: string | undefined,
  places: readonly DiagnosticRelatedInformation[],
  blocking: BlockingRules,
): Diagnostic {
  const { severity, code, unnecessary } = problem;
  return {
    range,
    message: shownMessage(source === "platform" ? problem.message : messageBeforePush(problem, blocking)),
    severity: protocolSeverity[severity],
    source,
    code,
    ...(page === undefined ? {} : { codeDescription: { href: page } }),
    ...(unnecessary ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(places.length === 0 ? {} : { relatedInformation: [...places] }),
  };
}

/**
 * The changes of one notification as batches of edits. Each change refers to the text after the previous one; editors
 * send several cursors from the bottom up, and such changes refer to the same text, so they form one batch.
 */
export function* editBatches(
  changes: readonly TextDocumentContentChangeEvent[],
  converter: TextConverter,
): Generator<TextEdit[]> {
  let batch: TextEdit[] = [];
  let limit = Number.MAX_SAFE_INTEGER;
  for (const change of changes) {
    const ranged = "range" in change && change.range !== undefined;
    if (batch.length > 0 && (!ranged || converter.offset(change.range.end) >= limit)) {
      yield batch;
      batch = [];
    }
    const edit = ranged
      ? { ...ordered(converter.span(change.range)), text: change.text }
      : // Clients that send the whole text still edit a little at a time.
        editBetween(converter.document.text, change.text);
    batch.unshift(edit);
    limit = edit.start;
  }
  if (batch.length > 0) yield batch;
}

function ordered(span: Span): Span {
  return span.start <= span.end ? span : { start: span.end, end: span.start };
}

/** The range of something that has no place in its file. */
export const firstLine: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export const protocolSeverity: Record<Severity, DiagnosticSeverity> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** An edit of one file, with its version if the client supports that. */
export function editOfFile(
  client: ClientCapabilities,
  { uri, version }: { readonly uri: string; readonly version: number },
  edits: ProtocolEdit[],
): WorkspaceEdit {
  if (!client.workspace?.workspaceEdit?.documentChanges) return { changes: { [uri]: edits } };
  return { documentChanges: [{ textDocument: { uri, version }, edits }] };
}

/** The length of a string in units of the encoding. */
function unitsIn(text: string, encoding: PositionEncodingKind): number {
  if (encoding === "utf-8") return Buffer.byteLength(text, "utf8");
  let units = 0;
  for (const _ of text) units++;
  return units;
}

/**
 * How many UTF-16 units the first `units` units of a line have; a column inside a character is rounded down to its
 * start.
 */
function lengthOf(text: string, units: number, encoding: PositionEncodingKind): number {
  let length = 0;
  let left = units;
  for (const character of text) {
    left -= encoding === "utf-8" ? Buffer.byteLength(character, "utf8") : 1;
    if (left < 0) break;
    length += character.length;
  }
  return length;
}
