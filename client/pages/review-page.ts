/** The page of an identity review. Rejecting goes through the sidebar's command, so that there is one way, with its undo. */
import * as vscode from "vscode";
import type { ReviewRequest } from "../../platform";
import type { FromReviewPage, ToReviewPage } from "./messages";
import { registerRecordPage } from "./record-page";

export function registerReviewPage(context: vscode.ExtensionContext): void {
  const open = registerRecordPage<ReviewRequest, ToReviewPage, FromReviewPage>(context, {
    viewType: "assistantFlow.review",
    bundle: "review",
    identity: (review) => review.id,
    title: (review) => `Review: ${review.request_type === "merge" ? "merge" : "update"}`,
    restore: (state) => (state as { review?: ReviewRequest } | undefined)?.review,
    serve: (review, page) => async (message) => {
      const note = vscode.workspace.getConfiguration("assistantFlow.reviews").get<string>("defaultNote") ?? "";
      if (message.type === "ready") page.send({ type: "review", review, open: !review.resolved_at, note });
      else if (message.type === "copy") await vscode.env.clipboard.writeText(message.text);
      else {
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
