/** The state of each flow in each environment, for the Flows view. Reading them only reads the platforms. */
import type * as vscode from "vscode";
import { type EnvironmentState, EnvironmentStatesRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import type { Server } from "../server";
import type { SyncStates } from "../sync";
import { FlowReadings } from "./flow-readings";

export class EnvironmentDrifts implements vscode.Disposable {
  readonly #readings: FlowReadings<readonly EnvironmentState[]>;
  readonly #subscription: vscode.Disposable;
  /** Fires when the states of a flow changed. */
  readonly onDidChange: vscode.Event<void>;

  constructor(server: Server, states: SyncStates) {
    this.#readings = new FlowReadings((uri) => ask(server, EnvironmentStatesRequest, { uri }));
    this.onDidChange = this.#readings.onDidChange;
    this.#subscription = states.onDidChange((uri) => {
      const state = states.get(uri);
      const isListed = state?.environments !== undefined || this.of(uri).length > 0;
      if (isListed && state?.kind !== "syncing") this.read([uri]);
    });
  }

  of(uri: vscode.Uri): readonly EnvironmentState[] {
    return this.#readings.of(uri) ?? [];
  }

  /** Reads the environments of flows soon. */
  read(uris: readonly vscode.Uri[]): void {
    this.#readings.read(uris);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#readings.dispose();
  }
}
