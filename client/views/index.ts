/** Registers the sidebar: one container with an independent view for each kind of platform object. */
import * as vscode from "vscode";
import type { Session } from "../connections";
import type { FlowEnvironments } from "../environments";
import type { SyncStates } from "../sync";
import { registerAnalytics } from "./analytics";
import { registerAssistants } from "./assistants";
import { registerCalls } from "./calls";
import { registerEvents } from "./events";
import { registerFlows } from "./flows";
import { registerKeys } from "./keys";
import { type ReviewsView, registerReviews } from "./reviews";
import { registerRowCommands } from "./row-commands";
import { registerWorkflows } from "./workflows";

export function registerViews(
  context: vscode.ExtensionContext,
  session: Session,
  states: SyncStates,
  environments: FlowEnvironments,
): ReviewsView {
  registerRowCommands(context);
  // Shown only when a problem affects all views; its welcome content explains the problem.
  const nothing: vscode.TreeDataProvider<never> = { getChildren: () => [], getTreeItem: (row) => row };
  context.subscriptions.push(vscode.window.registerTreeDataProvider("assistantFlow.connect", nothing));
  const flows = registerFlows(context, session, states, environments);
  const reviews = registerReviews(context, session);
  const calls = registerCalls(context, session);
  registerWorkflows(context, session, calls);
  registerKeys(context, session);
  registerEvents(context, session);
  registerAnalytics(context, session);
  registerAssistants(context, session, flows);
  return reviews;
}
