/**
 * The parts of the LSP client library that the extension uses. The library is larger than the rest of the extension, so
 * it has its own bundle, loaded after activation (language-client.ts).
 */
export { CloseAction, ErrorAction, LanguageClient, TransportKind } from "vscode-languageclient/node";
