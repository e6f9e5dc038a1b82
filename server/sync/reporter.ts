/**
 * What sync has to say, by the protocol's own means: progress while batches go out, a message when a state needs a
 * person. Editors with our client hear of states by a message of ours instead and show them their own way.
 */
import type { FlowSyncState, PlanView } from "../messages";
import type { Server } from "../server";

type Progress = Awaited<ReturnType<Server["connection"]["window"]["createWorkDoneProgress"]>>;

export class Reporter {
  readonly #progress = new Map<string, Promise<Progress>>();
  readonly #said = new Map<string, string>();

  constructor(
    private readonly server: Server,
    private readonly cancel: (uri: string) => void,
  ) {}

  report(state: FlowSyncState): void {
    this.#tell(state);
    this.#show(state);
  }

  /** One word when a state is reached that a person must know of; not again for every save. */
  #tell(state: FlowSyncState): void {
    const tells =
      ["conflict", "diverged", "unauthorized", "blocked"].includes(state.kind) || state.reason === "offline";
    const text = tells ? `${fileName(state.uri)}: ${state.message || state.text}` : "";
    if (this.#said.get(state.uri) === text) return;
    this.#said.set(state.uri, text);
    if (text === "") return;
    if (state.kind === "blocked") this.server.connection.window.showWarningMessage(text);
    else this.server.connection.window.showInformationMessage(text);
  }

  /** Shown for chains of batches; a single batch is over before anybody could read it. */
  #show(state: FlowSyncState): void {
    const shown = this.#progress.get(state.uri);
    if (state.kind !== "syncing" || (state.batches ?? 0) < 2) {
      this.#progress.delete(state.uri);
      void shown?.then((progress) => progress.done());
      return;
    }
    if (!this.server.client.window?.workDoneProgress) return;
    const { batch = 0, batches = 1 } = state;
    const percentage = Math.round((100 * Math.max(0, batch - 1)) / batches);
    const words = `batch ${batch} of ${batches}`;
    if (shown) return void shown.then((progress) => progress.report(percentage, words));
    const started = this.server.connection.window.createWorkDoneProgress().then((progress) => {
      progress.begin(`Syncing ${fileName(state.uri)}`, percentage, words, true);
      progress.token.onCancellationRequested(() => this.cancel(state.uri));
      return progress;
    });
    this.#progress.set(state.uri, started);
  }

  async confirm(uri: string, reason: string, plan: PlanView): Promise<boolean> {
    const why =
      reason === "first-push"
        ? "This file was never sent to the platform. Sending it makes the platform's flow what the file says"
        : reason === "removes-many"
          ? "This takes away more than a fifth of the nodes"
          : "Send these changes";
    const send = { title: "Send" };
    const answer = await this.server.connection.window.showWarningMessage(
      `${fileName(uri)}: ${why} (${plan.summary}).`,
      send,
      { title: "Not Now" },
    );
    return answer?.title === send.title;
  }

  dispose(): void {
    for (const progress of this.#progress.values()) void progress.then((shown) => shown.done());
    this.#progress.clear();
  }
}

function fileName(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
}
