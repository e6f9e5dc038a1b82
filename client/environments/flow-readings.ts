/** What the server knows about flows, read soon after it may have changed, one flow at a time. */
import * as vscode from "vscode";

/** States change several times during a push; flows are read once after it. */
const SOON_MS = 500;

export class FlowReadings<T> implements vscode.Disposable {
  readonly #known = new Map<string, T>();
  readonly #waiting = new Set<string>();
  readonly #changes = new vscode.EventEmitter<void>();
  #timer: NodeJS.Timeout | undefined;
  #reading = Promise.resolve();
  /** Fires when the result for a flow changed. */
  readonly onDidChange = this.#changes.event;

  constructor(private readonly readOne: (uri: string) => Promise<T>) {}

  of(uri: vscode.Uri): T | undefined {
    return this.#known.get(uri.toString());
  }

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
