/**
 * The flows of a workspace, each with its sync. One revision belongs to one file: where two name the same one, neither
 * is synced, because nobody could say which of them is meant. A file that is renamed lets go of it under the old name
 * and claims it under the new one, and one that is deleted only lets go: nothing on the platform changes by either.
 */

import type { Identity } from "./environment";
import { fileNameOf } from "./journal/journal";
import { alsoNamedBy, notLinked } from "./sentences";
import type { SyncSession } from "./session";
import type { SyncState } from "./state";

export interface ClaimsHost {
  /** Makes the sync of a file and tells it what the file says. */
  open(file: string, identity: Identity): SyncSession;
  /** A file has no sync, and this is why. */
  showState(file: string, state: SyncState): void;
  /** What people call a file; without it, as it was given. */
  nameOf?(file: string): string;
}

export class RevisionOwners {
  readonly #identities = new Map<string, Identity>();
  readonly #open = new Map<string, { readonly key: string; readonly sync: SyncSession }>();
  /** The end of each sync that was let go of, so that the next one for the same flow finds the lock free. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: ClaimsHost) {}

  /** The sync of a file, if it has one. */
  syncOf(file: string): SyncSession | undefined {
    return this.#open.get(file)?.sync;
  }

  /** The files that name a flow. */
  filesOf(identity: Identity): string[] {
    const key = fileNameOf(identity);
    return [...this.#identities].filter(([, its]) => fileNameOf(its) === key).map(([file]) => file);
  }

  /** Says which revision a file names now. */
  async claim(file: string, identity: Identity | undefined): Promise<void> {
    if (identity) this.#identities.set(file, identity);
    else this.#identities.delete(file);
    await this.#settle();
    if (!identity) this.host.showState(file, { kind: "unlinked", message: notLinked() });
  }

  /** The file is gone, or closed for good. */
  async remove(file: string): Promise<void> {
    this.#identities.delete(file);
    await this.#settle();
  }

  async close(): Promise<void> {
    this.#identities.clear();
    await this.#settle();
  }

  /** Closes what may not be open and opens what may. */
  async #settle(): Promise<void> {
    for (const [file, { key, sync }] of this.#open) {
      const identity = this.#identities.get(file);
      if (identity && fileNameOf(identity) === key && this.filesOf(identity).length === 1) continue;
      this.#open.delete(file);
      this.#closing = Promise.all([this.#closing, sync.close()]);
    }
    await this.#closing;
    for (const [file, identity] of this.#identities) {
      const rival = this.filesOf(identity).find((other) => other !== file);
      if (rival !== undefined)
        this.host.showState(file, {
          kind: "blocked",
          reason: "claimed-twice",
          message: alsoNamedBy(this.host.nameOf?.(rival) ?? rival),
        });
      else if (!this.#open.has(file))
        this.#open.set(file, { key: fileNameOf(identity), sync: this.host.open(file, identity) });
    }
  }
}
