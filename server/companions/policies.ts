/**
 * Policies of the workspace's flows. For each flow the nearest policy file counts, in its folder or above, with its live
 * text where it is open. Judging is bounded in time: what takes longer goes on between other requests and is told then.
 */
import path from "node:path";
import { today } from "../../files/suite";
import { type FlowDocument, POLICY_FILE, type Problem, type RuleSettings } from "../../flow";
import {
  FlowPolicies,
  inForce,
  MAX_POLICY_LENGTH,
  type Policy,
  type PolicyFile,
  readPolicyFile,
} from "../../flow/policy";
import { FLOW_WORK, type FlowOf, Work } from "../../flow/run";
import { pathOf } from "../protocol/uris";
import type { DigestOptions } from "../workspace/digest";
import { NearestFiles } from "../workspace/nearest-files";
import type { Workspace } from "../workspace/workspace";
import type { Companions } from "./companion-files";

/** As long as a keystroke may wait for verdicts, and as long as anything else may wait for those that are left. */
const BUDGET_MS = 25;
const SLICE_MS = 8;

export interface NearestPolicies {
  readonly uri: string;
  readonly file: PolicyFile;
}

export class Policies {
  readonly disk: NearestFiles<PolicyFile>;
  readonly #read = new WeakMap<object, PolicyFile>();
  readonly #checked = new WeakMap<FlowDocument, FlowPolicies>();
  readonly #goingOn = new WeakSet<FlowDocument>();

  constructor(
    workspace: Workspace,
    private readonly companions: Companions,
    private readonly components: FlowOf,
    /** More is known of a flow than it was when its problems were asked for. */
    private readonly onMore: (document: FlowDocument) => void,
    /** Whether the client learns of it: others get every verdict at once, however long that takes. */
    private readonly canTellLater: () => boolean = () => true,
  ) {
    this.disk = new NearestFiles(POLICY_FILE, workspace, readPolicyFile);
  }

  /** The policy file that counts for a flow. */
  fileFor(flow: string): NearestPolicies | undefined {
    for (const key of this.disk.candidates(flow)) {
      const open = this.companions.get(key);
      const file = open ? this.read(open.document) : this.disk.get(key);
      if (file) return { uri: open?.uri ?? key, file };
    }
    return undefined;
  }

  /** What was read of a live text. */
  read(document: { readonly text: string }): PolicyFile {
    const known = this.#read.get(document);
    if (known && known.text === document.text) return known;
    const file = readPolicyFile(document.text);
    this.#read.set(document, file);
    return file;
  }

  policiesFor(flow: string): readonly Policy[] {
    const nearest = this.fileFor(flow);
    return nearest ? inForce(nearest.file.policies, pathFrom(nearest.uri, flow), today()) : [];
  }

  /** What the thread that checks files on disk has to know of the policies of one. */
  digestPolicies(flow: string): DigestOptions["policies"] {
    for (const key of this.disk.candidates(flow)) {
      const file = this.disk.get(key);
      if (!file) continue;
      if (file.text.length > MAX_POLICY_LENGTH) return undefined;
      // What is kept of files is good for as long as nothing of this changes, so the day is part of it only where it matters.
      const isDated = file.policies.some(({ exceptions }) => exceptions.length > 0);
      return { text: file.text, path: pathFrom(key, flow), uri: key, today: isDated ? today() : "" };
    }
    return undefined;
  }

  /** What is broken in a flow, as far as it is known in time. */
  problems(uri: string, document: FlowDocument, settings: RuleSettings): Problem[] {
    const policies = this.policiesFor(uri);
    const nearest = this.fileFor(uri);
    if (policies.length === 0 || !nearest) return [];
    const checked = this.judgedOf(document);
    const work = new Work(FLOW_WORK);
    const isTimeUp = this.canTellLater() ? within(BUDGET_MS) : undefined;
    if (!checked.update(policies, isTimeUp, work)) this.#goOn(uri, document, checked, work);
    return checked.problems(policies, settings, { uri: nearest.uri, text: nearest.file.text });
  }

  /** The verdicts of a flow, kept while it stays. */
  judgedOf(document: FlowDocument): FlowPolicies {
    let checked = this.#checked.get(document);
    if (!checked) {
      checked = new FlowPolicies(document, this.components);
      this.#checked.set(document, checked);
    }
    return checked;
  }

  #goOn(uri: string, document: FlowDocument, checked: FlowPolicies, work: Work): void {
    if (this.#goingOn.has(document)) return;
    this.#goingOn.add(document);
    const step = () => {
      if (!checked.update(this.policiesFor(uri), within(SLICE_MS), work)) setImmediate(step);
      else {
        this.#goingOn.delete(document);
        this.onMore(document);
      }
    };
    setImmediate(step);
  }
}

function within(ms: number): () => boolean {
  const until = performance.now() + ms;
  return () => performance.now() > until;
}

/** The path of a flow from the folder of a policy file, with slashes. */
export function pathFrom(file: string, flow: string): string {
  const [from, to] = [pathOf(file) ?? file, pathOf(flow) ?? flow];
  return path.relative(path.dirname(from), to).split(path.sep).join("/");
}
