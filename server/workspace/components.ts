/**
 * The flows of components, for whoever judges paths and cannot wait: live where they are open, else as they are on disk, read
 * when they are first asked for. Whoever asked before they were there, or before they changed, is told.
 */
import type { FlowDocument } from "../../flow";
import { type Program, programOf } from "../../flow/run";
import { keyOf } from "../protocol/uris";
import type { FileFacts } from "./files";
import type { Programs } from "./programs";
import type { Workspace } from "./workspace";

export class Components {
  /** By address; undefined while it is read, and where it cannot be. */
  readonly #onDisk = new Map<string, FlowDocument | undefined>();
  readonly #reading = new Set<Promise<void>>();
  readonly #given = new WeakSet<FlowDocument>();
  /** IDs that no file had. */
  readonly #missed = new Set<string>();

  constructor(
    private readonly workspace: Workspace,
    private readonly programs: Programs,
    /** The addresses of the flows whose paths go through it, directly or not. */
    private readonly onChange: (users: readonly string[]) => void,
  ) {
    workspace.onFile((uri, file) => {
      const wasMissed = idsOf(file?.facts).filter((id) => this.#missed.delete(id)).length > 0;
      if (this.#onDisk.delete(keyOf(uri)) || wasMissed) this.changed(uri);
    });
  }

  of(id: string): Program | undefined {
    const uri = this.programs.flowWithId(id.toLowerCase());
    if (uri === undefined) {
      this.#missed.add(id.toLowerCase());
      return undefined;
    }
    const key = keyOf(uri);
    const document = this.workspace.get(uri)?.document ?? this.#onDisk.get(key);
    if (document) this.#given.add(document);
    else if (!this.#onDisk.has(key)) {
      const reading = this.#read(uri, key).finally(() => this.#reading.delete(reading));
      this.#reading.add(reading);
    }
    return document && programOf(document);
  }

  /** Waits for what was asked for and is being read; false where that is nothing. */
  async settled(): Promise<boolean> {
    if (this.#reading.size === 0) return false;
    await Promise.all(this.#reading);
    return true;
  }

  /** Whether others go by it. */
  has(document: FlowDocument): boolean {
    return this.#given.has(document);
  }

  changed(uri: string): void {
    this.onChange(this.usersOf(uri));
  }

  /** The addresses of the flows that it is a component of, directly or not. */
  usersOf(uri: string): readonly string[] {
    const users = new Set<string>();
    const pending = [keyOf(uri)];
    const facts = [...this.workspace.facts()];
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      const named = facts.filter((each) => keyOf(each.uri) === key);
      const ids = new Set(named.flatMap(idsOf));
      for (const each of facts) {
        const uses = each.uses.some(({ kind, id }) => kind === "component" && ids.has(id.toLowerCase()));
        if (!uses || users.has(each.uri)) continue;
        users.add(each.uri);
        pending.push(keyOf(each.uri));
      }
    }
    return [...users];
  }

  async #read(uri: string, key: string): Promise<void> {
    this.#onDisk.set(key, undefined);
    const document = await this.programs.document(uri);
    // It may have changed meanwhile, and be asked for again.
    if (!document || !this.#onDisk.has(key)) return;
    this.#onDisk.set(key, document);
    this.changed(uri);
  }
}

function idsOf(facts: FileFacts | undefined): string[] {
  return [facts?.assistant, facts?.revision].flatMap((id) => (id === undefined ? [] : id.toLowerCase()));
}
