/** The requests that reach beyond one file: going to a name, finding and renaming it, and the workspace's own questions. */
import {
  type Location,
  LSPErrorCodes,
  ResponseError,
  type ServerCapabilities,
  type SymbolInformation,
  SymbolKind,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceDocumentDiagnosticReport,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { FlowDocument, Span } from "../flow";
import { ownIds, platformIdAt, platformIdPlaces, usesOfComponent } from "./features/components";
import { hasInOrder } from "./features/match";
import { type FlowName, nameAt, occurrencesOf } from "./features/occurrences";
import { rename, renamedAt } from "./features/rename";
import { type FileSymbol, symbolsOf } from "./files";
import type { Server } from "./server";
import { Converter } from "./to-protocol";
import { keyOf } from "./uris";
import type { OpenFile } from "./workspace";

const MAX_SYMBOLS = 500;

export function registerAcrossFiles(server: Server): ServerCapabilities {
  registerNames(server);
  registerRename(server);
  registerWorkspaceSymbols(server);
  registerPulledDiagnostics(server);
  return {
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: server.client.textDocument?.rename?.prepareSupport ? { prepareProvider: true } : true,
    workspaceSymbolProvider: true,
    diagnosticProvider: { identifier: "assistant-flow", interFileDependencies: true, workspaceDiagnostics: true },
  };
}

function registerNames(server: Server): void {
  const { connection } = server;
  connection.onDefinition((params) =>
    server.answer<Promise<Location[] | null>>(params, Promise.resolve(null), async ({ document }, converter) => {
      const offset = converter.offset(params.position);
      const name = nameAt(document, offset);
      if (name) {
        const found = occurrencesOf(document, name).filter(({ role }) => role === "definition");
        return found.map(({ span }) => converter.location(span));
      }
      const id = platformIdAt(document, offset);
      if (id?.key !== "component") return null;
      return placesInFiles(server, (other) => {
        const entry = ownIds(other).has(id.id) ? (other.top("assistant") ?? other.top("revision")) : undefined;
        return entry ? [other.absolute(entry, entry.keySpan)] : [];
      });
    }),
  );
  connection.onReferences((params) =>
    server.answer<Promise<Location[] | null>>(params, Promise.resolve(null), async ({ document }, converter) => {
      const offset = converter.offset(params.position);
      const name = nameAt(document, offset);
      if (name) {
        const found = occurrencesOf(document, name).filter(
          ({ role }) => role !== "definition" || params.context.includeDeclaration,
        );
        const here = found.map(({ span }) => converter.location(span));
        return [...here, ...(await usesElsewhere(server, document, name)).flatMap(locationsOf)];
      }
      const id = platformIdAt(document, offset);
      return id ? placesInFiles(server, (other) => platformIdPlaces(other, id.id)) : null;
    }),
  );
}

interface Uses {
  readonly converter: Converter;
  readonly version: number | null;
  readonly spans: readonly Span[];
}

function locationsOf({ converter, spans }: Uses): Location[] {
  return spans.map((span) => converter.location(span));
}

/** Where the files that use this flow as a component use a name of it. */
async function usesElsewhere(server: Server, document: FlowDocument, name: FlowName): Promise<Uses[]> {
  const ids = ownIds(document);
  if (name.kind === "node" || ids.size === 0) return [];
  const users = [...server.workspace.facts()].filter((facts) =>
    facts.uses.some((use) => use.kind === "component" && ids.has(use.id)),
  );
  const found: Uses[] = [];
  for (const { uri } of users) {
    const other = await server.workspace.document(uri);
    const spans = other ? usesOfComponent(other, ids, name) : [];
    if (other && spans.length > 0)
      found.push({
        converter: new Converter(uri, other, server.encoding),
        version: server.workspace.get(uri)?.version ?? null,
        spans,
      });
  }
  return found;
}

async function placesInFiles(server: Server, places: (document: FlowDocument) => Span[]): Promise<Location[]> {
  const found: Location[] = [];
  for (const { uri } of [...server.workspace.facts()]) {
    const document = await server.workspace.document(uri);
    if (!document) continue;
    const converter = new Converter(uri, document, server.encoding);
    found.push(...places(document).map((span) => converter.location(span)));
  }
  return found;
}

function registerRename(server: Server): void {
  const { connection } = server;
  connection.onPrepareRename((params) =>
    server.answer(params, null, ({ document }, converter) => {
      const found = renamedAt(document, converter.offset(params.position));
      return found ? { range: converter.range(found.span), placeholder: found.name } : null;
    }),
  );
  connection.onRenameRequest((params) =>
    server.answer<Promise<WorkspaceEdit | null>>(params, Promise.resolve(null), async (file, converter) => {
      const renamed = rename(file.document, converter.offset(params.position), params.newName);
      if ("refused" in renamed) throw new ResponseError(LSPErrorCodes.RequestFailed, renamed.refused);
      const elsewhere = renamed.edits.length > 0 ? await usesElsewhere(server, file.document, renamed.name) : [];
      return renameEdit(server, file, converter.nameEdits(renamed.edits, params.newName), elsewhere, params.newName);
    }),
  );
}

/** Edits in other files are shown for confirmation first, where the client can do so. */
function renameEdit(
  server: Server,
  file: OpenFile,
  edits: TextEdit[],
  elsewhere: readonly Uses[],
  newName: string,
): WorkspaceEdit {
  const client = server.client.workspace?.workspaceEdit;
  const others = elsewhere.map(({ converter, version, spans }) => ({
    textDocument: { uri: converter.uri, version },
    edits: converter.nameEdits(spans, newName),
  }));
  const documents: TextDocumentEdit[] = [{ textDocument: { uri: file.uri, version: file.version }, edits }, ...others];
  if (!client?.documentChanges)
    return { changes: Object.fromEntries(documents.map((each) => [each.textDocument.uri, each.edits as TextEdit[]])) };
  if (others.length === 0 || !client.changeAnnotationSupport) return { documentChanges: documents };
  const annotationId = "other-files";
  return {
    documentChanges: documents.map((each, index) =>
      index === 0 ? each : { ...each, edits: each.edits.map((edit) => ({ ...(edit as TextEdit), annotationId })) },
    ),
    changeAnnotations: {
      [annotationId]: {
        label: "Files that use this flow",
        description: "They feed or read this name through a component node.",
        needsConfirmation: true,
      },
    },
  };
}

function registerWorkspaceSymbols(server: Server): void {
  server.connection.onWorkspaceSymbol(async ({ query }, token) => {
    if (!server.client.workspace?.didChangeWatchedFiles?.dynamicRegistration)
      await server.workspace.update(() => !token.isCancellationRequested);
    const word = query.toLowerCase();
    const found: SymbolInformation[] = [];
    const add = (uri: string, symbols: readonly FileSymbol[]) => {
      for (const symbol of symbols) {
        if (found.length >= MAX_SYMBOLS) return;
        if (!hasInOrder(symbol.name.toLowerCase(), word) && !symbol.detail.toLowerCase().includes(word)) continue;
        const start = { line: symbol.line, character: symbol.character };
        found.push({
          name: symbol.name,
          kind: symbol.kind === "node" ? SymbolKind.Function : SymbolKind.Variable,
          containerName: symbol.detail,
          location: { uri, range: { start, end: { ...start, character: start.character + symbol.length } } },
        });
      }
    };
    for (const file of server.workspace.openFiles) add(file.uri, symbolsOf(file.document));
    for (const file of server.workspace.closedFiles()) add(file.facts.uri, file.symbols);
    return found;
  });
}

function registerPulledDiagnostics(server: Server): void {
  const { connection, diagnostics, workspace } = server;
  connection.languages.diagnostics.on((params) => {
    const file = workspace.get(params.textDocument.uri);
    if (!file) {
      const closed = diagnostics.closed.get(keyOf(params.textDocument.uri));
      return { kind: "full", items: closed ? JSON.parse(closed.items) : [] };
    }
    const { id, items } = diagnostics.of(file);
    if (params.previousResultId === id) return { kind: "unchanged", resultId: id };
    return { kind: "full", resultId: id, items: [...items] };
  });
  connection.languages.diagnostics.onWorkspace(async (params, token, progress, results) => {
    const before = new Map(params.previousResultIds.map(({ uri, value }) => [keyOf(uri), value]));
    progress.begin("Checking flows", 0, undefined, true);
    await workspace.update((done, total) => {
      progress.report(Math.round((100 * done) / total), `${done} of ${total}`);
      return !token.isCancellationRequested;
    });
    progress.done();
    const changes = () => {
      const items: WorkspaceDocumentDiagnosticReport[] = [];
      for (const [uri, { resultId, items: found }] of diagnostics.closed)
        if (before.get(uri) !== resultId && !workspace.get(uri))
          items.push({ kind: "full", uri, version: null, resultId, items: JSON.parse(found) });
      for (const uri of before.keys())
        if (!diagnostics.closed.has(uri) && !workspace.get(uri))
          items.push({ kind: "full", uri, version: null, items: [] });
      return items;
    };
    // The client asks again as soon as it is answered, so an answer waits until there is something to say.
    const cancelled = new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
    let items = changes();
    while (items.length === 0 && before.size > 0 && !token.isCancellationRequested) {
      await Promise.race([diagnostics.closedChange(), cancelled]);
      items = changes();
    }
    if (results) results.report({ items });
    return { items: results ? [] : items };
  });
}
