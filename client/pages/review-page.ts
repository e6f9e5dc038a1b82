/**
 * The page of an identity review. It rejects through the sidebar's command, which has an undo, and follows the review's
 * state while visible.
 */
import * as vscode from "vscode";
import { type ReviewRequest, safeText } from "../../platform";
import { onCommand } from "../ui/notice";
import { Poller } from "../views/poller";
import type { ReviewsView } from "../views/reviews";
import { isOpen, proposal } from "../views/reviews/rows";
import type { FromReviewPage, ReviewStanding, ToReviewPage } from "./messages";
import { RecordPages } from "./record-page";

export function registerReviewPage(context: vscode.ExtensionContext, reviews: ReviewsView): void {
  /** The last note per review. After a failed or undone rejection, the page opens with it again. */
  const notes = new Map<string, string>();
  const pages = new RecordPages<ReviewRequest, ToReviewPage, FromReviewPage>(context, {
    viewType: "assistantFlow.review",
    bundle: "review",
    identity: (review) => review.id,
    title: (review) => vscode.l10n.t("Review: {0}", safeText(proposal(review), 80)),
    restore: (state) => (state as { review?: ReviewRequest } | undefined)?.review,
    serve: (review, page) => {
      let lastSent = "";
      const show = (isAsked = false) => {
        const usual = vscode.workspace.getConfiguration("assistantFlow.reviews").get<string>("defaultNote") ?? "";
        const note = notes.get(review.id) ?? usual;
        const message = { type: "review", ...standingOf(review, reviews), note } as const;
        const text = JSON.stringify(message);
        if (!isAsked && text === lastSent) return false;
        lastSent = text;
        page.send(message);
        return true;
      };
      const poller = new Poller(
        async () => {
          await reviews.refresh();
          return "same";
        },
        { firstMs: 15_000, longestMs: 120_000 },
      );
      poller.show(page.panel.visible);
      page.subscriptions.push(
        { dispose: () => poller.dispose() },
        reviews.onDidChange(() => show()),
        page.panel.onDidChangeViewState(({ webviewPanel }) => poller.show(webviewPanel.visible)),
        vscode.window.onDidChangeWindowState(({ focused }) => {
          if (focused && page.panel.visible) void reviews.refresh();
        }),
      );
      return async (message) => {
        if (message.type === "ready") return show(true);
        notes.set(review.id, message.note);
        await vscode.commands.executeCommand("assistantFlow.rejectReview", review.id, message.note);
        // VS Code doesn't move the focus out of a closed webview. In the list, Ctrl+Z undoes the rejection.
        if (page.panel.active && !(await reviews.focus()))
          await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
        page.panel.dispose();
      };
    },
  });
  onCommand(context, "openReview", (review?: ReviewRequest, preserveFocus?: boolean) => {
    if (review) pages.show(review, preserveFocus === true);
  });
}

/** Returns the review's current state from the platform's list, else as it was when the page opened. */
function standingOf(
  opened: ReviewRequest,
  reviews: Pick<ReviewsView, "standing">,
): { review: ReviewRequest; standing: ReviewStanding } {
  const { review, isListRead, isRejecting } = reviews.standing(opened.id);
  const known = review ?? opened;
  if (!isOpen(known)) return { review: known, standing: "resolved" };
  if (isRejecting) return { review: known, standing: "rejecting" };
  return { review: known, standing: review === undefined && isListRead ? "gone" : "open" };
}
