/**
 * Handles requests about one file that only read: each handler gets the file, calls features/ and converts the result.
 */

import {
  type CallHierarchyItem,
  type CodeLens,
  type Command,
  DocumentHighlightKind,
  InlayHintKind,
  type ServerCapabilities,
  SymbolKind,
} from "vscode-languageserver";
import { type NodeBlock, type Problem, topText } from "../../flow";
import { shownName, t } from "../../text";
import { blocksIn, writtenSpan } from "../features/blocks";
import { codeLenses, edgesTitle, findingsTitle, type LensKind, problemsIn } from "../features/code-lens";
import { complete, type Neighbors } from "../features/completion/completion";
import type { About } from "../features/completion/insertion";
import { aboutTool, documentationOf } from "../features/hover/documentation";
import { findingHelp, isFinding, problemHelp } from "../features/hover/finding-help";
import { hover } from "../features/hover/hover";
import { inlayHints } from "../features/inlay-hints";
import { links } from "../features/links";
import { waysIn, waysOut } from "../features/names/hierarchy";
import { nameAt, occurrencesOf } from "../features/names/occurrences";
import { outline } from "../features/outline";
import { tokenModifiers, tokenTypes } from "../features/tokens";
import type { Converter } from "../protocol/to-protocol";
import {
  completionClient,
  completionList,
  documentSymbols,
  flatSymbols,
  markup,
  semanticTokens,
  shownTitle,
  tokensDelta,
} from "../protocol/to-protocol-items";
import { pageOf } from "../rule-pages";
import type { Server } from "../server-parts";
import { neighborsOf } from "../workspace/completion-sources";
import type { OpenFile } from "../workspace/workspace";

/** Registers the handlers and returns their capabilities. */
export function registerReadRequests(server: Server): ServerCapabilities {
  registerCompletion(server);
  registerHoverAndNavigation(server);
  registerHierarchy(server);
  registerTokens(server);
  registerLensesAndHints(server);
  return {
    completionProvider: { resolveProvider: true, triggerCharacters: [":", " ", "{", "-", '"', "$"] },
    hoverProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    callHierarchyProvider: true,
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: { delta: true },
      range: true,
    },
    inlayHintProvider: { resolveProvider: true },
    codeLensProvider: { resolveProvider: true },
    documentLinkProvider: {},
  };
}

function neighbors({ workspace, toolsFor, companions }: Server, uri: string): Neighbors {
  return neighborsOf(workspace, toolsFor(uri), companions.projects.of(uri)?.project);
}

function registerCompletion(server: Server): void {
  const { connection, workspace } = server;
  connection.onCompletion((params) =>
    server.answer(
      params,
      null,
      ({ uri, document }, converter) =>
        completionList(
          complete(document, converter.offset(params.position), neighbors(server, uri)),
          converter,
          completionClient(server.client, server.commands),
        ),
      (file, converter) => server.companionRequests.completion(file, converter, params),
    ),
  );
  connection.onCompletionResolve((item) => {
    const { uri, about } = (item.data ?? {}) as { uri?: string; about?: About };
    const document = uri === undefined ? undefined : workspace.get(uri)?.document;
    const text = document && about && documentationOf(document, about);
    const formats = server.client.textDocument?.completion?.completionItem?.documentationFormat;
    return text === undefined ? item : { ...item, documentation: markup(text, formats) };
  });
}

