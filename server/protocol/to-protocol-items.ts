/** Converts lists to the protocol's types: completion items, outlines, semantic tokens. */
import {
  type ClientCapabilities,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type DocumentSymbol,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
  type Position,
  type Range,
  type SemanticTokensDelta,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import { type Block, commonEnds, type Span } from "../../flow";
import { valuesIn } from "../../flow/run";
import { shownName, withoutMarkdown } from "../../text";
import { type Inserting, insertionOf, type Suggestion, type Suggestions } from "../features/completion/insertion";
import type { OutlineItem } from "../features/outline";
import { type Token, tokenModifiers, tokensOf, tokenTypes } from "../features/tokens";
import type { Converter, TextConverter } from "./to-protocol";

const itemKinds: Record<Suggestion["kind"], CompletionItemKind> = {
  key: CompletionItemKind.Property,
  node: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  type: CompletionItemKind.Class,
  value: CompletionItemKind.EnumMember,
  id: CompletionItemKind.Reference,
  snippet: CompletionItemKind.Snippet,
};

export interface CompletionClient extends Inserting {
  /** The insert mode for multi-line text, if the client supports modes. */
  readonly mode: InsertTextMode | undefined;
  /** The command that opens the completion list again, if the client has one. */
  readonly suggestAgain: string | undefined;
}

export function completionList(found: Suggestions, converter: TextConverter, client: CompletionClient): CompletionList {
  const range = converter.range(found.replace);
  const width = String(found.items.length).length;
  return {
    isIncomplete: found.incomplete,
    items: found.items.map((item, index): CompletionItem => {
      const { text: newText, isSnippet, hasLines } = insertionOf(converter.document, found, item, client);
      const label = shownName(item.label);
      return {
        label,
        kind: itemKinds[item.kind],
        ...(item.detail ? { detail: shownName(item.detail) } : {}),
        ...(label === (item.filter ?? item.label) ? {} : { filterText: item.filter ?? item.label }),
        sortText: String(index).padStart(width, "0"),
        textEdit: { range, newText },
        ...(isSnippet ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
        ...(hasLines && client.mode !== undefined ? { insertTextMode: client.mode } : {}),
        ...(item.more && client.suggestAgain ? { command: { title: "Suggest", command: client.suggestAgain } } : {}),
        ...(item.about ? { data: { uri: converter.uri, about: item.about } } : {}),
      };
    }),
  };
}

/** Editors render `$(name)` in titles of lenses and commands as icons, and backticks as they are. */
export function shownTitle(words: string): string {
  return shownName(words)
    .replaceAll("$(", "$ (")
    .replace(/`([^`]*)`/g, "$1");
}

const symbolKinds: Record<OutlineItem["kind"], SymbolKind> = {
  section: SymbolKind.Namespace,
  field: SymbolKind.Property,
  node: SymbolKind.Function,
  edge: SymbolKind.Event,
  variable: SymbolKind.Variable,
  output: SymbolKind.Interface,
};

/** The symbol of each item, and the position of its block at that time. */
const drawn = new WeakMap<OutlineItem, { readonly symbol: DocumentSymbol; readonly base: Position }>();

/** An item's symbol is cached: an outline is requested after every pause in typing. */
export function documentSymbols(items: readonly OutlineItem[], converter: Converter): DocumentSymbol[] {
  return items.map((item) => symbolOf(item, converter, converter.start(item.block)));
}

function symbolOf(item: OutlineItem, converter: Converter, base: Position): DocumentSymbol {
  const known = drawn.get(item);
  const symbol =
    known?.base.character === base.character ? moved(known.symbol, base.line - known.base.line) : draw(item, converter);
  // A section consists of blocks that move independently.
  if (!item.section && symbol !== known?.symbol) drawn.set(item, { symbol, base });
  return symbol;
}

/** `at`: converts offsets in its block, shared by all items of it; a block may have thousands. */
function draw(item: OutlineItem, converter: Converter, at = converter.inBlock(item.block)): DocumentSymbol {
  const range = ({ start, end }: Span): Range => ({ start: at(start), end: at(end) });
  const symbol: DocumentSymbol = {
    name: shownName(item.name),
    kind: symbolKinds[item.kind],
    range: range(item.span),
    selectionRange: range(item.nameSpan),
  };
  if (item.detail) symbol.detail = shownName(item.detail);
  if (item.children.length > 0)
    symbol.children = item.children.map((child) =>
      child.block === item.block
        ? draw(child, converter, at)
        : symbolOf(child, converter, converter.start(child.block)),
    );
  const last = item.section ? symbol.children?.at(-1) : undefined;
  if (last) symbol.range.end = last.range.end;
  for (const inner of [symbol.selectionRange, ...(symbol.children ?? []).map((child) => child.range)])
    symbol.range = around(symbol.range, inner);
  return symbol;
}

/**
 * Names and children from an alias are located elsewhere, and editors drop an outline with a part outside of its
 * parent.
 */
function around(range: Range, inner: Range): Range {
  return {
    start: isBefore(inner.start, range.start) ? inner.start : range.start,
    end: isBefore(range.end, inner.end) ? inner.end : range.end,
  };
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** The same symbol, `by` lines further down. */
function moved(symbol: DocumentSymbol, by: number): DocumentSymbol {
  if (by === 0) return symbol;
  const position = ({ line, character }: Position): Position => ({ line: line + by, character });
  const range = ({ start, end }: Range): Range => ({ start: position(start), end: position(end) });
  return {
    ...symbol,
    range: range(symbol.range),
    selectionRange: range(symbol.selectionRange),
    ...(symbol.children ? { children: symbol.children.map((child) => moved(child, by)) } : {}),
  };
}

/** The flat form for clients that don't support trees. */
export function flatSymbols(symbols: readonly DocumentSymbol[], uri: string): SymbolInformation[] {
  const flat: SymbolInformation[] = [];
  const add = (symbol: DocumentSymbol, container: string | undefined) => {
    const found: SymbolInformation = { name: symbol.name, kind: symbol.kind, location: { uri, range: symbol.range } };
    if (container !== undefined) found.containerName = container;
    flat.push(found);
    for (const child of symbol.children ?? []) add(child, symbol.name);
  };
  for (const symbol of symbols) add(symbol, undefined);
  return flat;
}

/** The tokens of a block, five numbers each: line (relative to the block), column, length, type, modifiers. */
const encoded = new WeakMap<readonly Token[], readonly number[]>();

/**
 * Encodes the tokens of blocks in file order. Each block's tokens are cached; only the distance between blocks is
 * computed again. `within` restricts the lines.
 */
export function semanticTokens(blocks: readonly Block[], converter: Converter, within?: Range): number[] {
  const data: number[] = [];
  const valuesOf = valuesIn(converter.document);
  let lastLine = 0;
  let lastColumn = 0;
  for (const block of blocks) {
    const tokens = tokensOf(block, valuesOf);
    let words = encoded.get(tokens);
    const base = converter.start(block);
    if (!words) {
      words = encodeBlock(block, tokens, converter, base);
      encoded.set(tokens, words);
    }
    for (let at = 0; at < words.length; at += 5) {
      const onFirst = words[at] === 0;
      const line = base.line + (words[at] as number);
      if (within && (line < within.start.line || line > within.end.line)) continue;
      const column = (words[at + 1] as number) + (onFirst ? base.character : 0);
      data.push(
        line - lastLine,
        line === lastLine ? column - lastColumn : column,
        words[at + 2] as number,
        words[at + 3] as number,
        words[at + 4] as number,
      );
      lastLine = line;
      lastColumn = column;
    }
  }
  return data;
}

function encodeBlock(block: Block, tokens: readonly Token[], converter: Converter, base: Position): number[] {
  const position = converter.inBlock(block);
  return tokens.flatMap((token) => {
    const start = position(token.span.start);
    const end = position(token.span.end);
    const line = start.line - base.line;
    return [
      line,
      line === 0 ? start.character - base.character : start.character,
      end.character - start.character,
      tokenTypes.indexOf(token.type),
      token.modifier === undefined ? 0 : 1 << tokenModifiers.indexOf(token.modifier),
    ];
  });
}

/** The difference between two results: the numbers between the common prefix and suffix. */
export function tokensDelta(old: readonly number[], data: readonly number[], resultId: string): SemanticTokensDelta {
  const { head, tail } = commonEnds(old, data);
  if (head === old.length && head === data.length) return { resultId, edits: [] };
  return {
    resultId,
    edits: [{ start: head, deleteCount: old.length - tail - head, data: data.slice(head, data.length - tail) }],
  };
}

/** Markdown, or plain text if the client doesn't support it. */
export function markup(text: string, formats: readonly string[] | undefined): { kind: MarkupKind; value: string } {
  if (formats?.includes(MarkupKind.Markdown)) return { kind: MarkupKind.Markdown, value: text };
  return { kind: MarkupKind.PlainText, value: withoutMarkdown(text) };
}

export function completionClient(client: ClientCapabilities, commands: readonly string[]): CompletionClient {
  const again = "editor.action.triggerSuggest";
  const item = client.textDocument?.completion?.completionItem;
  const modes = item?.insertTextModeSupport?.valueSet ?? [];
  const mode = [InsertTextMode.adjustIndentation, InsertTextMode.asIs].find((each) => modes.includes(each));
  return {
    snippets: item?.snippetSupport === true,
    adjusts: mode === InsertTextMode.adjustIndentation,
    mode,
    suggestAgain: commands.includes(again) ? again : undefined,
  };
}
