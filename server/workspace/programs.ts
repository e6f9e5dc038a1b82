/** Runnable flows by URI: with live text if they are open in the editor, otherwise from disk. */
import { FlowDocument } from "../../flow";
import { type FlowOf, type Program, programOf } from "../../flow/run";
import { keyOf } from "../protocol/uris";
import { readFlowFile, stampOf } from "./files";
import type { Workspace } from "./workspace";

/** How many flows from disk are cached. */
const MAX_KEPT = 256;

export interface RunnableFlow {
  readonly program: Program;
  readonly flowOf: FlowOf;
  /** The flow and all its components. */
  readonly all: readonly Program[];
}

export class Programs {
  readonly #kept = new Map<string, { readonly stamp: string; readonly document: FlowDocument }>();
  readonly #uris = new WeakMap<FlowDocument, string>();

  constructor(
    private readonly workspace: Workspace,
    /** The URI of the flow that a `component` names by a project file. */
    private readonly inProject: (written: string) => string | undefined = () => undefined,
  ) {}

  async of(uri: string): Promise<Program | undefined> {
    const document = await this.document(uri);
    return document && programOf(document);
  }

  async document(uri: string): Promise<FlowDocument | undefined> {
    const open = this.workspace.get(uri);
    if (open) return this.#noted(open.uri, open.document);
    const key = keyOf(uri);
    const stamp = await stampOf(key);
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (stamp === undefined) return undefined;
    const text = kept?.stamp === stamp ? undefined : await readFlowFile(key);
    const document = text === undefined ? kept?.document : FlowDocument.read(text);
    if (!document) return undefined;
    this.#kept.set(key, { stamp, document });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return this.#noted(key, document);
  }

  /** The URI of a flow that was returned before. */
  uriOf(document: FlowDocument): string | undefined {
    return this.#uris.get(document);
  }

  /** A flow with its components, and their components. */
  async withComponents(program: Program): Promise<RunnableFlow> {
    const found = new Map<string, Program>();
    const seen = new Set<string>();
    const pending = [program];
    for (let each = pending.pop(); each; each = pending.pop())
      for (const { type, calls } of each.nodes.values()) {
        const id = type === "component" ? calls?.toLowerCase() : undefined;
        if (id === undefined || seen.has(id)) continue;
        seen.add(id);
        const uri = this.flowWithId(calls as string);
        const component = uri === undefined ? undefined : await this.of(uri);
        if (!component) continue;
        found.set(id, component);
        pending.push(component);
      }
    return { program, flowOf: (id) => found.get(id.toLowerCase()), all: [program, ...found.values()] };
  }

  /** The first file that names the ID, as on the command line; otherwise the flow of a project. */
  flowWithId(written: string): string | undefined {
    return this.workspace.withId(written.toLowerCase()).sort()[0] ?? this.inProject(written);
  }

  #noted(uri: string, document: FlowDocument): FlowDocument {
    this.#uris.set(document, uri);
    return document;
  }
}
