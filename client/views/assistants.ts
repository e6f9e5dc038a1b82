/** The assistants view: those named in flow files, and restored ones. The platform can't list assistants. */
import * as vscode from "vscode";
import { type Assistant, safeText } from "../../platform";
import type { Session } from "../connections";
import { uuidProblem } from "../ui/checks";
import { DoubleClicks } from "../ui/double-clicks";
import { askSteps, askUntilAccepted, type FormStart } from "../ui/forms";
import { inform, onCommand, withNotice } from "../ui/notice";
import { detailRow, type Row } from "../ui/row";
import { moment, shortId } from "../ui/words";
import { findFiles, readWorkspaceText } from "../ui/workspace-files";
import type { FlowsView } from "./flows";
import { linkOf } from "./flows/link";
import { ListView } from "./tree";

interface Known {
  readonly id: string;
  /** The flow files that name it. */
  readonly files: readonly vscode.Uri[];
  /** The platform's response when it was restored here. */
  readonly assistant: Assistant | undefined;
}

const RESTORED = "assistants.restored";

export function registerAssistants(context: vscode.ExtensionContext, session: Session, flows: FlowsView): void {
  const restored = () => context.workspaceState.get<Record<string, Assistant>>(RESTORED) ?? {};
  const view = new ListView<readonly Known[]>(context, session, {
    name: "assistants",
    things: vscode.l10n.t("assistants"),
    empty: "",
    local: true,
    load: async () => {
      const byId = new Map<string, vscode.Uri[]>();
      const uris = await findFiles("flow", "**/node_modules/**", 2000);
      for (const uri of uris) {
        const { assistant } = linkOf(await readWorkspaceText(uri).catch(() => ""));
        if (assistant) byId.set(assistant, [...(byId.get(assistant) ?? []), uri]);
      }
      const answers = restored();
      const ids = new Set([...byId.keys(), ...Object.keys(answers)]);
      return [...ids].map((id) => ({ id, files: byId.get(id) ?? [], assistant: answers[id] }));
    },
    rows: (known, now) => known.map((one) => assistantRow(one, now)),
  });
  context.subscriptions.push(flows.onDidChange(() => void view.update()));
  const show = async (id: string) => {
    await vscode.commands.executeCommand("assistantFlow.assistants.focus");
    return view.reveal(`assistant/${id}`);
  };
  onCommand(context, "showAssistant", show);
  const clicks = new DoubleClicks();
  onCommand(context, "restoreAssistant", async (target?: Row | string | null) => {
    if (clicks.isSecond(target)) return;
    // A code lens or a row passes the assistant. The view's button and the palette don't, so they ask, with a
    // suggestion.
    const assistant = target
      ? await restore(session, typeof target === "string" ? target : idOf(target), false)
      : await restore(session, guess(view), true);
    if (!assistant) return;
    await context.workspaceState.update(RESTORED, { ...restored(), [assistant.id]: assistant });
    await view.reload();
    const name = safeText(assistant.name ?? assistant.id, 80);
    const choice = await inform(vscode.l10n.t('Restored the assistant "{0}".', name), vscode.l10n.t("Show Assistant"));
    if (choice) {
      const row = await show(assistant.id);
      if (row) await vscode.commands.executeCommand("assistantFlow.openAsJson", row);
    }
  });
}

function assistantRow({ id, files, assistant }: Known, now: number): Row {
  const text = (value: string | undefined) => value && safeText(value, 200);
  const line = (key: string, label: string, description: string | undefined, icon: string) =>
    detailRow(`assistant/${id}/`, label, description, { key, icon, copy: description, context: "text" });
  const paths = files.map((file) => vscode.workspace.asRelativePath(file));
  return {
    id: `assistant/${id}`,
    label: text(assistant?.name) ?? shortId(id),
    description: [assistant ? vscode.l10n.t("restored") : "", ...paths].filter(Boolean).join(" · "),
    icon: "hubot",
    context: "assistant",
    copy: id,
    thing: assistant ?? { id },
    facts: () => [
      [vscode.l10n.t("Description:"), assistant?.description],
      [vscode.l10n.t("Used in:"), paths.join(", ")],
      ["ID:", id],
    ],
    children: [
      ...line("id", "ID", id, "symbol-key"),
      ...line("what", vscode.l10n.t("Description"), text(assistant?.description), "info"),
      ...line("revision", vscode.l10n.t("Active revision"), assistant?.active_revision_id, "versions"),
      ...line("gate", vscode.l10n.t("Release gate"), text(assistant?.release_gate_mode), "shield"),
      ...line("calls", vscode.l10n.t("Concurrent calls"), assistant?.max_active_calls?.toString(), "call-outgoing"),
      ...line("changed", vscode.l10n.t("Updated"), moment(assistant?.updated_at, now), "history"),
      ...files.map((uri, index) => ({
        id: `assistant/${id}/file/${uri.toString()}`,
        label: paths[index] ?? "",
        icon: "file",
        command: {
          command: "vscode.open",
          title: vscode.l10n.t("Open Flow"),
          arguments: [uri, { preserveFocus: true }],
        },
      })),
    ],
  };
}

/** Returns the row's assistant, or the one its flow file names. */
function idOf(row: Row): string | undefined {
  return (row.thing as { assistant?: string } | undefined)?.assistant ?? row.copy;
}

/** Returns the selected assistant, or the one the open flow names. */
function guess(view: ListView<readonly Known[]>): string | undefined {
  const [row] = view.tree.selection;
  const open = vscode.window.activeTextEditor?.document;
  return row?.context === "assistant"
    ? row.copy
    : open?.languageId === "assistant-flow"
      ? linkOf(open.getText()).assistant
      : undefined;
}

async function restore(session: Session, id: string | undefined, isGuess: boolean): Promise<Assistant | undefined> {
  const fields = [
    { name: "agent_id", label: vscode.l10n.t("ID of the archived assistant"), required: true, check: uuidProblem },
  ];
  const given = id ? { agent_id: id } : undefined;
  // If an assistant was given, asks only after a failure.
  const isKnown = given && !isGuess && uuidProblem(given.agent_id) === undefined;
  const form = async (start: FormStart) =>
    isKnown && !start.problems ? given : askSteps(vscode.l10n.t("Restore Archived Assistant"), fields, start);
  return askUntilAccepted(form, given ?? {}, "agent_id", ({ agent_id = "" }) =>
    withNotice(vscode.l10n.t("Restoring assistant"), () => session.client.restoreAssistant(agent_id), false),
  );
}
