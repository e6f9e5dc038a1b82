/**
 * What is used of the library that speaks the protocol. It is larger than all else that is ours, so it is a file of its
 * own, read once activation is over (language-client.ts).
 */
export { CloseAction, ErrorAction, LanguageClient, TransportKind } from "vscode-languageclient/node";
