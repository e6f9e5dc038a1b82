/**
 * Which flow of the workspace a call belongs to: the one whose assistant or revision its workflow runs, or the one that the
 * setting maps the workflow to. Never guessed from the transcript.
 */
import * as vscode from "vscode";
import { type Call, type CallingWorkflow, PlatformError } from "../../platform";
import { ListedIdsRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import { flowsIn } from "../active-flow";
import type { Session } from "../connections";
import type { Server } from "../server";
import { inform } from "../ui/notice";
import { readWorkspaceText } from "../ui/workspace-files";
import { linkOf } from "../views/flows/link";

const SETTING = "calls.flows";

/** Paths of flows by the ID of the workflow that runs them. Settings are written by hand, so values may be anything. */
function mappedFlows(scope?: vscode.Uri): ReadonlyMap<string, string> {
  const written = vscode.workspace.getConfiguration("assistantFlow", scope).get<unknown>(SETTING, {});
  const entries = typeof written === "object" && written !== null ? Object.entries(written) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** The path of a flow, as written in the setting. */
function settingPath(flow: vscode.Uri): string {
  return vscode.workspace.asRelativePath(flow, false);
}

async function mapWorkflow(workflow: string, flow: vscode.Uri): Promise<void> {
  const settings = vscode.workspace.getConfiguration("assistantFlow", flow);
  const value = { ...Object.fromEntries(mappedFlows(flow)), [workflow]: settingPath(flow) };
  await settings.update(SETTING, value, vscode.ConfigurationTarget.Workspace);
}

/** The flow of a call; undefined if no flow, or more than one, belongs to its workflow. */
export async function flowOfCall(
  { workflowId }: Call,
  client: Pick<Session["client"], "getWorkflow">,
  server: Server,
  signal?: AbortSignal,
): Promise<vscode.Uri | undefined> {
  if (!workflowId) return undefined;
  const flows = await flowsIn();
  const mapped = mappedFlows().get(workflowId);
  if (mapped !== undefined) return flows.find((flow) => settingPath(flow) === mapped);
  const promptId = await promptOf(workflowId, client, signal);
  if (!promptId) return undefined;
  const ids = await idsOf(flows, server);
  const own = flows.filter((_, index) => ids[index]?.has(promptId.toLowerCase()));
  return own.length === 1 ? own[0] : undefined;
}

async function promptOf(
  workflow: string,
  client: Pick<Session["client"], "getWorkflow">,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    return (await client.getWorkflow(workflow, signal ? { signal } : {})).promptId;
  } catch (error) {
    if (error instanceof PlatformError) return undefined; // A workflow that was deleted still has calls.
    throw error;
  }
}

/** The assistants and revisions of flows, in lower case: those in the file, and those of its environments. */
async function idsOf(flows: readonly vscode.Uri[], server: Server): Promise<ReadonlySet<string>[]> {
  const listed = await ask(server, ListedIdsRequest, { uris: flows.map(String) });
  return Promise.all(
    flows.map(async (flow, index) => {
      const { assistant, revision } = linkOf(await textOf(flow));
      const own = [assistant, revision].flatMap((id) => id?.toLowerCase() ?? []);
      return new Set([...own, ...(listed[index] ?? [])]);
    }),
  );
}

async function textOf(flow: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === flow.toString());
  if (open) return open.getText();
  try {
    return await readWorkspaceText(flow);
  } catch {
    return ""; // A file that can't be read has no link.
  }
}

/** Asks for the flow of a call's workflow, and stores the answer in the settings. */
export async function chooseFlowOfCall({ workflowId }: Call): Promise<vscode.Uri | undefined> {
  if (!workflowId) {
    void inform(vscode.l10n.t("This call isn't linked to a workflow."));
    return undefined;
  }
  const rows = (await flowsIn()).map((flow) => ({ label: vscode.workspace.asRelativePath(flow), flow }));
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Flow of This Call"),
    placeHolder: vscode.l10n.t("Select the flow that the calling workflow runs"),
  });
  if (chosen) await mapWorkflow(workflowId, chosen.flow);
  return chosen?.flow;
}

/**
 * The IDs of the workflows that run a flow. If there is none, the user is asked once, and the answer is stored in the
 * settings.
 */
export async function workflowsOf(
  flow: vscode.Uri,
  client: Pick<Session["client"], "workflows">,
  server: Server,
): Promise<ReadonlySet<string>> {
  const mapped = mappedFlows(flow);
  const [ids] = await idsOf([flow], server);
  const all: CallingWorkflow[] = [];
  for await (const workflow of client.workflows()) all.push(workflow);
  const own = all.filter(({ id, promptId }) => {
    const path = mapped.get(id);
    return path === undefined ? ids?.has(promptId?.toLowerCase() ?? "") : path === settingPath(flow);
  });
  if (own.length > 0 || all.length === 0) return new Set(own.map(({ id }) => id));
  const rows = all.map(({ id, name }) => ({ label: name ?? id, description: name ? id : "", id }));
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Calls of This Flow"),
    placeHolder: vscode.l10n.t("Select the calling workflow that runs this flow"),
  });
  if (chosen) await mapWorkflow(chosen.id, flow);
  return new Set(chosen ? [chosen.id] : []);
}

/** Accepts a row of the sidebar, or a call ID. */
export function idOfCall(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  return (target as { readonly thing?: Partial<Call> } | undefined)?.thing?.id;
}
