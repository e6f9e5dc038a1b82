/**
 * The reviews view: rejects with one click and an undo period. If the platform can't list reviews, the user adds IDs.
 */
import * as vscode from "vscode";
import { reasonOf } from "../../../files";
import { PlatformError, type ReviewRequest } from "../../../platform";
import type { Session } from "../../connections";
import { setContext } from "../../ui/context";
import { DoubleClicks } from "../../ui/double-clicks";
import { inform, type OpenProgress, onCommand, openProgress, showError, showStatus, warn } from "../../ui/notice";
import type { Row } from "../../ui/row";
import { plural } from "../../ui/words";
import { pathOf } from "../../ui/workspace-files";
import { ListView } from "../tree";
import { type Batch, type Report, ReviewQueue } from "./queue";
import { RejectionFiles } from "./rejection-files";
import { idsIn, isOpen, ownListNote, proposal, reviewRows } from "./rows";

interface Reviews {
  readonly all: readonly ReviewRequest[];
  /** The platform or the key can't list reviews; these are IDs the user added. */
  readonly own: boolean;
  /** The platform has a list, or hides that it has none: it rejected the key for lack of permission. */
  readonly isForbidden?: boolean;
}

/** The part of the view that pages use. */
export interface ReviewsView {
  /** Fires when the list was loaded or a rejection changed state. */
  readonly onDidChange: vscode.Event<unknown>;
  /** The last known state of a review. */
  standing(id: string): Standing;
  refresh(): Promise<void>;
  /** Moves the focus to the list if it is visible. */
  focus(): Promise<boolean>;
}

export interface Standing {
  /** The review as last listed; undefined if the platform doesn't list it. */
  readonly review: ReviewRequest | undefined;
  /** Whether the platform's list was loaded, so that a missing review no longer exists. */
  readonly isListRead: boolean;
  /** The review is being rejected in this window. */
  readonly isRejecting: boolean;
}

