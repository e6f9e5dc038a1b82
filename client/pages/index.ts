/** Registers the webview pages. */
import type * as vscode from "vscode";
import type { ActiveFlow } from "../active-flow";
import type { Session } from "../connections";
import type { RunPlaces } from "../debug";
import type { Server } from "../server";
import type { SyncStates } from "../sync";
import type { FlowTests } from "../testing";
import type { ReviewsView } from "../views/reviews";
import { registerCallPage } from "./call-page";
import { registerGraphPreview } from "./graph-preview";
import { registerReviewPage } from "./review-page";
import { registerSpendPage } from "./spend-page";

export function registerPages(
  context: vscode.ExtensionContext,
  session: Session,
  server: Server,
  activeFlow: ActiveFlow,
  log: vscode.LogOutputChannel,
  { reviews }: { readonly reviews: ReviewsView },
  tests: FlowTests,
  places: RunPlaces,
  states: SyncStates,
): void {
  registerGraphPreview(context, session, server, activeFlow, tests, places, states);
  registerCallPage(context, session, server, log);
  registerReviewPage(context, reviews);
  registerSpendPage(context, session);
}
