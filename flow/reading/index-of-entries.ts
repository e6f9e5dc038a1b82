/** Entries by key, for each section. Where a key is written more than once, the order of the file decides. */
import type { Entry, Section } from "./entries";

export class EntryIndex {
  readonly #byKey: Record<Section, Map<string, Entry | Entry[]>> = {
    top: new Map(),
    nodes: new Map(),
    context_variables: new Map(),
  };
  readonly #repeated = new Set<Entry[]>();

  add(entry: Entry): void {
    const entries = this.#byKey[entry.section];
    const known = entries.get(entry.key);
    if (known === undefined) entries.set(entry.key, entry);
    else if (Array.isArray(known)) known.push(entry);
    else {
      const all = [known, entry];
      entries.set(entry.key, all);
      this.#repeated.add(all);
    }
  }

  remove(entry: Entry): void {
    const entries = this.#byKey[entry.section];
    const known = entries.get(entry.key);
    if (known === entry) entries.delete(entry.key);
    else if (Array.isArray(known)) {
      known.splice(known.indexOf(entry), 1);
      if (known.length > 1) return;
      this.#repeated.delete(known);
      entries.set(entry.key, known[0] as Entry);
    }
  }

  first(section: Section, key: string, order: (entry: Entry) => number): Entry | undefined {
    const known = this.#byKey[section].get(key);
    if (!Array.isArray(known)) return known;
    return known.reduce((first, entry) => (order(entry) < order(first) ? entry : first));
  }

  /** The entries of each key that is written more than once, in the order of the file. */
  repeated(order: (entry: Entry) => number): Entry[][] {
    return [...this.#repeated].map((entries) => [...entries].sort((a, b) => order(a) - order(b)));
  }
}
