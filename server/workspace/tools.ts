/** Tool definitions for the flows of the workspace, from the nearest snapshot of each flow. */
import { type FlowEnvironment, type Span, TOOLS_FILE } from "../../flow";
import { KnownTools, readSnapshot, type ToolDefinitions, unreadableSnapshot } from "../../flow/tools";
import { keyOf } from "../protocol/uris";
import { NearestFiles } from "./nearest-files";
import type { Workspace } from "./workspace";

interface Snapshot {
  readonly text: string;
  readonly tools?: ToolDefinitions;
  readonly problem?: string;
}

interface Known {
  readonly live: ToolDefinitions | undefined;
  readonly saved: ToolDefinitions | undefined;
  readonly environments: readonly FlowEnvironment[];
  readonly tools: KnownTools;
}

export class Tools {
  readonly disk: NearestFiles<Snapshot>;
  readonly #known = new Map<string, Known>();

  constructor(
    workspace: Workspace,
    private readonly liveTools: (flow: string) => ToolDefinitions | undefined,
    private readonly environmentsOf: (flow: string) => readonly FlowEnvironment[],
  ) {
    this.disk = new NearestFiles(TOOLS_FILE, workspace, snapshotOf, (why) => ({
      text: "",
      ...unreadableSnapshot(why),
    }));
  }

  /** The tools of a flow, from the live revision and then from the snapshot. Undefined if neither is known. */
  toolsFor(flow: string): KnownTools | undefined {
    const live = this.liveTools(flow);
    const saved = this.#snapshotFor(flow)?.tools;
    if (!live && !saved) return undefined;
    const environments = this.environmentsOf(flow);
    const key = keyOf(flow);
    let known = this.#known.get(key);
    // The same object for the same sources, so that the rules check only what was edited.
    if (!known || known.live !== live || known.saved !== saved || known.environments !== environments) {
      const sources = [live, saved].filter((each) => each !== undefined);
      known = { live, saved, environments, tools: new KnownTools(sources, environments) };
      this.#known.set(key, known);
    }
    return known.tools;
  }

  /** The snapshot's text, for the thread that checks files that aren't open. */
  textFor(flow: string): string | undefined {
    const snapshot = this.#snapshotFor(flow);
    return snapshot?.tools && snapshot.text;
  }

  /** Where a flow's snapshot is, or would be written: the nearest one, or beside the flow. */
  snapshotUri(flow: string): string | undefined {
    const [beside] = this.disk.candidates(flow);
    return this.#nearest(flow)?.[0] ?? beside;
  }

  /** A tool in the flow's snapshot; null if it isn't there. */
  placeOf(flow: string, id: string): { readonly uri: string; readonly text: string; readonly span: Span } | null {
    const [uri, snapshot] = this.#nearest(flow) ?? [];
    if (uri === undefined || !snapshot) return null;
    // Hand-written IDs may differ in case, but not in length.
    const quoted = JSON.stringify(id);
    const start = lowerCase(snapshot.text).indexOf(lowerCase(quoted));
    return start < 0 ? null : { uri, text: snapshot.text, span: { start, end: start + quoted.length } };
  }

  /** Why a snapshot can't be used. */
  problemOf(uri: string): string | undefined {
    return this.disk.get(uri)?.problem;
  }

  #snapshotFor(flow: string): Snapshot | undefined {
    return this.#nearest(flow)?.[1];
  }

  #nearest(flow: string): readonly [uri: string, Snapshot] | undefined {
    for (const uri of this.disk.candidates(flow)) {
      const snapshot = this.disk.get(uri);
      if (snapshot) return [uri, snapshot];
    }
    return undefined;
  }
}

/** Only ASCII letters, so that no length changes. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function snapshotOf(text: string): Snapshot {
  const read = readSnapshot(text);
  return "problem" in read ? { text, problem: read.problem } : { text, tools: read };
}
