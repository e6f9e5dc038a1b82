/** Web Locks, which Node 20 doesn't have: the locks of one site, whose tabs can end. */
import type { Locks } from "../../system/browser/state-store";

export class WebLocks {
  readonly #held = new Map<string, object>();

  /** A tab. When it ends, its locks are released. */
  tab(): Locks & { end(): void } {
    const held = this.#held;
    const tab: Locks & { end(): void } = {
      async request(name, work) {
        if (held.has(name)) throw new Error("A tab's name is used once.");
        held.set(name, tab);
        return work();
      },
      query: async () => ({ held: [...held.keys()].map((name) => ({ name })) }),
      end: () => {
        for (const [name, by] of held) if (by === tab) held.delete(name);
      },
    };
    return tab;
  }
}
