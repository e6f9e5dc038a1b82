import type { ToolDefinition, ToolDefinitions } from "./definition";
import { readSnapshot } from "./snapshot";

/** The tools of one flow from all sources. If two sources have a tool, the first one wins. */
export class KnownTools {
  readonly #byId = new Map<string, ToolDefinition>();

  /** The tools of a snapshot's text; undefined without a usable one. */
  static ofSnapshot(text: string | undefined): KnownTools | undefined {
    const read = text === undefined ? undefined : readSnapshot(text);
    return read && !("problem" in read) ? new KnownTools([read]) : undefined;
  }

  constructor(sources: readonly ToolDefinitions[]) {
    for (const { tools } of sources)
      for (const tool of tools) {
        const id = tool.id.toLowerCase();
        if (!this.#byId.has(id)) this.#byId.set(id, tool);
      }
  }

  /** IDs are compared without case. */
  get(id: string): ToolDefinition | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  get all(): Iterable<ToolDefinition> {
    return this.#byId.values();
  }
}
