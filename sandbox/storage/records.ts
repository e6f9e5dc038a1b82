/** The record types of the tables: platform resources, plus the state needed to simulate them. */
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

/** A stored key, without the secret. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly salt: string;
  /** Hex SHA-256 of salt and key. A key has 256 random bits, so a slow hash isn't needed. */
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

/** The flow of an assistant revision. The store keeps its graph separately. */
export interface FlowRecord {
  readonly id: string;
  readonly agent_id: string;
  readonly workflow_enabled: boolean;
  readonly graph_version: number;
  readonly updated_at: string;
  /** All other fields of the revision, as returned. */
  readonly revision: WorkflowRevision;
  /** The compilation of the latest graph; missing until the first change. */
  readonly compile?: CompilePlan;
}

/** A compilation, planned when its graph is written: when it starts, when it ends, and its result. */
export interface CompilePlan {
  readonly task_id: string;
  readonly input_hash: string;
  readonly starts_at: number;
  readonly done_at: number;
  readonly errors: readonly string[];
}

/** The embedding spend of one knowledge base, with a row per day, source and embedding type. */
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
