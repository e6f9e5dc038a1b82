/**
 * Links a flow to an assistant and a revision, by a code lens, a code action, and a command. Linked flows show none of
 * them.
 */

import * as vscode from "vscode";
import { type ActiveFlow, chooseFlow, flowOf } from "./active-flow";
import { freeDemoLink, type Session } from "./connections";
import { canBeSaved } from "./read-only";
import { uuidProblem } from "./ui/checks";
import { askSteps } from "./ui/forms";
import { onCommand, warn } from "./ui/notice";
import { findFiles, readWorkspaceText, warnIfReadOnly } from "./ui/workspace-files";
import { type FlowLink, linkOf } from "./views/flows/link";

const TITLE = vscode.l10n.t("Link to Assistant…");
const FLOWS: vscode.DocumentSelector = ["file", "untitled", "vscode-remote", "vscode-vfs", "vscode-test-web"].map(
  (scheme) => ({ language: "assistant-flow", scheme }),
);

/** Which flows a project file lists. */
interface ListedFlows {
  get(uri: vscode.Uri): { readonly environments?: unknown } | undefined;
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

export function registerLinkFlow(
  context: vscode.ExtensionContext,
  session: Session,
  activeFlow: ActiveFlow,
  states: ListedFlows,
): void {
  // A flow that the project file lists has its link there.
  const isLinked = (document: vscode.TextDocument) =>
    hasLink(document) || states.get(document.uri)?.environments !== undefined;
  const listed = new vscode.EventEmitter<void>();
  onCommand(context, "linkFlow", async (target?: unknown) => {
    const uri = flowOf(target) ?? activeFlow.uri ?? (await chooseFlow(TITLE));
    if (uri) await linkFlow(uri, session);
  });
  context.subscriptions.push(
    listed,
    states.onDidChange((uri) => states.get(uri)?.environments && listed.fire()),
    vscode.languages.registerCodeLensProvider(FLOWS, {
      onDidChangeCodeLenses: listed.event,
      provideCodeLenses: async (document) =>
        isLinked(document) || !(await canBeSaved(document.uri)) ? [] : [new vscode.CodeLens(TOP, command(document))],
    }),
    vscode.languages.registerCodeActionsProvider(
      FLOWS,
      {
        provideCodeActions: async (document, { start }) => {
          // Offered only on lines at the top of a flow, where the link is or would be added.
          if (isLinked(document) || !/^(assistant|revision|entry|persona|#.*)?(:|$)/.test(document.lineAt(start).text))
            return [];
          if (!(await canBeSaved(document.uri))) return [];
          // It fixes nothing. In the quick fixes of a hover it would be listed below the suppression of the finding.
          const action = new vscode.CodeAction(TITLE, vscode.CodeActionKind.RefactorRewrite);
          action.command = command(document);
          return [action];
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite] },
    ),
  );
}

const TOP = new vscode.Range(0, 0, 0, 0);

function command({ uri }: vscode.TextDocument): vscode.Command {
  return { title: `$(link)\u00a0${TITLE}`, command: "assistantFlow.linkFlow", arguments: [uri] };
}

function hasLink(document: vscode.TextDocument): boolean {
  const { assistant, revision } = linkOf(document.getText());
  return assistant !== undefined && revision !== undefined;
}

async function linkFlow(uri: vscode.Uri, session: Session): Promise<void> {
  if (warnIfReadOnly(uri)) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const owners = await ownersOfRevisions(uri);
  const demo = freeDemoLink(session, (revision) => owners.has(revision));
  const link = linkOf(document.getText());
  const assistant = link.assistant ?? demo.assistant ?? "";
  const revision = link.revision ?? (assistant === demo.assistant ? demo.revision : undefined) ?? "";
  // The platform's API can't list assistants.
  const placeholder = vscode.l10n.t("Copy the ID from the platform or from a linked flow file");
  const values = await askSteps(
    vscode.l10n.t("Link to Assistant"),
    [
      {
        name: "assistant",
        label: labelOf("assistant", assistant === demo.assistant),
        placeholder,
        required: true,
        check: uuidProblem,
      },
      {
        name: "revision",
        label: labelOf("revision", revision === demo.revision),
        placeholder,
        required: true,
        check: (value) => uuidProblem(value) ?? ownerProblem(owners.get(value.toLowerCase())),
      },
    ],
    { values: { assistant, revision } },
  );
  if (!values) return;
  const edit = new vscode.WorkspaceEdit();
  const missing: string[] = [];
  for (const key of ["assistant", "revision"] as const) {
    const line = lineOf(document, key);
    if (line === undefined) missing.push(`${key}: ${values[key]}\n`);
    else edit.replace(uri, document.lineAt(line).range, `${key}: ${values[key]}`);
  }
  if (missing.length > 0) edit.insert(uri, new vscode.Position(firstKey(document), 0), missing.join(""));
  if (!(await vscode.workspace.applyEdit(edit)))
    return void warn(vscode.l10n.t("The file changed, so the edit wasn't applied. Try again."));
  await vscode.window.showTextDocument(document);
}

/** The other flow files by the revision that they are linked to: two files of one revision aren't synced. */
export async function ownersOfRevisions(uri?: vscode.Uri): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  for (const other of await findFiles("flow", "**/node_modules/**", 2000)) {
    if (other.toString() === uri?.toString()) continue;
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === other.toString());
    const text = open?.getText() ?? (await readWorkspaceText(other).catch(() => ""));
    const { revision } = linkOf(text);
    if (revision) owners.set(revision.toLowerCase(), vscode.workspace.asRelativePath(other));
  }
  return owners;
}

function ownerProblem(owner: string | undefined): string | undefined {
  return owner === undefined
    ? undefined
    : vscode.l10n.t("{0} is linked to this revision. Only one file can be synced with it.", owner);
}

export function labelOf(key: keyof FlowLink, isDemo: boolean): string {
  if (key === "assistant")
    return isDemo ? vscode.l10n.t("Assistant ID of the sandbox's demo") : vscode.l10n.t("Assistant ID");
  return isDemo ? vscode.l10n.t("Revision ID of the sandbox's demo") : vscode.l10n.t("Revision ID");
}

function lineOf(document: vscode.TextDocument, key: string): number | undefined {
  const at = document
    .getText()
    .split("\n")
    .findIndex((line) => line.startsWith(`${key}:`));
  return at < 0 ? undefined : at;
}

/** The first line after leading comments and directives. */
function firstKey(document: vscode.TextDocument): number {
  const at = document
    .getText()
    .split("\n")
    .findIndex((line) => line.trim() !== "" && !/^(#|---|%)/.test(line));
  return at < 0 ? 0 : at;
}
