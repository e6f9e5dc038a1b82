/** Pull diagnostics: of one file, or of all files that aren't open. */
import {
  type DocumentDiagnosticReport,
  LSPErrorCodes,
  ResponseError,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import { t } from "../../text";
import type { Companion } from "../companions/companion-files";
import { keyOf } from "../protocol/uris";
import type { Server } from "../server-parts";

export function registerPulledDiagnostics(server: Server): void {
  const { connection, diagnostics, workspace } = server;
  // Clients request a file once more when it is closed, and then show what workspace reports say. If a flow is deleted
  // before it is part of one, only the server knows that there are diagnostics to clear. Companion files have diagnostics
  // only while they are open.
  const toClear = new Set<string>();
  const isOpen = (uri: string) => Boolean(workspace.get(uri) ?? server.companions.files.get(uri));
  connection.languages.diagnostics.on((params) => {
    const companion = server.companions.files.get(params.textDocument.uri);
    if (companion) {
      toClear.add(keyOf(companion.uri));
      return pulledOf(server, companion, params.previousResultId);
    }
    const file = workspace.get(params.textDocument.uri);
    if (!file) {
      const key = keyOf(params.textDocument.uri);
      const closed = diagnostics.closed.get(key);
      toClear.add(key);
      // Until this request is answered, the client ignores reports about the file.
      if (!closed) setImmediate(() => diagnostics.closedChanged());
      return { kind: "full", items: closed ? JSON.parse(closed.items) : [] };
    }
    const report = (): DocumentDiagnosticReport => {
      const { id, items } = diagnostics.of(file);
      if (params.previousResultId === id) return { kind: "unchanged", resultId: id };
      return { kind: "full", resultId: id, items: [...items] };
    };
    return diagnostics.canUpdateLater ? report() : reportWithComponents(server, report);
  });
  connection.languages.diagnostics.onWorkspace(async (params, token, progress, results) => {
    const before = new Map(params.previousResultIds.map(({ uri, value }) => [keyOf(uri), value]));
    progress.begin(t("Checking flows"), 0, undefined, true);
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
      for (const uri of new Set([...before.keys(), ...toClear]))
        if (!diagnostics.closed.has(uri) && !isOpen(uri)) items.push({ kind: "full", uri, version: null, items: [] });
      for (const { uri } of items) toClear.delete(uri);
      return items;
    };
    // The client requests again as soon as it is answered, so the answer waits until there is a change.
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

/** A client that can't be asked to request again gets its only answer after the flows of components are read. */
async function reportWithComponents(server: Server, report: () => DocumentDiagnosticReport) {
  let answer = report();
  while (await server.companions.components.settled()) answer = report();
  return answer;
}

/** The result ID of the last list for each file, to answer "unchanged". */
const given = new WeakMap<Companion, { readonly id: string; readonly text: string }>();
let pulls = 0;

async function pulledOf(
  server: Server,
  file: Companion,
  previous: string | undefined,
): Promise<DocumentDiagnosticReport> {
  const found = await server.companions.diagnostics.of(file);
  const items = server.companions.files.get(file.uri) === file ? found : [];
  // The text changed in the meantime: the client requests again for the new one.
  if (!items) throw new ResponseError(LSPErrorCodes.ServerCancelled, "The text changed.", { retriggerRequest: true });
  const text = JSON.stringify(items);
  const known = given.get(file);
  const id = known?.text === text ? known.id : `beside ${++pulls}`;
  given.set(file, { id, text });
  return id === previous ? { kind: "unchanged", resultId: id } : { kind: "full", resultId: id, items };
}
