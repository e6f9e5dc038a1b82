/** Tool definitions for the flows of the workspace, from the nearest snapshot of each flow. */
import { TOOLS_FILE } from "../../flow";
import { KnownTools, readSnapshot } from "../../flow/tools";
import { NearestFiles } from "./nearest-files";
import type { Workspace } from "./workspace";

interface Snapshot {
  readonly text: string;
  readonly tools?: KnownTools;
  readonly problem?: string;
}

export class Tools {
  readonly disk: NearestFiles<Snapshot>;

  constructor(workspace: Workspace) {
    this.disk = new NearestFiles(TOOLS_FILE, workspace, snapshotOf, "in-repository");
  }

  /** Undefined if there is no usable snapshot. */
  toolsFor(flow: string): KnownTools | undefined {
    return this.#snapshotFor(flow)?.tools;
  }

  /** The snapshot's text, for the thread that checks files that aren't open. */
  textFor(flow: string): string | undefined {
    const snapshot = this.#snapshotFor(flow);
    return snapshot?.tools && snapshot.text;
  }

  /** Why a snapshot can't be used. */
  problemOf(uri: string): string | undefined {
    return this.disk.get(uri)?.problem;
  }

  #snapshotFor(flow: string): Snapshot | undefined {
    for (const key of this.disk.candidates(flow)) {
      const snapshot = this.disk.get(key);
      if (snapshot) return snapshot;
    }
    return undefined;
  }
}

function snapshotOf(text: string): Snapshot {
  const read = readSnapshot(text);
  return "problem" in read ? { text, problem: read.problem } : { text, tools: new KnownTools([read]) };
}
