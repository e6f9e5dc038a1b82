/** What the tables hold. Records are the platform's resources, plus what the sandbox must know to bring them to life. */
import type { Assistant, CallingWorkflow, ReviewRequest, WebhookEventType, WorkflowRevision } from "../../platform";
import type { CallPlan, ExecutionPlan } from "../calling/life";

export interface Tables {
  readonly keys: KeyRecord;
  readonly assistants: AssistantRecord;
  readonly flows: FlowRecord;
  readonly reviews: ReviewRequest;
  readonly workflows: CallingWorkflow;
  readonly executions: ExecutionPlan;
  readonly calls: CallPlan;
  readonly spend: SpendRecord;
  readonly events: WebhookEventType;
}

/** A key without the key: what is stored cannot be used to call anything. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly salt: string;
  /** SHA-256 of salt and key, in hex. A key is 256 random bits, so a slow hash would add nothing. */
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface AssistantRecord {
  readonly archived: boolean;
  readonly assistant: Assistant & { readonly active_revision_id: string };
}

/** The flow of an assistant revision. Its graph is kept beside it by the store. */
export interface FlowRecord {
  readonly id: string;
  readonly agent_id: string;
  readonly workflow_enabled: boolean;
  readonly graph_version: number;
  readonly updated_at: string;
  /** Every other field of the revision, as it is answered. */
  readonly revision: WorkflowRevision;
  /** The compile of the newest graph; absent until the first change. */
  readonly compile?: CompilePlan;
}

/** A compile is planned when its graph is written: when it will run, when it will be done and what it will say. */
export interface CompilePlan {
  readonly task_id: string;
  readonly input_hash: string;
  readonly starts_at: number;
  readonly done_at: number;
  readonly errors: readonly string[];
}

/** One knowledge base's embedding spend, a row for each day, source and embedding type. */
export interface SpendRecord {
  readonly kb_id: string;
  readonly days: readonly SpendDay[];
}

export interface SpendDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly source: string;
  readonly embedding_type: string;
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly invocations: number;
  readonly failed: number;
}
