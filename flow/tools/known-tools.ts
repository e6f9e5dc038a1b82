import { addTo } from "../collections";
import { textOf, type Value } from "../values";
import type { ToolDefinition, ToolDefinitions } from "./definition";
import { readSnapshot } from "./snapshot";

/** The definitions of several revisions in one list. */
export function mergedDefinitions(sources: readonly ToolDefinitions[]): ToolDefinitions {
  const knowledgeBaseIds = [...new Set(sources.flatMap((source) => source.knowledgeBaseIds))];
  return { tools: [...new KnownTools(sources).all], knowledgeBaseIds };
}

interface ToolNode {
  readonly type: string | undefined;
  readonly fields: ReadonlyMap<string, { readonly value?: Value | undefined }>;
}

/** An environment with the values of its names. */
interface Named {
  readonly names: ReadonlyMap<string, string>;
}

/** The tools of one flow from all sources. If two sources have a tool, the first one wins. */
export class KnownTools {
  readonly #byId = new Map<string, ToolDefinition>();
  #byName: ReadonlyMap<string, readonly ToolDefinition[]> | undefined;

  /** The tools of a snapshot's text; undefined without a usable one. */
  static ofSnapshot(text: string | undefined, environments: readonly Named[] = []): KnownTools | undefined {
    const read = text === undefined ? undefined : readSnapshot(text);
    return read && !("problem" in read) ? new KnownTools([read], environments) : undefined;
  }

  constructor(
    sources: readonly ToolDefinitions[],
    private readonly environments: readonly Named[] = [],
  ) {
    for (const { tools } of sources)
      for (const tool of tools) {
        const id = tool.id.toLowerCase();
        if (!this.#byId.has(id)) this.#byId.set(id, tool);
      }
  }

  /** IDs are compared without case. A `$name` has a value in each environment; the first known tool is returned. */
  get(id: string): ToolDefinition | undefined {
    const tool = this.#byId.get(id.toLowerCase());
    if (tool || !id.startsWith("$")) return tool;
    for (const { names } of this.environments) {
      const named = this.#byId.get(names.get(id.slice(1))?.toLowerCase() ?? "");
      if (named) return named;
    }
    return undefined;
  }

  /** The tool that a node calls. */
  calledBy({ type, fields }: ToolNode): ToolDefinition | undefined {
    const id = type === "tool" ? textOf(fields.get("tool")?.value) : undefined;
    return id === undefined ? undefined : this.get(id.trim());
  }

  /** The tools with this name, compared without case. */
  named(name: string): readonly ToolDefinition[] {
    this.#byName ??= byName(this.#byId.values());
    return this.#byName.get(plainName(name)) ?? [];
  }

  get size(): number {
    return this.#byId.size;
  }

  get all(): Iterable<ToolDefinition> {
    return this.#byId.values();
  }
}

function byName(tools: Iterable<ToolDefinition>): Map<string, ToolDefinition[]> {
  const names = new Map<string, ToolDefinition[]>();
  for (const tool of tools) addTo(names, plainName(tool.name), tool);
  return names;
}

function plainName(name: string): string {
  return name.trim().toLowerCase();
}
