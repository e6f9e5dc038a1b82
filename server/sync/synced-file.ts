/** What is known of one flow file that is synced: its text on disk, what was typed since, and what the platform said of it. */

import { FlowDocument, graphOf, type RuleSettings, type TextEdit } from "../../flow";
import { composeEdits } from "../../flow/edit";
import { FileFindings, type PlatformFinding } from "../../flow/findings";
import type { GraphResult } from "../../platform";
import { type Known, localErrors, notCompared, type Status, sinceVersion, type Target, targetOf } from "../../sync";
import { wholeEdit } from "../protocol/to-protocol";

export class SyncedFile {
  /** Which write of the file was taken for a change from outside, if the last one was. */
  outside: string | undefined;
  /** The write of the file whose text was last seen to be `saved`. */
  seenOnDisk: string | undefined;
  /** The open text is older than the file: another program wrote it, and the editor hasn't reloaded it. */
  isBehind = false;
  /** What was saved last is such a text. */
  savedBehind = false;
  /** What its editor saves now is what we merged into it. */
  savesMerge = false;
  /** Its last autosave is told to its sync once the push that is under way has ended. */
  waitsToBeTold = false;
  status: Status = { state: { kind: "unlinked", message: notCompared() }, risks: [] };
  /** What the platform did not keep of it when that was last told. */
  notKept = "[]";
  readonly findings = new FileFindings();
  /** How many operations a save of the open text would send, as far as was worked out. */
  operations = 0;
  #saved = "";
  /** The edits made to the open text since then, batch by batch. */
  #since: (readonly TextEdit[])[] = [];
  #target: (Target & { readonly text: string; readonly rules: RuleSettings }) | undefined;
  #result: GraphResult | undefined;
  /** The platform's graph that the result is about. */
  #about: Known | undefined;

  constructor(
    readonly uri: string,
    /** The open document, where the file is open. */
    private readonly live: () => FlowDocument | undefined,
  ) {}

  /** The text on disk as far as we know: what was opened or saved last. */
  get saved(): string {
    return this.#saved;
  }

  set saved(text: string) {
    const now = this.live()?.text ?? text;
    const isOther = this.#saved !== text;
    // Nobody tells what is edited in a file while it is not open.
    if (this.#since.length === 0 && this.#saved !== now) this.findings.edit([wholeEdit(this.#saved, now)]);
    this.#saved = text;
    this.seenOnDisk = undefined;
    this.#since = text === now ? [] : [[wholeEdit(text, now)]];
    if (isOther) this.#place(text === now);
  }

  /** Nothing was typed that is not saved. */
  get isClean(): boolean {
    return this.#since.length === 0 || this.live()?.text === this.#saved;
  }

  edited(edits: readonly TextEdit[]): void {
    this.#since.push(edits);
    // A day's typing without a save must not be a day's list.
    if (this.#since.length >= 256)
      this.#since = [this.#since.reduce((before, next) => composeEdits(before, next, this.#saved.length))];
    this.findings.edit(edits);
    if (this.isBehind && this.live()?.text === this.#saved) this.isBehind = false;
  }

  /** The text that was never saved is gone; what is on disk counts. */
  closed(): void {
    const wasEdited = this.#since.length > 0;
    this.#since = [];
    if (wasEdited) this.#place();
    this.isBehind = false;
  }

  /** The document of a text: the live one where it says the same, because it is read and checked already. */
  read(text: string): FlowDocument {
    const live = this.live();
    return live?.text === text ? live : FlowDocument.read(text);
  }

  /** What a text of the file says, worked out once for all that ask. */
  target(text: string, rules: RuleSettings): Target {
    if (this.#target?.text !== text || this.#target.rules !== rules) {
      const document = this.read(text);
      this.#target = { ...targetOf(document, (each) => localErrors(each, rules)), text, rules };
    }
    return this.#target;
  }

  /** The platform's last answer. */
  get result(): GraphResult | undefined {
    return this.#result;
  }

  /** How many errors of the last answer still keep the flow from running, as far as the file is unchanged. */
  get blockingErrors(): number | undefined {
    const { blocking_error_count: count } = this.#result ?? {};
    return count === undefined ? undefined : Math.max(0, count - this.findings.outdatedErrors);
  }

  /** Takes the platform's answer about a version of its graph, or forgets it. False: there was nothing to forget. */
  take(result: GraphResult | undefined, about: Known | undefined): boolean {
    if (!result && !this.#result) return false;
    this.#result = result;
    this.#about = about;
    this.#place();
    return true;
  }

  /** Places the findings in the saved text, and moves them to where they are in the open one. */
  #place(areOnText = false): void {
    const found = (this.#result?.validation?.findings ?? []) as readonly PlatformFinding[];
    const document = this.read(this.#saved);
    const since =
      found.length > 0 ? sinceVersion(this.#result?.graph_version, this.#about, graphOf(document)) : undefined;
    if (areOnText && since) this.findings.saved(document, since);
    else this.findings.set(found, document, since);
    for (const edits of this.#since) this.findings.edit(edits);
  }
}
