/**
 * The flows of components for synchronous path analysis: live text if they are open, otherwise read from disk on first
 * use. Users are notified when a flow has been read or changes.
 */
import type { FlowDocument } from "../../flow";
import { type Program, programOf } from "../../flow/run";
import { keyOf } from "../protocol/uris";
import type { FileFacts } from "./files";
import type { Programs } from "./programs";
import type { Workspace } from "./workspace";

export class Components {
  /** By URI; undefined while it is being read, or if it can't be read. */
  readonly #onDisk = new Map<string, FlowDocument | undefined>();
  readonly #reading = new Set<Promise<void>>();
  readonly #given = new WeakSet<FlowDocument>();
  /** IDs that no file has. */
  readonly #missed = new Set<string>();

  constructor(
    private readonly workspace: Workspace,
    private readonly programs: Programs,
    /** The URIs of the flows whose paths go through it, directly or indirectly. */
    private readonly onChange: (users: readonly string[]) => void,
  ) {
    workspace.onFile((uri, file) => {
      const wasMissed = this.#idsOf(file?.facts).filter((id) => this.#missed.delete(id)).length > 0;
      if (this.#onDisk.delete(keyOf(uri)) || wasMissed) this.changed(uri);
    });
  }

  of(id: string): Program | undefined {
    const uri = this.programs.flowWithId(id);
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

  /** Waits for pending reads; false if there are none. */
  async settled(): Promise<boolean> {
    if (this.#reading.size === 0) return false;
    await Promise.all(this.#reading);
    return true;
  }

  /** Whether another flow uses it as a component. */
  has(document: FlowDocument): boolean {
    return this.#given.has(document);
  }

  changed(uri: string): void {
    this.onChange(this.usersOf(uri));
  }

  /** The URIs of the flows that use it as a component, directly or indirectly. */
  usersOf(uri: string): readonly string[] {
    const users = new Set<string>();
    const pending = [keyOf(uri)];
    const facts = [...this.workspace.facts()];
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      const named = facts.filter((each) => keyOf(each.uri) === key);
      const ids = new Set(named.flatMap((each) => this.#idsOf(each)));
      for (const each of facts) {
        const uses = each.uses.some(({ kind, id }) => kind === "component" && ids.has(id.toLowerCase()));
        if (!uses || users.has(each.uri)) continue;
        users.add(each.uri);
        pending.push(keyOf(each.uri));
      }
    }
    return [...users];
  }

  #idsOf(facts: FileFacts | undefined): string[] {
    if (!facts) return [];
    const own = [facts.assistant, facts.revision];
    return [...own, ...(this.workspace.namesOf(facts.uri, own) ?? [])].flatMap((id) => id?.toLowerCase() ?? []);
  }

  async #read(uri: string, key: string): Promise<void> {
    this.#onDisk.set(key, undefined);
    const document = await this.programs.document(uri);
    // It may have changed in the meantime, and is requested again then.
    if (!document || !this.#onDisk.has(key)) return;
    this.#onDisk.set(key, document);
    this.changed(uri);
  }
}