export function registerReviews(context: vscode.ExtensionContext, session: Session): ReviewsView {
  const connection = () => session.connection?.id ?? "";
  const own = new OwnList(context.globalState, connection);
  const changes = new vscode.EventEmitter<void>();
  context.subscriptions.push(changes);
  const countdowns = new Map<Batch, Countdown>();
  const queue = new ReviewQueue(
    new RejectionFiles(pathOf(vscode.Uri.joinPath(context.globalStorageUri, "rejections"))),
    {
      now: Date.now,
      after: (ms, run) => setTimeout(() => void run(), ms),
      canSend: async (id) => vscode.workspace.isTrusted && (await session.store.secret(id)) !== undefined,
      send: async ({ connection: id, id: review, note }) => {
        await session.clientFor(id).rejectReviewRequest(review, note === "" ? undefined : note);
        await own.remove(id, review);
      },
      reasonOf,
      changed: () => view.redraw(),
      progress: (done, batch) => {
        // A single rejection without an undo period needs no notification.
        if (batch.rejections.length > 1 && !countdowns.has(batch)) countdown(batch);
        countdowns.get(batch)?.sending(done);
      },
      done: (report, batch) => {
        const notice = countdowns.get(batch);
        countdowns.delete(batch);
        if (report.sent.length === 0 || report.failed.length > 0) notice?.close();
        else if (notice) notice.rejected();
        else showStatus(vscode.l10n.t("Rejected {0}.", nameOf({ rejections: report.sent })));
        reportResult(report);
        // Completes a step of the walkthrough.
        if (report.sent.length > 0) void setContext("hasRejected", true);
        void view.reload();
      },
    },
  );

  const visibleReviews = (data: Reviews | undefined) =>
    (data?.all ?? []).filter((review) => isOpen(review) && !queue.isHidden(connection(), review.id));
  /** Session generations that can't list reviews, and why. They aren't asked again until the session changes. */
  const without = new Map<number, PlatformError["kind"]>();
  const view: ListView<Reviews> = new ListView<Reviews>(context, session, {
    name: "reviews",
    things: vscode.l10n.t("reviews"),
    empty: vscode.l10n.t("No open reviews."),
    manySelect: true,
    isCounted: true,
    poll: { firstMs: 15_000, longestMs: 120_000 },
    load: async (signal) => {
      const askedAt = Date.now();
      const ownList = () => {
        queue.observed(askedAt);
        const isForbidden = without.get(session.generation) === "forbidden";
        return { own: true, isForbidden, all: own.list().map((id) => ({ id })) };
      };
      if (without.has(session.generation)) return ownList();
      try {
        const all = await session.client.listReviewRequests({ signal });
        queue.observed(askedAt);
        return { own: false, all };
      } catch (error) {
        if (!hasNoList(error)) throw error;
        without.set(session.generation, error.kind);
        return ownList();
      }
    },
    rows: (data, now) => reviewRows(visibleReviews(data), { now, problem: (id) => queue.problem(connection(), id) }),
    note: (data) => (data?.own ? ownListNote(data.isForbidden === true) : undefined),
    drawn: (data) => {
      const count = visibleReviews(data).length;
      view.tree.badge =
        count > 0
          ? {
              value: count,
              tooltip: vscode.l10n.t("{0} pending", plural(count, vscode.l10n.t("review"), vscode.l10n.t("reviews"))),
            }
          : undefined;
      void setContext("reviews.own", data?.own ?? false);
      changes.fire();
    },
  });

  const settings = () => {
    const values = vscode.workspace.getConfiguration("assistantFlow.reviews");
    const seconds = values.get<number>("undoSeconds") ?? 6;
    return { undoMs: Math.max(0, Math.min(600, seconds)) * 1000, note: values.get<string>("defaultNote") ?? "" };
  };

  const reject = async (reviews: readonly { id: string; label: string }[], note: string) => {
    const { undoMs } = settings();
    const batch = await queue.reject(reviews, { connection: connection(), note, undoMs });
    if (batch && undoMs > 0) countdown(batch);
  };
  const countdown = (batch: Batch, isResumed = false) =>
    countdowns.set(batch, new Countdown(batch, () => undo(batch), isResumed));
  const clicks = new DoubleClicks();
  const undo = async (batch: Batch | undefined) => {
    clicks.forget();
    if (!batch) return void inform(vscode.l10n.t("Nothing to undo."));
    const taken = await queue.undo(batch);
    // Requests in progress continue; the notification reports them.
    if (taken.length > 0) {
      countdowns.get(batch)?.close();
      countdowns.delete(batch);
      return;
    }
    void warn(vscode.l10n.t("Already sent, or undone in another window."));
    await view.reload();
  };
  const resume = async () => {
    if (!vscode.workspace.isTrusted) return;
    const { waiting, interrupted } = await queue.resume(Math.max(settings().undoMs, 3000));
    if (waiting) countdown(waiting, true);
    if (interrupted.length > 0)
      void warn(
        vscode.l10n.t(
          "{0} may not have been sent before the window closed. Refresh to check.",
          plural(interrupted.length, vscode.l10n.t("rejection"), vscode.l10n.t("rejections")),
        ),
      );
  };
  void resume();
  session.onDidChange(() => void resume());

  onCommand(context, "rejectReview", async (...args) => {
    const [target, second] = args;
    if (clicks.isSecond(target)) return;
    if (typeof target === "string") {
      const known = view.data?.all.find(({ id }) => id === target);
      const note = typeof second === "string" ? second : settings().note;
      return reject([{ id: target, label: known ? proposal(known) : target }], note);
    }
    const rows = reviewsIn(await view.chosen(args, "review"));
    if (rows.length > 1) return rejectWithNote(rows);
    return reject(rows, settings().note);
  });
  onCommand(context, "rejectReviewWithNote", async (...args) =>
    rejectWithNote(reviewsIn(await view.chosen(args, "review"))),
  );
  const rejectWithNote = async (rows: readonly { id: string; label: string }[]) => {
    if (rows.length === 0) return;
    const note = await vscode.window.showInputBox({
      title:
        rows.length === 1
          ? vscode.l10n.t("Reject {0}", rows[0]?.label ?? "")
          : vscode.l10n.t("Reject {0}", plural(rows.length, vscode.l10n.t("Review"), vscode.l10n.t("Reviews"))),
      prompt: vscode.l10n.t("Note (optional)"),
      value: rows.map(({ id }) => queue.note(connection(), id)).find(Boolean) ?? settings().note,
      ignoreFocusOut: true,
    });
    if (note !== undefined) await reject(rows, note.trim());
  };
  onCommand(context, "undoReject", () => undo(queue.undoable));
  onCommand(context, "addReviews", async () => {
    const text = await vscode.window.showInputBox({
      title: vscode.l10n.t("Add Reviews"),
      prompt: vscode.l10n.t("One or more review IDs, separated by spaces or commas"),
      ignoreFocusOut: true,
      validateInput: (value) => (idsIn(value).length > 0 ? undefined : vscode.l10n.t("Enter review IDs.")),
    });
    if (text) await added(idsIn(text));
  });
  onCommand(context, "pasteReviews", async () => added(idsIn(await vscode.env.clipboard.readText())));
  const added = async (ids: readonly string[]) => {
    if (ids.length === 0) return void inform(vscode.l10n.t("No IDs on the clipboard."));
    const fresh = await own.add(ids);
    await view.reload();
    void inform(vscode.l10n.t("Added {0}.", plural(fresh, vscode.l10n.t("review"), vscode.l10n.t("reviews"))));
  };
  onCommand(context, "forgetReview", async (...args) => {
    for (const { id } of reviewsIn(await view.chosen(args, "review"))) await own.remove(connection(), id);
    await view.reload();
  });
  return {
    onDidChange: changes.event,
    standing: (id) => ({
      review: view.data?.all.find((review) => review.id === id),
      isListRead: view.data?.own === false,
      isRejecting: queue.isHidden(connection(), id),
    }),
    refresh: () => view.refresh(),
    focus: async () => {
      if (view.tree.visible) await vscode.commands.executeCommand("assistantFlow.reviews.focus");
      return view.tree.visible;
    },
  };
}

