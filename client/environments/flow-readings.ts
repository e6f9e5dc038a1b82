/** What the server knows about flows, read soon after it may have changed, one flow at a time. */
import * as vscode from "vscode";
import type { FlowSyncState } from "../../server/messages";
import type { SyncStates } from "../sync";

/** States change several times during a push; flows are read once after it. */
const SOON_MS = 500;

export class FlowReadings<T> implements vscode.Disposable {
  readonly #known = new Map<string, T>();
  readonly #waiting = new Set<string>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #reading = Promise.resolve();
  /** Fires when the result for a flow changed. */
  readonly onDidChange = this.#changes.event;

  /** `follows` decides whether a flow is read again when its sync state changed. */
  constructor(
    states: SyncStates,
    private readonly readOne: (uri: string) => Promise<T>,
    follows: (known: T | undefined, state: FlowSyncState | undefined) => boolean,
  ) {
    this.#subscription = states.onDidChange((uri) => {
      const state = states.get(uri);
      if (state?.kind !== "syncing" && follows(this.of(uri), state)) this.read([uri]);
    });
  }

  /** Undefined until the flow is read. */
  of(uri: vscode.Uri): T | undefined {
    return this.#known.get(uri.toString());
  }

  read(uris: readonly (vscode.Uri | string)[]): void {
    for (const uri of uris) this.#waiting.add(uri.toString());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = [...this.#waiting];
      this.#waiting.clear();
      this.#reading = this.#reading.then(() => this.#readNow(due));
    }, SOON_MS);
  }

  /** Reads all flows again that were read before. */
  refresh(): void {
    this.read([...this.#known.keys()]);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  async #readNow(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      // A server that stopped is reported elsewhere; the next change reads again.
      const read = await this.readOne(uri).catch(() => undefined);
      if (read === undefined || JSON.stringify(read) === JSON.stringify(this.#known.get(uri))) continue;
      this.#known.set(uri, read);
      this.#changes.fire();
    }
  }
}
