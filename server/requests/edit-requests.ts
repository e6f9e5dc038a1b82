/** Handles requests that edit text or help with editing: formatting, code actions, folding, selection ranges. */

import type {
  CodeAction,
  Command,
  Diagnostic,
  Position,
  Range,
  SelectionRange,
  ServerCapabilities,
  WorkspaceEdit,
} from "vscode-languageserver";
import { formatDocument, formatOnType, formatRange, NAME, type Problem, type Span, typingTriggers } from "../../flow";
import { t } from "../../text";
import { type Action, type ActionContext, actionsAt, fixAllKind, suppressionKind } from "../features/code-actions";
import { foldsOf } from "../features/folding";
import { linkedRanges } from "../features/names/linked-editing";
import { rangesAround } from "../features/selection-ranges";
import { type Converter, editOfFile } from "../protocol/to-protocol";
import { shownTitle } from "../protocol/to-protocol-items";
import type { Server } from "../server-parts";
import type { OpenFile } from "../workspace/workspace";

/** Registers the handlers and returns their capabilities. */
export function registerEditRequests(server: Server): ServerCapabilities {
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
    ...(takesLiterals(server)
      ? {
          codeActionProvider: {
            codeActionKinds: [
              "quickfix",
              "refactor.extract",
              "refactor.inline",
              "refactor.rewrite",
              fixAllKind,
              suppressionKind,
            ],
            resolveProvider: true,
          },
        }
      : { codeActionProvider: true, executeCommandProvider: { commands: [APPLY] } }),
  };
}

