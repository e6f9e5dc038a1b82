import type { ToolDefinition, ToolDefinitions } from "./definition";

/** The tools of one flow from all sources. If two sources have a tool, the first one wins. */
export class KnownTools {
  readonly #byId = new Map<string, ToolDefinition>();

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
