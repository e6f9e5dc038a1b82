/**
 * Shows conflicts on their lines, each with a choice between both sides, and marks changes that merge automatically. A
 * comparison opened for a conflict closes when it is resolved.
 */
import * as vscode from "vscode";
import { ask, type ConflictView, ResolveRequest, type TextRange } from "../../server/messages";
import type { Server } from "../server";
import { plainMarkdown } from "../ui/row";
import { isTrying, type SyncStates } from "./states";
import { closeComparison } from "./texts";

type Side = "ours" | "theirs";

const KEEP = vscode.l10n.t("Keep Mine");
const TAKE = vscode.l10n.t("Use Platform");

/** A conflict that was decided while others are open. Nothing is merged before all of them are decided. */
interface Decided {
  readonly conflict: ConflictView;
  readonly side: Side;
}

/** The decisions in a file, by conflict key. */
type Decisions = ReadonlyMap<string, Decided> | undefined;

/** What can be chosen for a conflict. */
interface Choices {
  readonly range: TextRange | undefined;
  readonly commands: readonly vscode.Command[];
}

export function showConflicts(states: SyncStates, server: Server): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  const inConflict = new Set<string>();
  /** By file, then by conflict key. */
  const decided = new Map<string, Map<string, Decided>>();
  const merged = decoration("incoming");
  const open = decoration("current");
  const mark = (editor: vscode.TextEditor) => {
    const { conflicts = [], merges = [] } = states.get(editor.document.uri) ?? {};
    const decisions = decidedIn(decided.get(editor.document.uri.toString()), conflicts);
    const isDecided = (at: number | undefined) => decisions.some(({ range }) => range.start.line === at);
    editor.setDecorations(open, [...conflicts.flatMap(whole), ...decisions]);
    editor.setDecorations(
      merged,
      merges.flatMap(({ range, text }) =>
        isDecided(range?.start.line)
          ? []
          : line(range, vscode.l10n.t("Merges automatically: {0}", text), vscode.l10n.t("  merges automatically")),
      ),
    );
  };
  const markAll = () => vscode.window.visibleTextEditors.forEach(mark);
  return vscode.Disposable.from(
    changes,
    merged,
    open,
    vscode.languages.registerCodeLensProvider(
      { language: "assistant-flow" },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: ({ uri }) => {
          const { conflicts = [] } = states.get(uri) ?? {};
          return lenses(uri, conflicts, choicesOf(uri.toString(), conflicts, decided.get(uri.toString())));
        },
      },
    ),
    vscode.languages.registerCodeActionsProvider(
      { language: "assistant-flow" },
      {
        provideCodeActions: ({ uri }, { start, end }) => {
          const { conflicts = [] } = states.get(uri) ?? {};
          const all = choicesOf(uri.toString(), conflicts, decided.get(uri.toString()));
          return choicesAt(all, start.line, end.line).map((command) => {
            const action = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
            action.command = command;
            return action;
          });
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.commands.registerCommand("assistantFlow.decide", (uri: string, keys: readonly string[], side: Side) => {
      const file = vscode.Uri.parse(uri);
      const known = decided.get(file.toString()) ?? new Map<string, Decided>();
      const open = new Map((states.get(file)?.conflicts ?? []).map((conflict) => [conflict.key, conflict]));
      for (const key of keys) {
        const conflict = open.get(key) ?? known.get(key)?.conflict;
        if (conflict) known.set(key, { conflict, side });
      }
      decided.set(file.toString(), known);
      markAll();
      changes.fire();
      return ask(server, ResolveRequest, { uri, choices: Object.fromEntries(keys.map((key) => [key, side])) });
    }),
    vscode.window.onDidChangeVisibleTextEditors(markAll),
    states.onDidChange((uri) => {
      const key = uri.toString();
      const state = states.get(uri);
      const isConflict = state?.kind === "conflict";
      const wasConflict = inConflict.has(key);
      if (isConflict) inConflict.add(key);
      // While a choice is being sent, or the platform can't be reached, the conflict may still come back.
      else if (!(state && isTrying(state)) && inConflict.delete(key)) {
        decided.delete(key);
        void closeComparison(uri, "remote");
      }
      if (isConflict || wasConflict) changes.fire();
      markAll();
    }),
  );
}

/** Marks whole lines. In high contrast the backgrounds have no color; in other themes the border has none. */
function decoration(side: "incoming" | "current"): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    outline: "1px solid",
    outlineColor: new vscode.ThemeColor("merge.border"),
    backgroundColor: new vscode.ThemeColor(`merge.${side}ContentBackground`),
    overviewRulerColor: new vscode.ThemeColor(`editorOverviewRuler.${side}ContentForeground`),
  });
}

/** A conflict that came back is open again. */
function notOpen(decided: Decisions, open: readonly ConflictView[]): Decided[] {
  const keys = new Set(open.map(({ key }) => key));
  return [...(decided?.values() ?? [])].filter(({ conflict }) => !keys.has(conflict.key));
}

/** Shows decisions on their lines. */
export function decidedIn(decided: Decisions, open: readonly ConflictView[]): vscode.DecorationOptions[] {
  return notOpen(decided, open).flatMap(({ conflict, side }) => {
    const choice = side === "ours" ? vscode.l10n.t("  decided: keep mine") : vscode.l10n.t("  decided: use platform");
    return [...line(conflict.range, conflict.message, choice), ...afterFirstLine(conflict)];
  });
}

