/**
 * Our own messages between the language server and the VS Code extension. Both sides import this file; it imports types
 * only, so neither side bundles the other's protocol library.
 */

import type { HttpRequest, SendAnswer } from "../platform/transport";
import type { ConflictView, TextPosition, TextRange } from "./conflict-views";
import type { ConnectionInfo, EnvironmentView } from "./environment-views";

export type { ConflictView, TextPosition, TextRange } from "./conflict-views";
export type { ConnectionInfo, EnvironmentView } from "./environment-views";

/** A request by its name, with the types of its parameters and result. */
export interface Message<Params, Result> {
  readonly method: string;
  readonly types?: (params: Params) => Result;
}

/** Sends a message over either side's connection, with the types of the message. `token` cancels it. */
export function ask<Params, Result>(
  connection: { sendRequest(method: string, params: unknown, token?: object): Promise<unknown> },
  message: Message<Params, Result>,
  params: Params,
  token?: object,
): Promise<Result> {
  const { method } = message;
  const sent = token ? connection.sendRequest(method, params, token) : connection.sendRequest(method, params);
  return sent as Promise<Result>;
}

/**
 * Node options the extension starts the server with. Opening a file keeps nearly everything it allocates, so garbage
 * collection during that time frees little: the young generation has its full size from the start, and the old one
 * isn't collected before it has as many objects as a file of 10,000 nodes needs. A larger young generation saves no
 * time and uses a hundred megabytes more. Two of Node's four helper threads are enough: a collection waits for all of
 * them, and on a small or busy machine they wait for each other.
 */
export const serverNodeOptions: readonly string[] = [
  "--min-semi-space-size=8",
  "--max-semi-space-size=8",
  "--initial-old-space-size=64",
  "--v8-pool-size=2",
];

/**
 * Server to client: send this request to the platform at this URL. Only the client has the key; if its connection has
 * changed, it sends nothing and answers with `no-connection`.
 */
export const SendRequest: Message<
  {
    readonly address: string;
    readonly request: HttpRequest;
    readonly timeoutMs?: number;
    /** The request is for an environment, so any connection with this URL may be used. */
    readonly anyConnection?: true;
  },
  SendAnswer
> = { method: "assistantFlow/send" };

/**
 * Initialization options of the server. All of them are optional, so any editor can start it. `assistantFlow/connection`
 * reports changes of the connection.
 */