/** The endpoint is missing or forbidden for this key. */
function hasNoList(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    (error.kind === "not-found" || error.kind === "forbidden" || error.status === 405 || error.status === 501)
  );
}

function reviewsIn(rows: readonly Row[]): { id: string; label: string }[] {
  return rows.flatMap((row) =>
    row.context === "review" && row.copy ? [{ id: row.copy, label: row.label }] : reviewsIn(row.children ?? []),
  );
}

function reportResult({ sent, failed, kept }: Report): void {
  const [first] = failed;
  if (first) {
    const all = sent.length + failed.length;
    const what =
      all === 1
        ? vscode.l10n.t('"{0}" wasn\'t rejected.', first.rejection.label)
        : vscode.l10n.t("{0} of {1} reviews weren't rejected.", failed.length, all);
    void showError(`${what} ${first.reason}`);
  }
  if (kept.length > 0)
    void warn(
      vscode.l10n.t(
        "{0} will be sent when the connection is back.",
        plural(kept.length, vscode.l10n.t("rejection"), vscode.l10n.t("rejections")),
      ),
    );
}

/** The IDs the user added for a connection whose platform can't list reviews. */
class OwnList {
  constructor(
    private readonly storage: vscode.Memento,
    private readonly connection: () => string,
  ) {}

  list(connection = this.connection()): readonly string[] {
    return this.storage.get<string[]>(`reviews.own.${connection}`) ?? [];
  }

  async add(ids: readonly string[]): Promise<number> {
    const before = this.list();
    const after = [...new Set([...before, ...ids])];
    await this.storage.update(`reviews.own.${this.connection()}`, after);
    return after.length - before.length;
  }

  async remove(connection: string, id: string): Promise<void> {
    const before = this.list(connection);
    if (before.includes(id))
      await this.storage.update(
        `reviews.own.${connection}`,
        before.filter((one) => one !== id),
      );
  }
}

/** How long the result stays visible. */
const LINGER_MS = 1500;

/**
 * The notification for pending rejections: counts down the undo period, shows sending progress and the result, and
 * closes automatically.
 */
class Countdown {
  readonly #progress: OpenProgress;
  readonly #clock: NodeJS.Timeout;

  /** `isResumed`: the rejections are from a previous session. */
  constructor(
    private readonly batch: Batch,
    undo: () => unknown,
    isResumed = false,
  ) {
    const name = nameOf(batch);
    const title = isResumed
      ? vscode.l10n.t("From a previous session: rejecting {0}", name)
      : vscode.l10n.t("Rejecting {0}", name);
    this.#progress = openProgress(title, vscode.l10n.t("Undo"), undo);
    const whole = Math.max(1, Math.ceil((batch.due - Date.now()) / 1000));
    const tick = (increment: number) => {
      const left = Math.ceil((batch.due - Date.now()) / 1000);
      if (left > 0) this.#progress.report(vscode.l10n.t("{0}\u00a0s left to undo", left), increment);
    };
    tick(0);
    this.#clock = setInterval(() => tick(100 / whole), 1000);
  }

  sending(done: number): void {
    clearInterval(this.#clock);
    const { length } = this.batch.rejections;
    this.#progress.report(length === 1 ? vscode.l10n.t("sending…") : vscode.l10n.t("{0} of {1}", done + 1, length));
  }

  /** Closes without a result, after an undo or a failure, which is reported separately. */
  close(): void {
    clearInterval(this.#clock);
    this.#progress.close();
  }

  rejected(): void {
    clearInterval(this.#clock);
    this.#progress.report(vscode.l10n.t("Rejected"), 100);
    setTimeout(this.#progress.close, LINGER_MS);
  }
}

function nameOf({ rejections }: Pick<Batch, "rejections">): string {
  const [first] = rejections;
  return rejections.length === 1
    ? `"${first?.label}"`
    : plural(rejections.length, vscode.l10n.t("review"), vscode.l10n.t("reviews"));
}
