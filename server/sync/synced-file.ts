/** The state of a synced flow file: its text on disk, the edits since then, and the platform's last response. */

import {
  editBetween,
  FlowDocument,
  type FlowEnvironment,
  type Graph,
  graphOf,
  type Problem,
  type RuleSettings,
  resolveNames,
  restoreNames,
  type TextEdit,
} from "../../flow";
import { CompileMessages } from "../../flow/compile";
import { composeEdits } from "../../flow/edit";
import { FileFindings, type PlatformFinding } from "../../flow/findings";
import type { KnownTools } from "../../flow/tools";
import type { GraphResult } from "../../platform";
import {
  type Known,
  localErrors,
  notCompared,
  type RevisionRecord,
  type Status,
  sinceVersion,
  type Target,
  targetOf,
} from "../../sync";

/** How many texts are kept during a save: the editor may change the text once or twice, and the user types on. */
const MAX_WRITTEN = 50;

export class SyncedFile {
  /** The texts between willSave and didSave, until the file was read after it: the editor may have written any of them. */
  #written: string[] = [];
  #isSaving = false;
  #saves = 0;
  /** The stamp of the last write if it was treated as an external change. */
  outside: string | undefined;
  /** The stamp of the write whose text was last read as `saved`. */
  seenOnDisk: string | undefined;
  /** The open text is older than the file: another program wrote it, and the editor hasn't reloaded it. */
  isBehind = false;
  /** The last save was of such an outdated text. */
  savedBehind = false;
  /** The editor's next save is our own merge. */
  savesMerge = false;
  /** The last auto-save is passed to its session after the push that is running. */
  hasDeferredAutosave = false;
  status: Status = { state: { kind: "unlinked", reason: "unread", message: notCompared() }, risks: [] };
  /** What the platform doesn't keep of it, as last reported. */
  notKept = "[]";
  readonly findings = new FileFindings();
  readonly compileMessages = new CompileMessages();
  #revision: RevisionRecord | undefined;
  /** The environment that the file is synced with; undefined if no project file lists it. */
  environment: FlowEnvironment | undefined;
  /** All environments that list the file. */
  environments: readonly FlowEnvironment[] = [];
  /** How many operations saving the open text would send, as last computed. */
  operations = 0;
  #saved = "";
  /** The edits of the open text since the last save, batch by batch. */
  #since: (readonly TextEdit[])[] = [];
  #target:
    | (Target & {
        readonly text: string;
        readonly rules: RuleSettings;
        readonly tools: KnownTools | undefined;
        readonly environment: FlowEnvironment | undefined;
      })
    | undefined;
  #result: GraphResult | undefined;
  /** The platform's graph that the result is for. */
  #about: Known | undefined;

  constructor(
    readonly uri: string,
    /** The open document, if the file is open. */
    private readonly live: () => FlowDocument | undefined,
  ) {}

  /** The text on disk when it was last opened or saved. */
  get saved(): string {
    return this.#saved;
  }

