/** The tool definitions for a flow: from the nearest snapshot, in its folder or above. Each is read once. */
import { type FileScope, isBelow, NearestFile } from "../../files";
import { TOOLS_FILE } from "../../flow";
import { readSnapshot, type ToolDefinitions, unreadableSnapshot } from "../../flow/tools";
import { fileReason } from "../files/file-error";
import { cached } from "./policy-files";

interface Snapshot {
  readonly tools?: ToolDefinitions;
  readonly problem?: string;
}

export class ToolSnapshots {
  readonly #nearest = new NearestFile(TOOLS_FILE);
  readonly #snapshots = new Map<string, Promise<Snapshot>>();

  /** A snapshot above the repository, or above the folder that was named, isn't read. */
  constructor(private readonly scope: FileScope) {}

  /** Undefined if there is no usable snapshot. */
  async definitionsFor(flow: string): Promise<ToolDefinitions | undefined> {
    const file = await this.#fileFor(flow);
    return file === undefined ? undefined : (await this.#read(file)).tools;
  }

  /** The snapshots that count for some flows. */
  async filesOf(flows: readonly string[]): Promise<string[]> {
    const files = await Promise.all(flows.map((flow) => this.#fileFor(flow)));
    return [...new Set(files.flatMap((file) => file ?? []))].sort();
  }

  /** Why a snapshot can't be used; undefined if it can. */
  async problemOf(file: string): Promise<string | undefined> {
    return (await this.#read(file)).problem;
  }

  async #fileFor(flow: string): Promise<string | undefined> {
    const file = await this.#nearest.to(flow);
    return file !== undefined && isBelow(file, [await this.scope.homeOf(flow)]) ? file : undefined;
  }

  #read(file: string): Promise<Snapshot> {
    return cached(this.#snapshots, file, () => this.#readNow(file));
  }

  async #readNow(file: string): Promise<Snapshot> {
    let text: string;
    try {
      text = await this.scope.read(file);
    } catch (error) {
      return unreadableSnapshot(fileReason(error as Error));
    }
    const read = readSnapshot(text);
    return "problem" in read ? read : { tools: read };
  }
}