function registerFormatting(server: Server): void {
  const { connection } = server;
  connection.onDocumentFormatting((params) =>
    server.answer(
      params,
      null,
      ({ document }, converter) => converter.edits(formatDocument(document)),
      (file, converter) => server.companionRequests.format(file, converter),
    ),
  );
  connection.onDocumentRangeFormatting((params) =>
    server.answer(params, null, ({ document }, converter) =>
      converter.edits(formatRange(document, converter.span(params.range))),
    ),
  );
  connection.onDocumentOnTypeFormatting((params) =>
    server.answer(
      params,
      null,
      ({ document }, converter) =>
        converter.edits(formatOnType(document, converter.offset(params.position), params.ch)),
      (file, converter) => server.companionRequests.formatOnType(file, converter, params),
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
      return { ranges: ranges.map((span) => converter.range(span)), wordPattern: NAME };
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

/** For editors that support only commands as code actions: the server applies the edits itself. */
const APPLY = "assistantFlow.applyAction";

function takesLiterals(server: Server): boolean {
  return server.client.textDocument?.codeAction?.codeActionLiteralSupport !== undefined;
}

/** The data needed to resolve an action later. */
interface Promised {
  readonly uri: string;
  readonly id: string;
  readonly span: Span;
  readonly version: number;
}

function registerActions(server: Server): void {
  const { connection, workspace } = server;
  const later = () => server.client.textDocument?.codeAction?.resolveSupport?.properties.includes("edit") ?? false;
  const contextOf = (file: OpenFile, only: readonly string[] | undefined): ActionContext => ({
    document: file.document,
    ...server.diagnostics.merged(file),
    suggestion: (finding) => server.sync.loaded?.fix(file, finding),
    advises: server.commands.includes("assistantFlow.showAdvice"),
    lists: server.commands.includes("assistantFlow.showReferences"),
    plays: server.commands.includes("assistantFlow.playPath"),
    settings: server.settings.rules,
    wanted: (kind) => !only || only.some((each) => isKind(kind, each) || isKind(each, kind)),
    named: (kind) => only?.some((each) => isKind(kind, each)) ?? false,
  });
  connection.onCodeAction((params) =>
    server.answer<(CodeAction | Command)[] | null>(
      params,
      null,
      (file, converter) => {
        const span = converter.span(params.range);
        const { only, diagnostics } = params.context;
        if (!takesLiterals(server))
          return actionsAt(contextOf(file, only), span)
            .filter(({ advice, places, run }) => advice === undefined && places === undefined && run === undefined)
            .map((action) => asCommand(file, action, span));
        return actionsAt(contextOf(file, only), span).map((action): CodeAction => {
          const { kind, problem, preferred } = action;
          const title = shownTitle(action.title);
          const fixed = problem && diagnostics.filter((each) => isAbout(each, problem, converter));
          const shown: CodeAction = {
            title,
            kind,
            ...(fixed && fixed.length > 0 ? { diagnostics: fixed } : {}),
            ...(preferred ? { isPreferred: true } : {}),
          };
          if (action.advice !== undefined && problem)
            return { ...shown, command: showAdvice(file.uri, converter.range(problem.span), action.advice) };
          if (action.places !== undefined && problem)
            return { ...shown, command: showPlaces(title, converter, problem.span, action.places) };
          if (action.run) return { ...shown, command: { title, ...runPath(file.uri, action.run) } };
          // With the edits included, an editor can preview the action.
          if (action.ready || !later()) return { ...shown, edit: workspaceEdit(server, file, action) };
          return { ...shown, data: { uri: file.uri, id: action.id, span, version: file.version } satisfies Promised };
        });
      },
      (file, converter) => server.companionRequests.actions(file, converter, params),
    ),
  );
  const editOf = ({ uri, id, span, version }: Partial<Promised>, kind: string | undefined) => {
    const file = uri === undefined ? undefined : workspace.get(uri);
    // An action offered for an older text isn't applied to a newer one.
    if (!file || !span || file.version !== version) return undefined;
    const context = contextOf(file, kind === undefined ? undefined : [kind]);
    const action = actionsAt(context, span).find((each) => each.id === id);
    return action && workspaceEdit(server, file, action);
  };
  connection.onCodeActionResolve((shown) => {
    const edit = editOf((shown.data ?? {}) as Partial<Promised>, shown.kind);
    return edit ? { ...shown, edit } : shown;
  });
  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    const [promised, kind] = args as [Partial<Promised>?, string?];
    const edit = command === APPLY && promised ? editOf(promised, kind) : undefined;
    if (edit) await connection.workspace.applyEdit(edit);
    return null;
  });
}

function asCommand(file: OpenFile, { title, kind, id }: Action, span: Span): Command {
  const promised: Promised = { uri: file.uri, id, span, version: file.version };
  return { title: shownTitle(title), command: APPLY, arguments: [promised, kind] };
}

function runPath(uri: string, { command, path, edges }: NonNullable<Action["run"]>): Omit<Command, "title"> {
  return { command, arguments: [uri, path, ...(edges ? [edges] : [])] };
}

function showAdvice(uri: string, range: Range, text: string): Command {
  return { title: t("Show the platform's advice"), command: "assistantFlow.showAdvice", arguments: [uri, range, text] };
}

function showPlaces(title: string, converter: Converter, at: Span, places: readonly Span[]): Command {
  const locations = places.map((place) => converter.location(place));
  const args = [converter.uri, converter.position(at.start), locations];
  return { title, command: "assistantFlow.showReferences", arguments: args };
}

/** Identifies a diagnostic from the client by its code and range. */
function isAbout(diagnostic: Diagnostic, problem: Problem, converter: Converter): boolean {
  const { start, end } = converter.range(problem.span);
  const { range, code } = diagnostic;
  const same = (a: Position, b: Position) => a.line === b.line && a.character === b.character;
  return code === problem.code && same(range.start, start) && same(range.end, end);
}

function workspaceEdit(server: Server, file: OpenFile, action: Action): WorkspaceEdit {
  return editOfFile(server.client, file, server.converter(file).edits(action.edits()));
}

/** `refactor.extract` is a `refactor`. */
function isKind(kind: string, base: string): boolean {
  return kind === base || kind.startsWith(`${base}.`);
}
