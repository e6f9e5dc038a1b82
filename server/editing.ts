/** The requests whose answers change text: formatting, code actions, and what helps the hand while it types. */
import type { ServerCapabilities } from "vscode-languageserver";
import type { Server } from "./server";

/** Registers the handlers and says which capabilities they make up. */
export function registerEditing(_server: Server): ServerCapabilities {
  return {};
}
