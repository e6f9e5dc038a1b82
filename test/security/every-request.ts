/**
 * Every request of the server, by its capability. Tests iterate over the server's own capabilities, so a new one fails
 * them until its request is added here.
 */
import type { ClientCapabilities, Position, ServerCapabilities } from "vscode-languageserver-protocol";
import type { ClientCommand } from "../../server/messages";
import { Client, type StartOptions } from "../language/client";

export interface Question {
  readonly method: string;
  readonly params: object;
  /** The follow-up requests for a response. */
  readonly then?: (answer: never) => readonly Question[];
}

/** The file of a request, and the places in it. */
export interface Asked {
  readonly uri: string;
  readonly lines: readonly string[];
  readonly places: readonly Position[];
}

type Ask = (file: Asked) => readonly Question[];

const options = { tabSize: 2, insertSpaces: true };

function whole(file: Asked): object {
  return { start: { line: 0, character: 0 }, end: { line: file.lines.length, character: 0 } };
}

const ofFile =
  (method: string, more: (file: Asked) => object = () => ({}), then?: Question["then"]): Ask =>
  (file) => [question(file, `textDocument/${method}`, more(file), then)];

const atPlaces =
  (method: string, more: (position: Position) => object = () => ({}), then?: Question["then"]): Ask =>
  (file) =>
    file.places.map((position) => question(file, `textDocument/${method}`, { position, ...more(position) }, then));

const each =
  (...asks: readonly Ask[]): Ask =>
  (file) =>
    asks.flatMap((ask) => ask(file));

function question({ uri }: Asked, method: string, params: object, then?: Question["then"]): Question {
  return { method, params: { textDocument: { uri }, ...params }, ...(then ? { then } : {}) };
}

/** Requests that resolve each item of a response. */
const resolved = (method: string) => (items: readonly object[] | { readonly items: readonly object[] } | null) =>
  (Array.isArray(items) ? items : ((items as { items: readonly object[] } | null)?.items ?? []))
    .map((item): Question => ({ method, params: item }))
    .filter(({ params }) => "data" in params);

const actions = resolved("codeAction/resolve");
const actionContext = { diagnostics: [] };

const ASKED: Readonly<Record<string, Ask>> = {
  completionProvider: atPlaces("completion", undefined, resolved("completionItem/resolve")),
  hoverProvider: atPlaces("hover"),
  definitionProvider: atPlaces("definition"),
  referencesProvider: atPlaces("references", () => ({ context: { includeDeclaration: true } })),
  documentHighlightProvider: atPlaces("documentHighlight"),
  documentSymbolProvider: ofFile("documentSymbol"),
  documentLinkProvider: ofFile("documentLink"),
  documentFormattingProvider: ofFile("formatting", () => ({ options })),
  documentRangeFormattingProvider: ofFile("rangeFormatting", (file) => ({ range: whole(file), options })),
  documentOnTypeFormattingProvider: atPlaces("onTypeFormatting", () => ({ ch: "\n", options })),
  foldingRangeProvider: ofFile("foldingRange"),
  selectionRangeProvider: ofFile("selectionRange", ({ places }) => ({ positions: places })),
  linkedEditingRangeProvider: atPlaces("linkedEditingRange"),
  callHierarchyProvider: atPlaces("prepareCallHierarchy", undefined, (items: readonly object[] | null) =>
    (items ?? []).flatMap((item) => [
      { method: "callHierarchy/incomingCalls", params: { item } },
      { method: "callHierarchy/outgoingCalls", params: { item } },
    ]),
  ),
  renameProvider: each(
    atPlaces("prepareRename"),
    atPlaces("rename", () => ({ newName: "something_new" })),
  ),
  semanticTokensProvider: each(
    ofFile("semanticTokens/full"),
    ofFile("semanticTokens/range", (file) => ({ range: whole(file) })),
    ofFile("semanticTokens/full/delta", () => ({ previousResultId: "" })),
  ),
  inlayHintProvider: ofFile("inlayHint", (file) => ({ range: whole(file) }), resolved("inlayHint/resolve")),
  codeLensProvider: ofFile("codeLens", undefined, resolved("codeLens/resolve")),
  codeActionProvider: each(
    ofFile("codeAction", (file) => ({ range: whole(file), context: actionContext }), actions),
    ofFile("codeAction", (file) => ({ range: whole(file), context: { ...actionContext, only: ["source.fixAll"] } })),
    atPlaces("codeAction", (position) => ({ range: { start: position, end: position }, context: actionContext })),
  ),
  diagnosticProvider: each(ofFile("diagnostic"), () => [
    { method: "workspace/diagnostic", params: { previousResultIds: [] } },
  ]),
  workspaceSymbolProvider: () => [{ method: "workspace/symbol", params: { query: "" } }],
};

/** Capabilities without a request. */
const NO_REQUEST = new Set(["positionEncoding", "textDocumentSync", "workspace"]);

export function everyQuestion(capabilities: ServerCapabilities, file: Asked): Question[] {
  return Object.keys(capabilities).flatMap((name) => {
    if (NO_REQUEST.has(name)) return [];
    const ask = ASKED[name];
    if (!ask) throw new Error(`The server offers ${name}: add its requests to test/security/every-request.ts.`);
    return ask(file);
  });
}

/** The response, or the message of an error, which is shown to users as well. */
export function answerOf(client: Client, { method, params }: Question): Promise<unknown> {
  return client.request(method, params).catch((error: Error) => ({ message: error.message }));
}

const commands: readonly ClientCommand[] = [
  "editor.action.triggerSuggest",
  "assistantFlow.showReferences",
  "assistantFlow.playPath",
  "assistantFlow.plan",
  "assistantFlow.openPreview",
  "assistantFlow.showAdvice",
  "assistantFlow.applyFix",
  "assistantFlow.restoreAssistant",
];

const markdown = ["markdown" as const];
const capabilities: ClientCapabilities = {
  workspace: { workspaceFolders: true, workspaceEdit: { documentChanges: true } },
  textDocument: {
    diagnostic: { relatedDocumentSupport: true },
    publishDiagnostics: { relatedInformation: true },
    hover: { contentFormat: [...markdown] },
    completion: { completionItem: { snippetSupport: true, documentationFormat: [...markdown] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
      resolveSupport: { properties: ["edit"] },
    },
  },
};

/** A client with every capability, so that the server offers everything. */
export function startAbleClient(more: StartOptions = {}): Promise<Client> {
  return Client.start({ capabilities, ...more, initialize: { initializationOptions: { commands } } });
}
