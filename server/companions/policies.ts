/**
 * Policies of the workspace's flows. The nearest policy file applies to a flow, in its folder or above, with its live
 * text if it is open. Checking is limited in time: the rest runs between other requests and is reported then.
 */
import { today } from "../../files/suite";
import { type FlowDocument, getOrCreate, POLICY_FILE, type Problem, type RuleSettings } from "../../flow";
import {
  FlowPolicies,
  inForce,
  MAX_POLICY_LENGTH,
  type Policy,
  type PolicyFile,
  readPolicyFile,
} from "../../flow/policy";
import { FLOW_WORK, type FlowOf, Work } from "../../flow/run";
import { path } from "../../system";
import { pathOf } from "../protocol/uris";
import type { DigestOptions } from "../workspace/digest";
import { NearestFiles } from "../workspace/nearest-files";
import type { Workspace } from "../workspace/workspace";
import type { Companions } from "./companion-files";

/** How long a keystroke may wait for verdicts, and how long one slice of the remaining work may take. */
const BUDGET_MS = 25;
const SLICE_MS = 8;

export interface NearestPolicies {
  readonly uri: string;
  readonly file: PolicyFile;
}

export class Policies {
  readonly disk: NearestFiles<PolicyFile>;
  readonly #checked = new WeakMap<FlowDocument, FlowPolicies>();
  readonly #pending = new WeakSet<FlowDocument>();

  constructor(
    workspace: Workspace,
    private readonly companions: Companions,
    private readonly components: FlowOf,
    /** Called when more verdicts of a flow are known than at the last request. */
    private readonly onMore: (document: FlowDocument) => void,
    /** Whether the client supports later updates; otherwise it gets every verdict at once, however long that takes. */
    private readonly canUpdateLater: () => boolean = () => true,
  ) {
    this.disk = new NearestFiles(POLICY_FILE, workspace, readPolicyFile);
  }

  /** The policy file that applies to a flow. */
  fileFor(flow: string): NearestPolicies | undefined {
    const found = this.companions.nearestTo(flow, this.disk);
    return found && { uri: found.uri, file: found.content };
  }

  policiesFor(flow: string): readonly Policy[] {
    const nearest = this.fileFor(flow);
    return nearest ? inForce(nearest.file.policies, pathFrom(nearest.uri, flow), today()) : [];
  }

  /** The policy options for the thread that checks files on disk. */
  digestPolicies(flow: string): DigestOptions["policies"] {
    for (const key of this.disk.candidates(flow)) {
      const file = this.disk.get(key);
      if (!file) continue;
      if (file.text.length > MAX_POLICY_LENGTH) return undefined;
      return { text: file.text, path: pathFrom(key, flow), uri: key, today: today() };
    }
    return undefined;
  }

  /** The violations in a flow that are known in time. */
  problems(uri: string, document: FlowDocument, settings: RuleSettings): Problem[] {
    const policies = this.policiesFor(uri);
    const nearest = this.fileFor(uri);
    if (policies.length === 0 || !nearest) return [];
    const checked = this.judgedOf(document);
    const work = new Work(FLOW_WORK);
    const isTimeUp = this.canUpdateLater() ? within(BUDGET_MS) : undefined;
    if (!checked.update(policies, isTimeUp, work)) this.#continueLater(uri, document, checked, work);
    return checked.problems(policies, settings, { uri: nearest.uri, text: nearest.file.text });
  }

  /** The verdicts of a flow, cached until it changes. */
  judgedOf(document: FlowDocument): FlowPolicies {
    return getOrCreate(this.#checked, document, () => new FlowPolicies(document, this.components));
  }

  #continueLater(uri: string, document: FlowDocument, checked: FlowPolicies, work: Work): void {
    if (this.#pending.has(document)) return;
    this.#pending.add(document);
    const step = () => {
      if (!checked.update(this.policiesFor(uri), within(SLICE_MS), work)) setImmediate(step);
      else {
        this.#pending.delete(document);
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

/** The path of a flow relative to the folder of a policy file, with slashes. */
export function pathFrom(file: string, flow: string): string {
  const [from, to] = [pathOf(file) ?? file, pathOf(flow) ?? flow];
  return path.relative(path.dirname(from), to).split(path.sep).join("/");
}
