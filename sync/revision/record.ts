/**
 * What the platform's answers say about a revision beside its graph: compile result, tools, name and models. It is kept in
 * the state folder for other windows and the command line. Nothing that can hold a secret is copied here.
 */
import { type CompileResult, compileResult, isFinal } from "../../flow/compile";
import { type ToolDefinitions, toolsOfRevision } from "../../flow/tools";
import type { GraphResult, WorkflowRevision } from "../../platform";
import type { StateStore } from "../../system";
import type { Identity } from "../environment";
import { fileNameOf } from "../journal/journal";
import { type RevisionDetails, revisionDetails } from "./details";
import { newestOf, readKept } from "./kept-files";

export interface RevisionRecord {
  readonly of: Identity;
  /** The newest version of the graph that was seen. */
  readonly version?: number;
  readonly name?: string;
  readonly details?: RevisionDetails;
  readonly compile: CompileResult;
  /** Undefined if the platform doesn't list them. */
  readonly tools?: ToolDefinitions;
  /** Whether the platform executes the flow; only answers to batches say so. */
  readonly workflowEnabled?: boolean;
}

/** What both answers to batches and reads of a revision say. */
export type RevisionAnswer = Pick<GraphResult, "revision" | "graph_version" | "workflow_enabled">;

/** Keeps the record of one revision up to date. With `isReadOnly`, nothing is written to disk. */
export class RevisionKeeper {
  #record: RevisionRecord | undefined;
  #written = "";
  #writing: Promise<void> | undefined;
  #isFresh = false;
  #qualityReport: unknown;
  #revision: WorkflowRevision | undefined;
  /** The result before the last push, until it is known whether the push was compiled. */
  #beforePush: CompileResult | undefined;

  constructor(
    private readonly state: StateStore,
    readonly identity: Identity,
    private readonly isReadOnly = false,
  ) {}

  get record(): RevisionRecord | undefined {
    return this.#record;
  }

  /** The last report that was seen. It is never written to disk: nothing is known about its content. */
  get qualityReport(): unknown {
    return this.#qualityReport;
  }

  /** Whether the platform was seen since this keeper exists. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** Reads what this or another program has kept, if it says more than what was seen here. True if the record changed. */
  async load(): Promise<boolean> {
    const kept = await lastRevision(this.state, this.identity);
    if (!kept || (this.#record && !isNewer(kept, this.#record))) return false;
    this.#record = kept;
    this.#written = JSON.stringify(kept);
    return true;
  }

  /** The answer to a batch, which always has the newest version. True if the record changed. */
  answered(result: RevisionAnswer): boolean {
    const { revision, graph_version, workflow_enabled } = result;
    if (!revision) return false;
    this.#isFresh = true;
    const version = graph_version ?? revision.graph_version;
    const known = version === undefined ? revision : { ...revision, graph_version: version };
    this.#beforePush = this.#record?.compile;
    return this.#update(known, workflow_enabled);
  }

  /** A revision that was read. A stale replica says nothing about the newest version. Returns whether the record changed. */
  read(revision: WorkflowRevision): boolean {
    const known = this.#record?.version;
    this.#isFresh = true;
    if (known !== undefined && (revision.graph_version ?? known) < known) return false;
    return this.#update(revision, undefined);
  }

  /** The platform keeps to its result, so it is that of the newest version. True if the record changed. */
  settled(): boolean {
    this.#beforePush = undefined;
    return this.#revision !== undefined && this.#update(this.#revision, undefined);
  }

  /** The name of the file in the state folder. */
  get file(): string {
    return nameOf(this.identity);
  }

  /** Resolves when everything is on disk. */
  async saved(): Promise<void> {
    await this.#writing;
  }

  #update(revision: WorkflowRevision, enabled: boolean | undefined): boolean {
    const before = this.#record;
    this.#qualityReport = revision.quality_report;
    this.#revision = revision;
    const next = recordOf(this.identity, revision, before, this.#beforePush, enabled);
    if (next.compile.state === "running") this.#beforePush = undefined;
    const text = JSON.stringify(next);
    const isChanged = before === undefined || text !== JSON.stringify(before);
    if (isChanged) this.#record = next;
    if (text !== this.#written && !this.isReadOnly) this.#write();
    return isChanged;
  }

  /** One write at a time: the last record counts. */
  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    this.#writing.catch(() => undefined); // Reported by `saved`.
  }

  async #writeAll(): Promise<void> {
    for (let text = JSON.stringify(this.#record); text !== this.#written; text = JSON.stringify(this.#record)) {
      await this.state.replace(this.file, text);
      this.#written = text;
    }
  }
}

function isNewer(one: RevisionRecord, other: RevisionRecord): boolean {
  const [version = -1, known = -1] = [one.version, other.version];
  return version === known ? isFinal(one.compile) && !isFinal(other.compile) : version > known;
}

function recordOf(
  of: Identity,
  revision: WorkflowRevision,
  before: RevisionRecord | undefined,
  beforePush: CompileResult | undefined,
  enabled: boolean | undefined,
): RevisionRecord {
  const { name, graph_version: version } = revision;
  const tools = Array.isArray(revision.tools) ? toolsOfRevision(revision, of.revision) : undefined;
  // The same object for the same tools, so that what depends on them isn't computed again.
  const isSame = before?.tools && JSON.stringify(before.tools) === JSON.stringify(tools);
  const workflowEnabled = enabled ?? before?.workflowEnabled;
  return {
    of,
    ...(version !== undefined && { version }),
    ...(name !== undefined && { name }),
    details: revisionDetails(revision),
    compile: compileResult(revision, beforePush),
    ...(tools && { tools: isSame ? before.tools : tools }),
    ...(workflowEnabled !== undefined && { workflowEnabled }),
  };
}

/** The last record of a revision; without a connection, that of any platform. */
export async function lastRevision(
  state: StateStore,
  { connection, assistant, revision }: Omit<Identity, "connection"> & { readonly connection: string | undefined },
): Promise<RevisionRecord | undefined> {
  if (connection !== undefined) return readKept(state, nameOf({ connection, assistant, revision }), isWhole);
  return newestOf(state, ENDING, { assistant, revision }, isWhole);
}

function isWhole(kept: Partial<RevisionRecord> | null): kept is RevisionRecord {
  const hasTools = kept?.tools === undefined || Array.isArray(kept.tools?.tools);
  return Array.isArray(kept?.compile?.errors) && Array.isArray(kept.compile.warnings) && hasTools;
}

const ENDING = ".revision";

function nameOf(identity: Identity): string {
  return `${fileNameOf(identity)}${ENDING}`;
}