  set saved(text: string) {
    const now = this.live()?.text ?? text;
    const isOther = this.#saved !== text;
    // A file that isn't open has no edit events.
    if (this.#since.length === 0 && this.#saved !== now) this.findings.edit([editBetween(this.#saved, now)]);
    this.#saved = text;
    this.seenOnDisk = undefined;
    this.#since = text === now ? [] : [[editBetween(text, now)]];
    if (isOther) this.#place(text === now);
  }

  /** Whether there are no unsaved changes. */
  get isClean(): boolean {
    return this.#since.length === 0 || this.live()?.text === this.#saved;
  }

  /** The editor is about to write this text, or what it makes of it before it does, such as the formatted text. */
  willSave(text: string): void {
    this.#isSaving = true;
    this.#mayWrite(text);
  }

  /** The editor has written this text, or the one before the user typed on. */
  didSave(text: string): void {
    this.#mayWrite(text);
    this.#isSaving = false;
    this.#saves++;
    this.saved = text;
  }

  /** Whether the editor writes this text or may have written it at its last save. */
  isOwn(text: string): boolean {
    return this.#written.includes(text) || (this.#isSaving && this.live()?.text === text);
  }

  /** After a save, the file shows which of the texts the editor has written. */
  async readWritten(read: () => Promise<string | undefined>): Promise<void> {
    const saves = this.#saves;
    const onDisk = await read();
    // The file was saved again, and is read again for that save. What was read now may be the text before it.
    if (saves !== this.#saves) return;
    if (onDisk !== undefined && this.isOwn(onDisk) && onDisk !== this.saved) this.saved = onDisk;
    if (!this.#isSaving) this.#written = [];
  }

  /** Another program has written this text. */
  changedOutside(text: string): void {
    this.#isSaving = false;
    this.#written = [];
    this.saved = text;
  }

  #mayWrite(text: string): void {
    this.#written.push(text);
    if (this.#written.length > MAX_WRITTEN) this.#written.shift();
  }

  /** Called before the edits are applied. */
  edited(edits: readonly TextEdit[]): void {
    if (this.#isSaving) this.#mayWrite(this.live()?.text ?? "");
    this.#since.push(edits);
    // Compact, so the list stays bounded.
    if (this.#since.length >= 256)
      this.#since = [this.#since.reduce((before, next) => composeEdits(before, next, this.#saved.length))];
    this.findings.edit(edits);
    this.compileMessages.edit(edits);
    if (this.isBehind && this.live()?.text === this.#saved) this.isBehind = false;
  }

  /** Unsaved changes are gone; the text on disk counts. */
  closed(): void {
    const wasEdited = this.#since.length > 0;
    this.#since = [];
    if (wasEdited) this.#place();
    this.isBehind = false;
  }

  /** The saved text, if it's the open one: that's already parsed and checked. */
  get openSaved(): FlowDocument | undefined {
    const live = this.live();
    return live?.text === this.#saved ? live : undefined;
  }

  /** Parses the text, or returns the live document if it's the same: that's already parsed and checked. */
  read(text: string): FlowDocument {
    const live = this.live();
    return live?.text === text ? live : FlowDocument.read(text);
  }

  /** The target for a version of the file, computed once. */
  target(text: string, rules: RuleSettings, tools: KnownTools | undefined): Target {
    const { environment } = this;
    const known = this.#target;
    if (known?.text === text && known.rules === rules && known.tools === tools && known.environment === environment)
      return known;
    const target = targetOf(this.read(text), (each) => localErrors(each, rules, tools), environment);
    this.#target = { ...target, text, rules, tools, environment };
    return this.#target;
  }

  /** The graph of a document as it is pushed: with the values of the environment's names. */
  graphOf(document: FlowDocument): Graph {
    const graph = graphOf(document);
    return this.environment ? resolveNames(graph, this.environment.names) : graph;
  }

  /** A graph as the document writes it: with names. */
  withNames(graph: Graph, document: FlowDocument): Graph {
    return this.environment ? restoreNames(graph, graphOf(document), this.environment.names) : graph;
  }

  /** The platform's last answer. */
  get result(): GraphResult | undefined {
    return this.#result;
  }

  /** How many errors of the last answer still prevent the flow from running, as far as the file is unchanged. */
  get blockingErrors(): number | undefined {
    const { blocking_error_count: count } = this.#result ?? {};
    return count === undefined ? undefined : Math.max(0, count - this.findings.outdatedErrors);
  }

  /** Sets or clears the platform's answer about a version of its graph. False if there was nothing to clear. */
  setResult(result: GraphResult | undefined, about: Known | undefined): boolean {
    if (!result && !this.#result) return false;
    this.#result = result;
    this.#about = about;
    this.#place();
    return true;
  }

  /** Clears what the platform said about the revision that the file no longer names. False if there was nothing. */
  unlink(): boolean {
    const isKnown = this.#revision !== undefined;
    this.revision = undefined;
    return this.setResult(undefined, undefined) || isKnown;
  }

  /** The platform's findings in the open text. An edit that was undone, and other line endings, change none of them. */
  get problems(): Problem[] {
    const live = this.live();
    if (live && this.findings.isEdited && hasSameLines(live.text, this.#saved)) this.#placeIn(live);
    return this.findings.problems();
  }

  /** Places the findings in the saved text, and moves them to their positions in the open one. */
  #place(areOnText = false): void {
    const document = this.read(this.#saved);
    this.#placeIn(document, areOnText);
    for (const edits of this.#since) this.findings.edit(edits);
    this.#placeCompileMessages(document);
  }

  #placeIn(document: FlowDocument, areOnText = false): void {
    const found = (this.#result?.validation?.findings ?? []) as readonly PlatformFinding[];
    const since =
      found.length > 0 ? sinceVersion(this.#result?.graph_version, this.#about, this.graphOf(document)) : undefined;
    if (areOnText && since) this.findings.saved(document, since);
    else this.findings.set(found, document, since);
  }

  /** What the platform last said about the revision beside its graph. */
  get revision(): RevisionRecord | undefined {
    return this.#revision;
  }

  set revision(record: RevisionRecord | undefined) {
    const before = this.#revision?.compile;
    this.#revision = record;
    if (JSON.stringify(before) !== JSON.stringify(record?.compile)) this.#placeCompileMessages(this.read(this.#saved));
  }

  #placeCompileMessages(saved: FlowDocument): void {
    const { errors = [], warnings = [], version } = this.#revision?.compile ?? {};
    const isKnown = errors.length + warnings.length > 0 && version === this.#result?.graph_version;
    const since = isKnown && this.#about ? sinceVersion(version, this.#about, this.graphOf(saved)) : undefined;
    this.compileMessages.set({ errors, warnings }, saved, since);
    for (const edits of this.#since) this.compileMessages.edit(edits);
  }
}

/** Whether two texts differ at most in their line endings. */
function hasSameLines(text: string, other: string): boolean {
  if (text.includes("\r") === other.includes("\r")) return text === other;
  return text.replaceAll("\r\n", "\n") === other.replaceAll("\r\n", "\n");
}
