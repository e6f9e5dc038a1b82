/**
 * Handles requests about test, policy and project files: each handler loads the file with its flows, calls features/ and
 * converts the result.
 */
import type {
  CodeAction,
  CodeActionParams,
  CodeLens,
  CompletionList,
  DocumentHighlight,
  DocumentOnTypeFormattingParams,
  DocumentSymbol,
  Hover,
  Location,
  Position,
  SymbolInformation,
  TextEdit,
} from "vscode-languageserver";
import { DocumentHighlightKind, SymbolKind } from "vscode-languageserver";
import type { CompanionProblem } from "../../files/suite";
import { FlowDocument, formatDocument, formatOnType } from "../../flow";
import { shownName } from "../../text";
import type { ServerContext } from "../context";
import type { CompanionName, CompanionSymbol, LoadedCompanion } from "../features/companion";
import { Converter, editOfFile, firstLine, TextConverter } from "../protocol/to-protocol";
import { completionClient, completionList, flatSymbols, markup, shownTitle } from "../protocol/to-protocol-items";
import type { Companion } from "./companion-files";
import type { CompanionService } from "./companion-service";
import { PlainText } from "./plain-text";

interface AtPosition {
  readonly position: Position;
}

export class CompanionRequests {
  constructor(
    private readonly getServer: () => ServerContext,
    private readonly service: CompanionService,
  ) {}

  private get server(): ServerContext {
    return this.getServer();
  }

  async completion(file: Companion, converter: TextConverter, { position }: AtPosition): Promise<CompletionList> {
    const { uri, version, kind, document } = file;
    const { text } = document;
    const listOf = (loaded: LoadedCompanion, converter: TextConverter) =>
      completionList(
        loaded.complete(converter.offset(position)),
        converter,
        completionClient(this.server.client, this.server.commands),
      );
    const loaded = await this.service.load(file);
    if (file.version === version) return listOf(loaded, converter);
    // In the newer text, the word at the position is longer. Editors would replace as much text after the cursor.
    const before = { uri, version, kind, document: new PlainText(text), isDeleted: false };
    return listOf(await this.service.load(before), new TextConverter(uri, before.document, this.server.encoding));
  }

