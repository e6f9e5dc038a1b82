/** The page of an identity review. Rejecting goes through the sidebar's command, so that there is one way, with its undo. */
import * as vscode from "vscode";
import { type ReviewRequest, safeText } from "../../platform";
import type { FromReviewPage, ToReviewPage } from "./messages";
import { registerRecordPage } from "./record-page";

export function registerReviewPage(context: vscode.ExtensionContext): void {
  /** The last note for each review: where a rejection fails or is undone, the page is opened again with it. */
  const notes = new Map<string, string>();
  const open = registerRecordPage<ReviewRequest, ToReviewPage, FromReviewPage>(context, {
    viewType: "assistantFlow.review",
    bundle: "review",
    identity: (review) => review.id,
    title: (review) => `Review: ${safeText(review.request_type || review.id, 80)}`,
    restore: (state) => (state as { review?: ReviewRequest } | undefined)?.review,
    serve: (review, page) => async (message) => {
      if (message.type === "ready") {
        const usual = vscode.workspace.getConfiguration("assistantFlow.reviews").get<string>("defaultNote") ?? "";
        page.send({ type: "review", review, open: !review.resolved_at, note: notes.get(review.id) ?? usual });
      } else if (message.type === "copy") await vscode.env.clipboard.writeText(message.text);
      else {
        notes.set(review.id, message.note);
        await vscode.commands.executeCommand("assistantFlow.rejectReview", review.id, message.note);
        page.panel.dispose();
      }
    },
  });
  context.subscriptions.push(
    vscode.commands.registerCommand("assistantFlow.openReview", (review?: ReviewRequest, preserveFocus?: boolean) => {
      if (review) open(review, preserveFocus === true);
    }),
  );
}
