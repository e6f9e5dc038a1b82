/** The requests whose answers change text, or help the hand that does: formatting, code actions, folding, selections. */
import type { CodeAction, SelectionRange, ServerCapabilities, WorkspaceEdit } from "vscode-languageserver";
import { formatDocument, formatOnType, formatRange, type Span, typingTriggers } from "../flow";
import { type Action, actionsAt } from "./features/code-actions";
import { foldsOf } from "./features/folding";
import { linkedPattern, linkedRanges } from "./features/linked-editing";
import { rangesAround } from "./features/selection-ranges";
import type { Server } from "./server";
import type { Converter } from "./to-protocol";
import type { OpenFile } from "./workspace";

/** Registers the handlers and says which capabilities they make up. */
export function registerEditing(server: Server): ServerCapabilities {
  registerFormatting(server);
  registerRanges(server);
  registerActions(server);
  return {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: {
      firstTriggerCharacter: typingTriggers[0],
      moreTriggerCharacter: [...typingTriggers.slice(1)],
    },
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    linkedEditingRangeProvider: true,
    codeActionProvider: {
      codeActionKinds: ["refactor.extract", "refactor.inline", "refactor.rewrite"],
      resolveProvider: true,
    },
  };
}

function registerFormatting(server: Server): void {
  const { connection } = server;
  connection.onDocumentFormatting((params) =>
    server.answer(params, null, ({ document }, converter) => converter.edits(formatDocument(document))),
  );
  connection.onDocumentRangeFormatting((params) =>
    server.answer(params, null, ({ document }, converter) =>
      converter.edits(formatRange(document, converter.span(params.range))),
    ),
  );
  connection.onDocumentOnTypeFormatting((params) =>
    server.answer(params, null, ({ document }, converter) =>
      converter.edits(formatOnType(document, converter.offset(params.position), params.ch)),
    ),
  );
}

function registerRanges(server: Server): void {
  const { connection } = server;
  connection.onFoldingRanges((params) =>
    server.answer(params, null, ({ document }) =>
      foldsOf(document).map(({ start, end, kind }) => ({
        startLine: document.positionAt(start).line,
        endLine: document.positionAt(end).line,
        ...(kind === undefined ? {} : { kind }),
      })),
    ),
  );
  connection.onSelectionRanges((params) =>
    server.answer(params, null, ({ document }, converter) =>
      params.positions.map((position) => chain(rangesAround(document, converter.offset(position)), converter)),
    ),
  );
  connection.languages.onLinkedEditingRange((params) =>
    server.answer(params, null, ({ document }, converter) => {
      const ranges = linkedRanges(document, converter.offset(params.position));
      if (ranges.length === 0) return null;
      return { ranges: ranges.map((span) => converter.range(span)), wordPattern: linkedPattern };
    }),
  );
}

/** Each range with the next larger one as its parent. */
function chain(spans: readonly Span[], converter: Converter): SelectionRange {
  const whole: SelectionRange = { range: converter.range(spans.at(-1) ?? { start: 0, end: 0 }) };
  return spans
    .slice(0, -1)
    .reduceRight<SelectionRange>((parent, span) => ({ range: converter.range(span), parent }), whole);
}

/** What an action needs to be worked out later. */
interface Promised {
  readonly uri: string;
  readonly id: string;
  readonly span: Span;
  readonly version: number;
}

function registerActions(server: Server): void {
  const { connection, workspace } = server;
  const later = () => server.client.textDocument?.codeAction?.resolveSupport?.properties.includes("edit") ?? false;
  connection.onCodeAction((params) =>
    server.answer(params, null, (file, converter) => {
      const span = converter.span(params.range);
      const only = params.context.only;
      const wanted = (kind: string) => !only || only.some((each) => isKind(kind, each) || isKind(each, kind));
      return actionsAt(file.document, span, wanted).map((action): CodeAction => {
        const shown = { title: action.title, kind: action.kind };
        if (!later()) return { ...shown, edit: workspaceEdit(server, file, action) };
        return { ...shown, data: { uri: file.uri, id: action.id, span, version: file.version } satisfies Promised };
      });
    }),
  );
  connection.onCodeActionResolve((shown) => {
    const { uri, id, span, version } = (shown.data ?? {}) as Partial<Promised>;
    const file = uri === undefined ? undefined : workspace.get(uri);
    // An action that was offered for an older text is not carried out on a newer one.
    if (!file || !span || file.version !== version) return shown;
    const action = actionsAt(file.document, span, () => true).find((each) => each.id === id);
    return action ? { ...shown, edit: workspaceEdit(server, file, action) } : shown;
  });
}

function workspaceEdit(server: Server, file: OpenFile, action: Action): WorkspaceEdit {
  const edits = server.converter(file).edits(action.edits());
  if (!server.client.workspace?.workspaceEdit?.documentChanges) return { changes: { [file.uri]: edits } };
  return { documentChanges: [{ textDocument: { uri: file.uri, version: file.version }, edits }] };
}

/** `refactor.extract` is a `refactor`. */
function isKind(kind: string, base: string): boolean {
  return kind === base || kind.startsWith(`${base}.`);
}
