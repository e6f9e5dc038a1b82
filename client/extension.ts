/**
 * Assembles the extension: each part registers itself in one call and returns what later parts need. Nothing here is
 * awaited, so activation never blocks the editor; slow parts load in the background.
 */
import * as vscode from "vscode";
import { hasProcesses } from "../system";
import { setTranslations } from "../text";
import { ActiveFlow } from "./active-flow";
import { registerAgents } from "./agents";
import { registerCallTraces } from "./calls";
import { registerConnections } from "./connections";
import { registerDebugging } from "./debug";
import { registerEnvironments } from "./environments";
import { registerLanguageClient } from "./language-client";
import { registerLinkFlow } from "./link-flow";
import { registerLinks } from "./links";
import { createLog } from "./log";
import { registerCallPage } from "./pages/call-page";
import { registerGraphPreview } from "./pages/graph-preview";
import { registerReviewPage } from "./pages/review-page";
import { registerSpendPage } from "./pages/spend-page";
import { registerStatus } from "./status";
import { registerSync } from "./sync";
import { registerTasks } from "./tasks";
import { registerTesting } from "./testing";
import { registerNotices } from "./ui/notice";
import { registerViews } from "./views";
import { registerWelcome } from "./welcome";

export function activate(context: vscode.ExtensionContext): void {
  setTranslations(vscode.l10n.bundle);
  const log = createLog("Assistant Flow");
  const activeFlow = new ActiveFlow();
  context.subscriptions.push(log, activeFlow);
  registerNotices(context);
  const session = registerConnections(context);
  const server = registerLanguageClient(context, log, session, activeFlow);
  const states = registerSync(context, server, session, activeFlow);
  const environments = registerEnvironments(context, server, session, states, activeFlow);
  const reviews = registerViews(context, session, states, environments);
  const tests = registerTesting(context, server, session, activeFlow, log);
  const places = registerDebugging(context, server, activeFlow);
  registerGraphPreview(context, session, server, activeFlow, tests, places, states);
  registerCallPage(context, session, server, log);
  registerReviewPage(context, reviews);
  registerSpendPage(context, session);
  registerCallTraces(context, session, server);
  registerLinkFlow(context, session, activeFlow, states);
  registerStatus(context, server, session, states);
  registerLinks(context);
  registerWelcome(context, session, states);
  if (!hasProcesses) return;
  registerAgents(context, server);
  registerTasks(context);
}
