/** The versions of flows that were seen from this computer, for the Flows view. */
import type * as vscode from "vscode";
import { type SeenVersionView, VersionsRequest } from "../../server/environment-messages";
import { ask } from "../../server/messages";
import type { Server } from "../server";
import type { SyncStates } from "../sync";
import { FlowReadings } from "./flow-readings";

export class SeenVersions implements vscode.Disposable {
  readonly #readings: FlowReadings<readonly SeenVersionView[]>;
  readonly #subscription: vscode.Disposable;
  /** The flows whose versions are shown. A history can be large, so it's read when it's first shown. */
  readonly #shown = new Map<string, vscode.Uri>();
  /** Fires when the versions of a flow changed. */
  readonly onDidChange: vscode.Event<void>;

  constructor(server: Server, states: SyncStates) {
    this.#readings = new FlowReadings((uri) => ask(server, VersionsRequest, { uri }));
    this.onDidChange = this.#readings.onDidChange;
    this.#subscription = states.onDidChange((uri) => {
      if (this.#shown.has(uri.toString()) && states.get(uri)?.kind !== "syncing") this.#readings.read([uri]);
    });
  }

  /** Newest first; undefined until they are read. */
  of(uri: vscode.Uri): readonly SeenVersionView[] | undefined {
    return this.#readings.of(uri);
  }

  /** Reads the versions of a flow soon, and from then on whenever they may have changed. */
  show(uri: vscode.Uri): void {
    this.#shown.set(uri.toString(), uri);
    if (this.of(uri) === undefined) this.#readings.read([uri]);
  }

  /** Reads the versions of all flows again that are shown. */
  refresh(): void {
    this.#readings.read([...this.#shown.values()]);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#readings.dispose();
  }
}

/** The version of a row in the Flows view. */
export function versionOf(target: unknown): SeenVersionView | undefined {
  const { context, thing } = (target ?? {}) as { readonly context?: unknown; readonly thing?: unknown };
  return context === "version" ? (thing as SeenVersionView) : undefined;
}