function registerHoverAndNavigation(server: Server): void {
  const { connection } = server;
  connection.onHover((params) =>
    server.answer(
      params,
      null,
      (file, converter) => {
        const found = hover(
          file.document,
          converter.offset(params.position),
          allProblems(server, file),
          (problem) =>
            isFinding(problem)
              ? aboutFinding(server, file, converter, problem)
              : problemHelp(file.uri, file.document, problem, pageOf),
          neighbors(server, file.uri),
          () => server.sync.loaded?.aboutRevision(file.uri),
        );
        const formats = server.client.textDocument?.hover?.contentFormat;
        return found ? { contents: markup(found.text, formats), range: converter.range(found.span) } : null;
      },
      (file, converter) => server.companionRequests.hover(file, converter, params),
    ),
  );
  connection.onDocumentHighlight((params) =>
    server.answer(
      params,
      null,
      ({ document }, converter) => {
        const name = nameAt(document, converter.offset(params.position));
        if (!name) return null;
        return occurrencesOf(document, name).map(({ span, role }) => ({
          range: converter.range(span),
          kind: role === "read" ? DocumentHighlightKind.Read : DocumentHighlightKind.Write,
        }));
      },
      (file, converter) => server.companionRequests.highlights(file, converter, params),
    ),
  );
  connection.onDocumentSymbol((params) =>
    server.answer(
      params,
      null,
      (file, converter) => {
        const symbols = documentSymbols(outline(file.document, server.toolsFor(file.uri)), converter);
        const tree = server.client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport;
        return tree ? symbols : flatSymbols(symbols, file.uri);
      },
      (file, converter) => server.companionRequests.symbols(file, converter),
    ),
  );
  connection.onDocumentLinks((params) =>
    server.answer(params, null, ({ document }, converter) =>
      links(document, server.settings.links).map(({ span, target, tooltip }) => ({
        range: converter.range(span),
        target,
        ...(tooltip === undefined ? {} : { tooltip }),
      })),
    ),
  );
}

function registerHierarchy(server: Server): void {
  const { connection } = server;
  const item = (node: NodeBlock, converter: Converter): CallHierarchyItem => {
    const { document } = converter;
    return {
      name: shownName(node.id),
      kind: SymbolKind.Function,
      detail: shownName([node.type, node.name].filter(Boolean).join(" · ")),
      data: node.id,
      uri: converter.uri,
      range: converter.range(document.absolute(node, writtenSpan(node))),
      selectionRange: converter.range(document.absolute(node, node.keySpan)),
    };
  };
  connection.languages.callHierarchy.onPrepare((params) =>
    server.answer(params, null, ({ document }, converter) => {
      const name = nameAt(document, converter.offset(params.position));
      const node = name?.kind === "node" ? document.node(name.name) : undefined;
      return node ? [item(node, converter)] : null;
    }),
  );
  connection.languages.callHierarchy.onIncomingCalls((params) =>
    server.answer({ textDocument: params.item }, null, ({ document }, converter) =>
      waysIn(document, String(params.item.data)).map(({ node, places }) => ({
        from: item(node, converter),
        fromRanges: places.map((place) => converter.range(place)),
      })),
    ),
  );
  connection.languages.callHierarchy.onOutgoingCalls((params) =>
    server.answer({ textDocument: params.item }, null, ({ document }, converter) =>
      waysOut(document, String(params.item.data)).map(({ node, places }) => ({
        to: item(node, converter),
        fromRanges: places.map((place) => converter.range(place)),
      })),
    ),
  );
}

function registerTokens(server: Server): void {
  const { semanticTokens: tokens } = server.connection.languages;
  /** The last result for each file, for deltas. */
  const last = new WeakMap<OpenFile, { resultId: string; data: number[] }>();
  const nothing = { resultId: "", data: [] as number[] };
  let count = 0;
  const full = (file: OpenFile, converter: Converter) => {
    const answer = { resultId: String(++count), data: semanticTokens(file.document.blocks, converter) };
    last.set(file, answer);
    return answer;
  };
  tokens.on((params) => server.answer(params, nothing, full));
  tokens.onRange((params) =>
    server.answer(params, { data: [] }, ({ document }, converter) => ({
      data: semanticTokens(blocksIn(document, converter.span(params.range)), converter, params.range),
    })),
  );
  tokens.onDelta((params) =>
    server.answer<ReturnType<typeof full> | ReturnType<typeof tokensDelta>>(params, nothing, (file, converter) => {
      const before = last.get(file);
      const now = full(file, converter);
      return before?.resultId === params.previousResultId ? tokensDelta(before.data, now.data, now.resultId) : now;
    }),
  );
}

function aboutFinding(server: Server, file: OpenFile, converter: Converter, problem: Problem): string {
  return findingHelp(file.document, problem, server.sync.loaded?.fix(file, problem), (title) => {
    if (!server.commands.includes("assistantFlow.applyFix")) return undefined;
    const args = [file.uri, converter.range(problem.span), shownTitle(title)];
    // A parenthesis in the title must not end the link.
    const query = encodeURIComponent(JSON.stringify(args)).replaceAll("(", "%28").replaceAll(")", "%29");
    return `command:assistantFlow.applyFix?${query}`;
  });
}