/** The choices of a conflict. The local value is already visible on its line. */
function choices(uri: string, conflict: ConflictView): vscode.Command[] {
  const choice = (title: string, side: Side) => ({
    title,
    command: "assistantFlow.decide",
    arguments: [uri, [conflict.key], side],
  });
  return [choice(KEEP, "ours"), choice(`${TAKE}: ${brief(conflict)}`, "theirs")];
}

/** Both sides of each open conflict, and the other side of each decided one, while others are open. */
export function choicesOf(uri: string, open: readonly ConflictView[], decided: Decisions): Choices[] {
  if (open.length === 0) return [];
  return [
    ...open.map((conflict) => ({ range: conflict.range, commands: choices(uri, conflict) })),
    ...notOpen(decided, open).map(({ conflict, side }) => ({
      range: conflict.range,
      commands: choices(uri, conflict).filter(({ arguments: [, , each] = [] }) => each !== side),
    })),
  ];
}

/** The choices on some lines, for the keyboard: a lens can only be clicked. A value may have several lines. */
export function choicesAt(all: readonly Choices[], first: number, last: number): vscode.Command[] {
  return all.flatMap(({ range, commands }) =>
    range && range.start.line <= last && lastLine(range) >= first ? commands : [],
  );
}

/** The last line with text of the range. The span of a block scalar may end where the next line starts. */
function lastLine({ start, end }: TextRange): number {
  return end.character === 0 ? Math.max(start.line, end.line - 1) : end.line;
}

function lenses(uri: vscode.Uri, conflicts: readonly ConflictView[], all: readonly Choices[]): vscode.CodeLens[] {
  if (conflicts.length === 0) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  const keys = conflicts.map(({ key }) => key);
  const isOne = conflicts.length === 1;
  const count = isOne ? vscode.l10n.t("1 conflict") : vscode.l10n.t("{0} conflicts", conflicts.length);
  const choice = (title: string, side: Side) => lens(top, title, "assistantFlow.decide", uri.toString(), keys, side);
  return [
    lens(top, `$(git-merge)\u00a0${count}`, "assistantFlow.resolveConflicts", uri),
    choice(isOne ? KEEP : vscode.l10n.t("Keep All Mine"), "ours"),
    choice(isOne ? TAKE : vscode.l10n.t("Use All from Platform"), "theirs"),
    lens(top, vscode.l10n.t("Compare"), "assistantFlow.compareWithPlatform", uri),
    ...all.flatMap(({ range, commands }) => {
      if (!range) return [];
      const at = new vscode.Range(range.start.line, 0, range.start.line, 0);
      return commands.map((command) => new vscode.CodeLens(at, command));
    }),
  ];
}

function lens(range: vscode.Range, title: string, command: string, ...args: unknown[]): vscode.CodeLens {
  return new vscode.CodeLens(range, { title, command, arguments: args });
}

/** Shortens the platform's value for a lens. */
function brief(conflict: ConflictView): string {
  const value = sideText(conflict, "theirs", 40);
  return conflict.theirs.trim() === "" ? value : `"${value}"`;
}

/** The value of a side, shortened to the words that differ from the other side's. */
export function sideText(
  { ours, theirs, isElement }: Pick<ConflictView, "ours" | "theirs" | "isElement">,
  side: Side,
  longest: number,
): string {
  const [value, other] = side === "ours" ? [ours, theirs] : [theirs, ours];
  if (value.trim() !== "") return shortened(value, other, longest);
  return isElement ? vscode.l10n.t("(removed)") : vscode.l10n.t("(not set)");
}

/**
 * Shortens a value of a conflict to one line: a long one to the words that differ from the other side's value. Escapes
 * `$(`, which would start an icon.
 */
function shortened(value: string, other: string, longest: number): string {
  const [one, another] = [value, other].map((each) => each.replace(/\s+/g, " ").replaceAll("$(", "$ (").trim()) as [
    string,
    string,
  ];
  if (one.length <= longest) return one;
  let same = 0;
  while (same < one.length && one[same] === another[same]) same++;
  const latest = Math.min(same, one.length - longest / 2);
  const start = same < longest - 10 ? 0 : one.lastIndexOf(" ", latest - 10) + 1;
  const part = one.slice(start, start + longest - 1);
  return `${start > 0 ? "…" : ""}${part}${start + part.length < one.length ? "…" : ""}`;
}

/** Marks all lines of a conflict's value, because any of them may be the one with the change. */
export function whole({ range, message }: Pick<ConflictView, "range" | "message">): vscode.DecorationOptions[] {
  if (!range) return [];
  return line(range, message).map((option) => ({
    ...option,
    range: new vscode.Range(range.start.line, 0, lastLine(range), 0),
  }));
}

/** The further lines of a decided value; its first line has the decision. */
function afterFirstLine({ range, message }: ConflictView): vscode.DecorationOptions[] {
  if (!range || lastLine(range) === range.start.line) return [];
  return whole({ range: { ...range, start: { line: range.start.line + 1, character: 0 } }, message });
}

function line(
  range: { readonly start: { readonly line: number } } | undefined,
  hover: string,
  after?: string,
): vscode.DecorationOptions[] {
  if (!range) return [];
  const contentText = after;
  const color = new vscode.ThemeColor("descriptionForeground");
  return [
    {
      range: new vscode.Range(range.start.line, 0, range.start.line, 0),
      hoverMessage: new vscode.MarkdownString(plainMarkdown(hover)),
      ...(contentText ? { renderOptions: { after: { contentText, color } } } : {}),
    },
  ];
}
