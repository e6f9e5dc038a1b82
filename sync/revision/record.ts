/**
 * What the platform's answers say about a revision beside its graph: compile result, tools, name and models. It is kept in
 * the state folder for other windows and the command line. Nothing that can hold a secret is copied here.
 */
import { type CompileResult, compileResult, isFinal } from "../../flow/compile";
import { type ToolDefinitions, toolsOfRevision } from "../../flow/tools";
import type { GraphResult, ModelSettings, WorkflowRevision } from "../../platform";
import type { StateStore } from "../../system";
import type { Identity } from "../environment";
import { KeptFiles, latestOnly, type MaybeConnected } from "../journal/kept-files";

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
  readonly #write = latestOnly((text: string) => this.state.replace(this.file, text));
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
    return files.nameFor(this.identity);
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
    if (text !== this.#written && !this.isReadOnly) {
      this.#written = text;
      this.#writing = this.#write(text);
      this.#writing.catch(() => {
        this.#written = ""; // Written again with the next answer; `saved` reports the error.
      });
    }
    return isChanged;
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
export function lastRevision(state: StateStore, identity: MaybeConnected): Promise<RevisionRecord | undefined> {
  return files.read(state, identity);
}

const files = new KeptFiles<RevisionRecord>(".revision", (kept): kept is RevisionRecord => {
  const hasTools = kept?.tools === undefined || Array.isArray(kept.tools?.tools);
  return Array.isArray(kept?.compile?.errors) && Array.isArray(kept.compile.warnings) && hasTools;
});

/**
 * What a revision says about itself, in the platform's field names. Only listed fields are copied: instructions, the
 * configuration of the trigger and the values of defaults can hold secrets.
 */
interface RevisionDetails {
  readonly description?: string;
  readonly compilation_strategy?: string;
  readonly trigger_type?: string;
  readonly analyzer_model_settings?: Readonly<Record<string, unknown>>;
  readonly router_model_settings?: Readonly<Record<string, unknown>>;
  readonly knowledge_base_ids?: readonly string[];
  readonly policy_ids?: readonly string[];
  /** Names only. */
  readonly tool_input_defaults?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
}

const TEXTS = ["description", "compilation_strategy", "trigger_type"] as const;
const LISTS = ["knowledge_base_ids", "policy_ids"] as const;
const TIMES = ["created_at", "updated_at"] as const;
const SETTINGS = [
  "temperature",
  "max_tokens",
  "top_p",
  "stop_sequences",
  "reasoning_effort",
  "request_timeout_ms",
  "thinking_budget",
] as const;

function revisionDetails(revision: WorkflowRevision): RevisionDetails {
  const texts = (names: readonly (keyof WorkflowRevision)[]) =>
    names.flatMap((name) => (isText(revision[name]) ? [[name, revision[name]]] : []));
  const { analyzer_model_settings: analyzer, router_model_settings: router, tool_input_defaults: defaults } = revision;
  return {
    ...Object.fromEntries(texts(TEXTS)),
    ...(analyzer && { analyzer_model_settings: settingsOf(analyzer) }),
    ...(router && { router_model_settings: settingsOf(router) }),
    ...Object.fromEntries(
      LISTS.flatMap((name) => (Array.isArray(revision[name]) ? [[name, revision[name].filter(isText)]] : [])),
    ),
    ...(defaults && { tool_input_defaults: Object.keys(defaults) }),
    ...Object.fromEntries(texts(TIMES)),
  };
}

function settingsOf({ model, config }: ModelSettings): Record<string, unknown> {
  const settings = SETTINGS.flatMap((name) => {
    const value = config?.[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return { ...(model !== undefined && { model }), ...Object.fromEntries(settings) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
