/** The state of each flow in each environment, for the Flows view. Reading them only reads the platforms. */
import * as vscode from "vscode";
import { type EnvironmentState, EnvironmentStatesRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import type { Server } from "../server";
import type { SyncStates } from "../sync";

/** States change several times during a push; environments are read once after it. */
const SOON_MS = 500;

export class EnvironmentDrifts implements vscode.Disposable {
  readonly #known = new Map<string, readonly EnvironmentState[]>();
  readonly #waiting = new Set<string>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #reading = Promise.resolve();
  /** Fires when the states of a flow changed. */
  readonly onDidChange = this.#changes.event;

  constructor(
    private readonly server: Server,
    states: SyncStates,
  ) {
    this.#subscription = states.onDidChange((uri) => {
      const state = states.get(uri);
      const isListed = state?.environments !== undefined || this.#known.has(uri.toString());
      if (isListed && state?.kind !== "syncing") this.read([uri]);
    });
  }

  of(uri: vscode.Uri): readonly EnvironmentState[] {
    return this.#known.get(uri.toString()) ?? [];
  }

  /** Reads the environments of flows soon, one flow at a time. */
  read(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.#waiting.add(uri.toString());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = [...this.#waiting];
      this.#waiting.clear();
      this.#reading = this.#reading.then(() => this.#readNow(due));
    }, SOON_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  async #readNow(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      // A server that stopped is reported elsewhere; the next change reads again.
      const states = await ask(this.server, EnvironmentStatesRequest, { uri }).catch(() => undefined);
      if (!states || JSON.stringify(states) === JSON.stringify(this.#known.get(uri) ?? [])) continue;
      if (states.length > 0) this.#known.set(uri, states);
      else this.#known.delete(uri);
      this.#changes.fire();
    }
  }
}