function allProblems(server: Server, file: OpenFile): Problem[] {
  const { problems, findings } = server.diagnostics.merged(file);
  return [...problems, ...findings];
}

function registerLensesAndHints(server: Server): void {
  const { connection, workspace } = server;
  connection.languages.inlayHint.on((params) =>
    server.answer(params, null, (file, converter) =>
      inlayHints(
        file.document,
        converter.span(params.range),
        server.settings.inlayHints,
        server.toolsFor(file.uri),
      ).map(({ offset, label, node, tool }) => ({
        position: converter.position(offset),
        label: shownName(label),
        kind: InlayHintKind.Type,
        paddingLeft: true,
        ...(node === undefined && tool === undefined ? {} : { data: { uri: file.uri, node, tool } }),
      })),
    ),
  );
  connection.languages.inlayHint.resolve((hint) => {
    const { uri = "", node, tool: id } = (hint.data ?? {}) as { uri?: string; node?: string; tool?: string };
    const document = workspace.get(uri)?.document;
    const tool = id === undefined ? undefined : server.toolsFor(uri)?.get(id);
    const text = tool
      ? aboutTool(tool)
      : document && node !== undefined && documentationOf(document, { kind: "node", name: node });
    return text ? { ...hint, tooltip: markup(text, ["markdown"]) } : hint;
  });
  connection.onCodeLens((params) =>
    server.answer<CodeLens[] | null>(
      params,
      null,
      (file, converter) => {
        const choice = {
          ...server.settings.codeLens,
          plan: server.settings.codeLens.plan && server.commands.includes("assistantFlow.plan"),
          preview: server.settings.codeLens.preview && server.commands.includes("assistantFlow.openPreview"),
          restore: server.settings.codeLens.restore && server.commands.includes("assistantFlow.restoreAssistant"),
          tests: server.settings.codeLens.tests && server.commands.includes("assistantFlow.createTest"),
        };
        return codeLenses(file.document, choice, allProblems(server, file)).map(({ kind, span, node }) => {
          const command = lensCommand(file, kind, node);
          const range = converter.range(span);
          return command ? { range, command } : { range, data: { uri: file.uri, kind, node } };
        });
      },
      (file, converter) => server.companionRequests.lenses(file, converter),
    ),
  );
  connection.onCodeLensResolve((lens) => {
    if (lens.command) return lens;
    const { uri, kind, node: id } = lens.data as { uri: string; kind: LensKind; node?: string };
    const file = workspace.get(uri);
    const none = { title: "", command: "" };
    const node = id === undefined ? undefined : file?.document.node(id);
    if (!file || !node) return { ...lens, command: none };
    if (kind === "findings") {
      const title = findingsTitle(problemsIn(file.document, node, allProblems(server, file)));
      return { ...lens, command: { title, command: "" } };
    }
    const title = edgesTitle(file.document, node);
    if (!server.commands.includes("assistantFlow.showReferences")) return { ...lens, command: { title, command: "" } };
    const converter = server.converter(file);
    const places = occurrencesOf(file.document, { kind: "node", name: node.id }).filter(({ role }) => role === "read");
    const locations = places.map(({ span }) => converter.location(span));
    const command = "assistantFlow.showReferences";
    return { ...lens, command: { title, command, arguments: [uri, lens.range.start, locations] } };
  });
}

/** The command of a lens whose title depends on nothing else. Lenses of nodes are resolved when they are visible. */
function lensCommand({ uri, document }: OpenFile, kind: LensKind, node: string | undefined): Command | undefined {
  const args = node === undefined ? [uri] : [uri, node];
  if (kind === "plan") return { title: t("Show Plan"), command: "assistantFlow.plan", arguments: args };
  if (kind === "preview") return { title: t("Show Graph"), command: "assistantFlow.openPreview", arguments: args };
  if (kind === "tests") return { title: t("Create Test…"), command: "assistantFlow.createTest", arguments: args };
  const assistant = [topText(document, "assistant")?.trim()];
  if (kind === "restore")
    return { title: t("Restore Assistant"), command: "assistantFlow.restoreAssistant", arguments: assistant };
  return undefined;
}