export interface InitializationOptions extends ConnectionInfo {
  /**
   * Where journals are stored; defaults to the folder that all editors and the command line share (`stateDirectory`).
   */
  readonly stateDir?: string;
  /** True if the client answers `assistantFlow/send`; otherwise the server sends requests itself. */
  readonly clientTransport?: boolean;
  /** The name of this window, shown to other windows that wait for its lock. */
  readonly label?: string;
  /** Commands that the client supports. A code lens is offered only if its command is listed. */
  readonly commands?: readonly ClientCommand[];
  /** The URI of the folder with the program and its documentation; only needed in a browser. */
  readonly installed?: string;
  /** The client shows the read-only documents of `toolUri`. */
  readonly toolDocuments?: boolean;
  /** Translations of the server's messages by their English text. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Client commands used in the server's responses; read-requests.ts has their arguments. */
export type ClientCommand =
  | "editor.action.triggerSuggest"
  | "assistantFlow.showReferences"
  | "assistantFlow.playPath"
  | "assistantFlow.createTest"
  | "assistantFlow.debugTest"
  | "assistantFlow.plan"
  | "assistantFlow.openPreview"
  | "assistantFlow.showAdvice"
  | "assistantFlow.applyFix"
  | "assistantFlow.restoreAssistant";
/**
 * Client to server: the graph of a flow's current text, compared with the last sync or with the text of another
 * version. `shown` is the text of an earlier version that is shown instead of the current one.
 */
export const GraphRequest: Message<
  { readonly uri: string; readonly other?: string; readonly shown?: string },
  GraphView | null
> = {
  method: "assistantFlow/graph",
};

/** Client to server: an element's text in another version and in the shown one, for a word diff; null if neither has it. */
export const ComparedTextsRequest: Message<
  { readonly uri: string; readonly other: string; readonly shown?: string; readonly element: ComparedElement },
  readonly TextRun[] | null
> = { method: "assistantFlow/comparedTexts" };

/** By its ID, or by its key if there is only one. */
export interface ComparedElement {
  readonly what: "node" | "variable" | "top";
  readonly id: string;
}

export interface TextRun {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Client to server: the element at a position, so the graph page can follow the cursor. */
export const ElementAtRequest: Message<{ readonly uri: string; readonly position: TextPosition }, GraphElement | null> =
  {
    method: "assistantFlow/elementAt",
  };

/** Client to server: the position of a graph element in the text. */
export const PlaceOfRequest: Message<{ readonly uri: string; readonly element: GraphElement }, TextRange | null> = {
  method: "assistantFlow/placeOf",
};

/** Client to server: the hover text of a node, as plain text. */
export const DescribeRequest: Message<{ readonly uri: string; readonly id: string }, string> = {
  method: "assistantFlow/describe",
};

/** Client to server: the text edits for an edit in the graph and the version they are for, or why it isn't possible. */
export const GraphEditRequest: Message<
  { readonly uri: string; readonly edit: GraphEdit },
  | {
      readonly edits: readonly { readonly range: TextRange; readonly newText: string }[];
      readonly version: number;
    }
  | { readonly problem: string }
> = { method: "assistantFlow/graphEdit" };

/** Client to server: the flow as a Mermaid flowchart. */
export const MermaidRequest: Message<{ readonly uri: string }, string> = { method: "assistantFlow/mermaid" };

export type GraphElement =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "edge"; readonly node: string; readonly id: string };

/** What the user can do to the flow on the graph page. */
export type GraphEdit =
  | { readonly kind: "rename"; readonly id: string; readonly name: string }
  | { readonly kind: "add-after"; readonly id: string; readonly name: string; readonly type: string }
  | { readonly kind: "connect"; readonly from: string; readonly to: string; readonly when?: string }
  | { readonly kind: "delete"; readonly element: GraphElement }
  | { readonly kind: "set-entry"; readonly id: string };

export interface GraphView {
  /** The version of the document this was made from. */
  readonly version: number;
  readonly entry: string | undefined;
  readonly nodes: readonly GraphViewNode[];
  readonly edges: readonly GraphViewEdge[];
  /** Parts of the file can't be parsed; the graph shows the rest. */
  readonly broken: boolean;
  /** Whether changes are marked, compared with the last sync or another version. */
  readonly compared: boolean;
  /** The differences from the requested version; or why they are unknown, as the end of a sentence. */
  readonly comparison?: { readonly changes: readonly GraphChange[] } | { readonly problem: string };
}

/** The differences in one element. */
export interface GraphChange {
  readonly kind: "added" | "removed" | "changed" | "moved";
  readonly what: "node" | "edge" | "variable" | "persona" | "entry" | "outputs";
  readonly id: string;
  /** Its display name; empty if there is only one of its kind. */
  readonly label: string;
  /** The fields that differ, if both versions have the element. */
  readonly fields: readonly string[];
  /** The element in the graph. */
  readonly element?: GraphElement;
}

/** What the page adds to an element. */
interface PageMarks {
  /** The text can't be parsed now, so this is its last valid state. */
  readonly unread?: boolean;
  /** Test coverage. */
  readonly cover?: "covered" | "missing" | "unreachable";
  /** The current node of a run, its path, or its possible next steps. */
  readonly way?: "here" | "passed" | "open";
}

export interface GraphViewNode extends PageMarks {
  readonly id: string;
  readonly type: string | undefined;
  readonly name: string | undefined;
  /** The name of the tool that the node calls, if it is known. */
  readonly tool: string | undefined;
  /** The first line of the node's text. */
  readonly text: string | undefined;
  readonly terminal: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly hints: number;
  readonly sets: readonly string[];
  readonly reads: readonly string[];
  readonly change: GraphChange["kind"] | undefined;
  /** Set by the page: recorded calls; `share` is of those that could be placed. */
  readonly calls?: { readonly count: number; readonly left: number; readonly share: number };
}

export interface GraphViewEdge extends PageMarks {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly kind: "default" | "when" | "on";
  readonly label: string | undefined;
  /** The target doesn't exist in the file. */
  readonly dangling: boolean;
  readonly change: GraphChange["kind"] | undefined;
  /** Set by the page: recorded calls. */
  readonly calls?: { readonly count: number; readonly share: number; readonly tested: boolean };
}

/** The node types offered for a new node; a test compares them with the field table in flow/. */
export const nodeTypeNames: string[] = ["message", "collect", "decision", "tool", "component", "transfer", "end"];

/** Client to server: the state of the server, for bug reports. */
export const StatusRequest: Message<Readonly<Record<string, never>>, ServerStatus> = { method: "assistantFlow/status" };

export interface ServerStatus {
  readonly node: string;
  readonly uptimeSeconds: number;
  readonly memoryMb: number;
  /** The share of its time that the server was working. */
  readonly busyPercent: number;
  readonly files: { readonly open: number; readonly closed: number; readonly testsAndPolicies: number };
  readonly lastErrors: readonly { readonly at: string; readonly message: string }[];
}

/** Client to server: which turns of a conversation certainly come from a node of an open flow. */
export const TurnLinksRequest: Message<
  { readonly turns: readonly { readonly text: string }[]; readonly variables: Readonly<Record<string, unknown>> },
  readonly TurnLink[]
> = { method: "assistantFlow/turnLinks" };

/** A turn, by its index, and the node that it belongs to. */
export interface TurnLink {
  readonly turn: number;
  readonly uri: string;
  readonly node: string;
  readonly why: string;
}

/** Server to client: the sync state of a flow. */
export const SyncStateChanged: Message<FlowSyncState, void> = { method: "assistantFlow/syncState" };

/** Client to server: runs a sync action, until nothing is left to do. `answered`: what a push `asks` (its fingerprint). */
export const SyncActionRequest: Message<
  { readonly uri: string; readonly action: SyncAction; readonly answered?: string },
  FlowSyncState | null
> = { method: "assistantFlow/sync" };

/** Client to server: decide conflicts, by their keys. */
export const ResolveRequest: Message<
  { readonly uri: string; readonly choices: Readonly<Record<string, "ours" | "theirs">> },
  FlowSyncState | null
> = { method: "assistantFlow/resolve" };

/** Client to server: what saving the current text would send. */
export const PlanRequest: Message<{ readonly uri: string }, PlanView | null> = { method: "assistantFlow/plan" };

/**
 * Client to server: the file's text with the last synced graph, the platform's graph, or the graph a push starts from
 * (without the platform's normal form); the sync journal as JSON; or the revision and its quality report as YAML.
 */
export const OtherTextRequest: Message<{ readonly uri: string; readonly which: OtherText }, string | null> = {
  method: "assistantFlow/otherText",
};

export type OtherText = "base" | "remote" | "push" | "journal" | "revision" | "quality";

/** Server to client: save this file, which had no unsaved changes before the server edited it. */
export const SaveRequest: Message<{ readonly uri: string }, boolean> = { method: "assistantFlow/save" };

/** Server to client: ask the user whether to send this plan. */
export const ConfirmRequest: Message<SendQuestion, boolean> = { method: "assistantFlow/confirm" };

export interface SendQuestion {
  readonly uri: string;
  readonly reason: "first-push" | "removes-many" | "save";
  readonly plan: PlanView;
  /** The revision that would change, and the platform's URL. */
  readonly to: { readonly address: string; readonly assistant: string; readonly revision: string };
  /** More than 20% of the nodes would be removed, whatever the reason for asking. */
  readonly removesMany: boolean;
  readonly removesNodes: boolean;
}

/** `look` only reads, but a queued save is sent along with it. */
export type SyncAction = "push" | "pull" | "look" | "cancel" | "acknowledge";

export interface FlowSyncState {
  readonly uri: string;
  readonly kind:
    | "synced"
    | "syncing"
    | "pending"
    | "blocked"
    | "conflict"
    | "diverged"
    | "unauthorized"
    | "unknown"
    | "unlinked";
  /** A short text for a status bar: `synced v7`. */
  readonly text: string;
  /** A sentence with details; empty if `text` is enough. */
  readonly message: string;
  readonly reason?: string;
  readonly version?: number;
  readonly batch?: number;
  readonly batches?: number;
  /** The environment that the flow is synced with, and all that list it. */
  readonly environment?: string;
  readonly environments?: readonly EnvironmentView[];
  readonly conflicts: readonly ConflictView[];
  /** The platform changes that merge without conflict once the conflicts are decided. */
  readonly merges?: readonly { readonly text: string; readonly range?: TextRange }[];
  /** The file was synced before, so it can be compared with that version. */
  readonly hasBase?: boolean;
  /** How many pushes may have overwritten a change, until the user acknowledges them. */
  readonly risks: number;
  /** A message if the sync journal was damaged and set aside. */
  readonly setAside?: string;
  readonly errors: number;
  readonly warnings: number;
  /** The platform's last response: errors that prevent the flow from running, and whether it is enabled. */
  readonly blockingErrors?: number;
  readonly workflowEnabled?: boolean;
  /** The compile of the newest version that was seen. */
  readonly compile?: {
    readonly state: "running" | "succeeded" | "failed" | "unknown";
    /** The status in the platform's words. */
    readonly status: string;
    readonly version?: number;
    readonly errors: number;
    readonly warnings: number;
    /** The result belongs to an older version. */
    readonly isOutdated?: boolean;
  };
}

export interface PlanView {
  readonly summary: string;
  readonly batches: number;
  readonly lines: readonly PlanLine[];
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  /** Problems that keep the flow from running on the platform, although they don't hold up the push. */
  readonly blocking?: readonly { readonly text: string; readonly range: TextRange }[];
  /** The question that a push of this plan asks first. */
  readonly asks?: Omit<SendQuestion, "uri" | "plan"> & { readonly fingerprint: string };
}

export interface PlanLine {
  readonly mark: "+" | "~" | "-";
  readonly text: string;
  /** The 1-based number of its batch. */
  readonly batch: number;
  /** The line of the file that causes it. */
  readonly range?: TextRange;
  /** The old and new value of each changed field, if the element exists on both sides. */
  readonly changes?: readonly { readonly field: string; readonly before: string; readonly after: string }[];
  /** An edge is changed by removing and adding it; this is the removal, and the addition describes the change. */
  readonly isHalf?: true;
  /** The operation as it is sent. */
  readonly op: unknown;
}
