/** Handles requests across files: definitions, references, renames, workspace symbols and workspace diagnostics. */

import {
  type Location,
  type ReferenceParams,
  type ServerCapabilities,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import type { FlowDocument, Span } from "../../flow";
import type { TestName } from "../../flow/test";
import { shownName } from "../../text";
import type { Companion } from "../companions/companion-files";
import { PlainText } from "../companions/plain-text";
import { registerPulledDiagnostics } from "../diagnostics/pulled-diagnostics";
import { hasInOrder } from "../features/completion/match";
import { ownIds, platformIdAt, platformIdPlaces } from "../features/components";
import { type EdgeAt, edgeAt } from "../features/names/labels";
import { type FlowName, nameAt, occurrencesOf } from "../features/names/occurrences";
import { Converter, firstLine, TextConverter } from "../protocol/to-protocol";
import { toolUri } from "../revision-messages";
import type { Server } from "../server-parts";
import { type FileSymbol, symbolsOf } from "../workspace/files";
import { type Uses, type UsesInFile, usesElsewhere, usesInPolicies, usesInTests } from "./cross-file-references";
import { definitionsOf, type NameInProject, nameInCompanion, nameInFlow, usesOfName } from "./name-requests";
import { registerRename } from "./rename-requests";

const MAX_SYMBOLS = 500;

export function registerWorkspaceRequests(server: Server): ServerCapabilities {
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
    server.answer<Promise<Location[] | null>>(
      params,
      Promise.resolve(null),
      async ({ uri, document }, converter) => {
        const offset = converter.offset(params.position);
        const name = nameAt(document, offset);
        if (name) {
          const found = occurrencesOf(document, name).filter(({ role }) => role === "definition");
          return found.map(({ span }) => converter.location(span));
        }
        const id = platformIdAt(document, offset);
        const named = nameInFlow(server, { uri, document }, offset);
        if (named) {
          const flow = id?.key === "component" ? server.companions.projects.component(id.id) : undefined;
          return [...locationsOf(definitionsOf(server, named)), ...(flow === undefined ? [] : [startOf(flow)])];
        }
        if (id?.key === "tool") return toolPlace(server, uri, id.id);
        if (id?.key !== "component") return null;
        const found = await placesInFiles(server, (other) => {
          const block = ownIds(other).has(id.id) ? (other.top("assistant") ?? other.top("revision")) : undefined;
          return block ? [other.absolute(block, block.keySpan)] : [];
        });
        const listed = found.length > 0 ? undefined : server.companions.projects.component(id.id);
        return listed === undefined ? found : [startOf(listed)];
      },
      async (file, converter) => {
        const named = nameInCompanion(server, file, converter.offset(params.position));
        if (named) return locationsOf(definitionsOf(server, named));
        return server.companionRequests.definition(file, converter, params);
      },
    ),
  );
  connection.onReferences((params) =>
    server.answer<Promise<Location[] | null>>(
      params,
      Promise.resolve(null),
      async ({ uri, document }, converter) => {
        const offset = converter.offset(params.position);
        const named = nameInFlow(server, { uri, document }, offset);
        if (named) return referencesToName(server, named, params);
        const name = nameAt(document, offset);
        if (name) return referencesTo(server, document, name, converter, params.context.includeDeclaration);
        const id = platformIdAt(document, offset);
        if (id) return placesInFiles(server, (other) => platformIdPlaces(other, id.id));
        const edge = edgeAt(document, offset);
        return edge ? referencesToEdge(server, document, edge) : null;
      },
      (file, converter) => {
        const named = nameInCompanion(server, file, converter.offset(params.position));
        return named
          ? referencesToName(server, named, params)
          : referencesFromCompanion(server, file, converter, params);
      },
    ),
  );
}

async function referencesToName(server: Server, named: NameInProject, params: ReferenceParams): Promise<Location[]> {
  const { includeDeclaration } = params.context;
  const defined = includeDeclaration ? [definitionsOf(server, named)] : [];
  return [...defined, ...(await usesOfName(server, named))].flatMap(locationsOf);
}

function startOf(uri: string): Location {
  return { uri, range: firstLine };
}

