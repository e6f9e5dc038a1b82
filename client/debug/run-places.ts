/** The position of the run that is being debugged or played. The graph highlights it, and can answer a choice. */
import * as vscode from "vscode";
import type { RunPlace } from "../../debug/messages";

export class RunPlaces implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changes.event;
  #owner: object | undefined;
  #place: RunPlace | undefined;
  #answer: ((text: string) => void) | undefined;

  get place(): RunPlace | undefined {
    return this.#place;
  }

  /** The most recent caller wins. */
  show(owner: object, place: RunPlace, answer: (text: string) => void): void {
    [this.#owner, this.#place, this.#answer] = [owner, place, answer];
    this.#changes.fire();
  }

  hide(owner: object): void {
    if (owner !== this.#owner) return;
    [this.#owner, this.#place, this.#answer] = [undefined, undefined, undefined];
    this.#changes.fire();
  }

  /** Takes an edge if the run is asking about it; false otherwise. */
  take(edge: string): boolean {
    if (!this.#place?.asks?.choices.some(({ id }) => id === edge)) return false;
    this.#answer?.(`take ${edge}`);
    return true;
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