  hover(file: Companion, converter: TextConverter, { position }: AtPosition): Promise<Hover | null> {
    return this.#loaded(file, (loaded) => {
      const found = loaded.hover(converter.offset(position));
      const formats = this.server.client.textDocument?.hover?.contentFormat;
      return found ? { contents: markup(found.text, formats), range: converter.range(found.span) } : null;
    });
  }

  symbols(file: Companion, converter: TextConverter): Promise<DocumentSymbol[] | SymbolInformation[]> {
    return this.#loaded(file, (loaded) => {
      const symbols = loaded.outline().map((each) => symbolOf(each, converter));
      const tree = this.server.client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport;
      return tree ? symbols : flatSymbols(symbols, converter.uri);
    });
  }

  highlights(file: Companion, converter: TextConverter, { position }: AtPosition): Promise<DocumentHighlight[] | null> {
    return this.#loaded(file, (loaded) => {
      const spans = loaded.same(converter.offset(position));
      if (spans.length === 0) return null;
      return spans.map((span) => ({ range: converter.range(span), kind: DocumentHighlightKind.Read }));
    });
  }

  definition(file: Companion, converter: TextConverter, { position }: AtPosition): Promise<Location[] | null> {
    return this.#loaded(file, (loaded) => {
      const offset = converter.offset(position);
      const files = loaded.files(offset);
      if (files) return files.uris.map((uri) => ({ uri, range: firstLine }));
      const found = loaded.names(offset).flatMap((name) => this.#definitionOf(name));
      return found.length > 0 ? found : null;
    });
  }

  /** The names of flow elements at a position. */
  names(file: Companion, converter: TextConverter, { position }: AtPosition): Promise<readonly CompanionName[]> {
    return this.#loaded(file, (loaded) => loaded.names(converter.offset(position)));
  }

  format({ document }: Companion, converter: TextConverter): TextEdit[] {
    return converter.edits(formatDocument(FlowDocument.read(document.text)));
  }

  formatOnType(
    { document }: Companion,
    converter: TextConverter,
    { position, ch }: DocumentOnTypeFormattingParams,
  ): TextEdit[] {
    return converter.edits(formatOnType(FlowDocument.read(document.text), converter.offset(position), ch));
  }

  async actions(file: Companion, converter: TextConverter, params: CodeActionParams): Promise<CodeAction[]> {
    if (!this.server.client.textDocument?.codeAction?.codeActionLiteralSupport) return [];
    const { only } = params.context;
    if (only && !only.some((kind) => kind === "quickfix" || kind === "")) return [];
    const { version } = file;
    const range = converter.span(params.range);
    const isHere = ({ span }: CompanionProblem) => span.start <= range.end && range.start <= span.end;
    const problems = (await this.service.diagnostics.problemsOf(file)) ?? [];
    if (file.version !== version) return [];
    return problems.filter(isHere).flatMap((problem) =>
      problem.fixes().map((fix): CodeAction => {
        const about = params.context.diagnostics.filter(({ code }) => code === problem.code);
        return {
          title: shownTitle(fix.title),
          kind: "quickfix",
          ...(about.length > 0 ? { diagnostics: about } : {}),
          ...(fix.preferred ? { isPreferred: true } : {}),
          edit: editOfFile(this.server.client, file, converter.edits(fix.edits)),
        };
      }),
    );
  }

  lenses(file: Companion, converter: TextConverter): Promise<CodeLens[]> {
    return this.#loaded(file, (loaded) => {
      const { commands, settings } = this.server;
      const shows = commands.includes("assistantFlow.showReferences");
      const debugs = settings.codeLens.tests && commands.includes("assistantFlow.debugTest");
      return loaded.lenses().flatMap(({ span, title: words, places, debugs: test }) => {
        const title = shownTitle(words);
        const range = converter.range(span);
        if (test !== undefined) {
          const command = { title, command: "assistantFlow.debugTest", arguments: [converter.uri, test] };
          return debugs ? { range, command } : [];
        }
        const locations = places.flatMap(({ document, span: at }) => this.#location(document, at));
        const command =
          shows && locations.length > 0
            ? { title, command: "assistantFlow.showReferences", arguments: [converter.uri, range.start, locations] }
            : { title, command: "" };
        return { range, command };
      });
    });
  }

  #definitionOf(name: CompanionName): Location[] {
    const { document, nodes } = name.program;
    if (name.kind === "edge") {
      const block = nodes.get(name.edge.from)?.block;
      return block ? this.#location(document, document.absolute(block, name.edge.model.span)) : [];
    }
    const block = name.kind === "node" ? document.node(name.name) : document.variable(name.name);
    return block ? this.#location(document, document.absolute(block, block.keySpan)) : [];
  }

  #location(document: FlowDocument, span: { start: number; end: number }): Location[] {
    const uri = this.service.programs.uriOf(document);
    return uri === undefined ? [] : [new Converter(uri, document, this.server.encoding).location(span)];
  }

  async #loaded<Result>(file: Companion, handle: (loaded: LoadedCompanion) => Result): Promise<Result> {
    return handle(await this.service.load(file));
  }
}

const symbolKinds: Record<CompanionSymbol["kind"], SymbolKind> = {
  file: SymbolKind.File,
  test: SymbolKind.Method,
  step: SymbolKind.Event,
  policy: SymbolKind.Interface,
  environment: SymbolKind.Namespace,
  name: SymbolKind.Constant,
};

function symbolOf(
  { name, detail, kind, span, nameSpan, children }: CompanionSymbol,
  converter: TextConverter,
): DocumentSymbol {
  const whole = { start: Math.min(span.start, nameSpan.start), end: Math.max(span.end, nameSpan.end) };
  return {
    name: shownName(name),
    kind: symbolKinds[kind],
    range: converter.range(whole),
    selectionRange: converter.range(nameSpan),
    ...(detail ? { detail: shownName(detail) } : {}),
    ...(children.length > 0
      ? // Content from an alias is located elsewhere, and editors drop an outline with a part outside of its parent.
        { children: children.filter((each) => isInside(each, whole)).map((each) => symbolOf(each, converter)) }
      : {}),
  };
}

function isInside({ span }: CompanionSymbol, { start, end }: { start: number; end: number }): boolean {
  return span.start >= start && span.end <= end;
}