/** A read-only document of the client; in other editors, the tool in the snapshot. */
function toolPlace(server: Server, flow: string, id: string): Location[] | null {
  const tool = server.toolsFor(flow)?.get(id.trim());
  if (!tool) return null;
  if (server.options.toolDocuments) return [startOf(toolUri(flow, { id: tool.id, name: shownName(tool.name) }))];
  const found = server.companions.tools.placeOf(flow, tool.id);
  return found && [new TextConverter(found.uri, new PlainText(found.text), server.encoding).location(found.span)];
}

async function referencesFromCompanion(
  server: Server,
  file: Companion,
  at: TextConverter,
  params: ReferenceParams,
): Promise<Location[]> {
  const found: Location[] = [];
  for (const name of await server.companionRequests.names(file, at, params)) {
    const { document, nodes } = name.program;
    const uri = server.companions.programs.uriOf(document);
    if (uri === undefined) continue;
    const converter = new Converter(uri, document, server.encoding);
    const node = name.kind === "edge" ? nodes.get(name.edge.from) : undefined;
    if (name.kind !== "edge")
      for (const each of await referencesTo(server, document, name, converter, params.context.includeDeclaration))
        found.push(each);
    else if (node) {
      if (params.context.includeDeclaration)
        found.push(converter.location(document.absolute(node.block, name.edge.model.span)));
      const index = node.block.edges.indexOf(name.edge.model);
      for (const each of await referencesToEdge(server, document, { node: node.block, index })) found.push(each);
    }
  }
  return found;
}

async function referencesTo(
  server: Server,
  document: FlowDocument,
  name: FlowName,
  converter: Converter,
  withDefinition: boolean,
): Promise<Location[]> {
  const found = occurrencesOf(document, name).filter(({ role }) => role !== "definition" || withDefinition);
  const here = found.map(({ span }) => converter.location(span));
  const elsewhere = (await usesElsewhere(server, document, name)).flatMap(locationsOf);
  if (name.kind === "output") return [...here, ...elsewhere];
  const isIt = (each: TestName) =>
    each.kind === "edge"
      ? name.kind === "node" && each.by === "target" && each.edge.to === name.name
      : each.kind === name.kind && each.name === name.name;
  const tests = await usesInTests(server.companions, document, name.name, isIt, server.encoding);
  const policies = (await usesInPolicies(server.companions, document, name, server.encoding)).flatMap(locationsOf);
  return [...here, ...elsewhere, ...tests.flatMap(locationsInTests), ...policies];
}

/** The test steps that take an edge. */
async function referencesToEdge(server: Server, document: FlowDocument, at: EdgeAt): Promise<Location[]> {
  const edge = at.node.edges[at.index];
  const isIt = (each: TestName) =>
    each.kind === "edge" && each.edge.from === at.node.id && each.edge.model.id === edge?.id;
  const tests = await usesInTests(server.companions, document, "take", isIt, server.encoding);
  return tests.flatMap(locationsInTests);
}

function locationsInTests({ converter, names }: UsesInFile): Location[] {
  return names.map(({ span }) => converter.location(span));
}

function locationsOf({ converter, spans }: Uses): Location[] {
  return spans.map((span) => converter.location(span));
}

async function placesInFiles(server: Server, places: (document: FlowDocument) => Span[]): Promise<Location[]> {
  const found: Location[] = [];
  for (const { uri } of [...server.workspace.facts()]) {
    const document = await server.workspace.document(uri);
    if (!document) continue;
    const converter = new Converter(uri, document, server.encoding);
    for (const each of places(document).map((span) => converter.location(span))) found.push(each);
  }
  return found;
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
          name: shownName(symbol.name),
          kind: symbol.kind === "node" ? SymbolKind.Function : SymbolKind.Variable,
          containerName: shownName(symbol.detail),
          location: { uri, range: { start, end: { ...start, character: start.character + symbol.length } } },
        });
      }
    };
    for (const file of server.workspace.openFiles) add(file.uri, symbolsOf(file.document));
    for (const file of server.workspace.closedFiles()) add(file.facts.uri, file.symbols);
    return found;
  });
}
