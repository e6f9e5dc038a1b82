/**
 * Assigns each revision to one file of the workspace. If two files name the same revision, neither is synced, because
 * it is unclear which one is meant. A renamed file releases its revision under the old name and claims it under the new
 * one; a deleted file releases it. Neither changes anything on the platform.
 */

import type { Identity } from "./environment";
import { fileNameOf } from "./journal/journal";
import { alsoNamedBy, notLinked } from "./sentences";
import type { SyncSession } from "./session";
import type { SyncState } from "./state";

export interface RevisionOwnersHost {
  /** Creates the session of a file and passes it the file's content. */
  open(file: string, identity: Identity): SyncSession;
  /** A file isn't synced; the state is the reason. */
  showState(file: string, state: SyncState): void;
  /** The display name of a file in a message about another one; defaults to its path. */
  nameOf?(file: string, other: string): string;
}

export class RevisionOwners {
  readonly #identities = new Map<string, Identity>();
  readonly #open = new Map<string, { readonly key: string; readonly sync: SyncSession }>();
  /** Resolves when the last session is closed, so that the next one for the same flow finds the lock free. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: RevisionOwnersHost) {}

  /** The session of a file, if it has one. */
  syncOf(file: string): SyncSession | undefined {
    return this.#open.get(file)?.sync;
  }

  /** The files that name a revision. */
  filesOf(identity: Identity): string[] {
    const key = fileNameOf(identity);
    return [...this.#identities].filter(([, its]) => fileNameOf(its) === key).map(([file]) => file);
  }

  /** Sets the revision that a file names now; without one, the state is the reason. */
  async claim(
    file: string,
    identity: Identity | undefined,
    reason: SyncState = { kind: "unlinked", message: notLinked() },
  ): Promise<void> {
    if (identity) this.#identities.set(file, identity);
    else this.#identities.delete(file);
    await this.#settle();
    if (!identity) this.host.showState(file, reason);
  }

  /** The file was deleted or closed. */
  async remove(file: string): Promise<void> {
    this.#identities.delete(file);
    await this.#settle();
  }

  async close(): Promise<void> {
    this.#identities.clear();
    await this.#settle();
  }

  /** Closes sessions of files that lost their revision, and opens the others. */
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
          message: alsoNamedBy(this.host.nameOf?.(rival, file) ?? rival),
        });
      else if (!this.#open.has(file))
        this.#open.set(file, { key: fileNameOf(identity), sync: this.host.open(file, identity) });
    }
  }
}
