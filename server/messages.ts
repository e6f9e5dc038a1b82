/**
 * The messages of our own between the language server and the VS Code side, typed once. Both sides import this file; it
 * imports types only, so neither side carries the other's protocol library.
 */
import type { HttpRequest, HttpResponse, TransportFailure } from "../platform/transport";

/** A request by its name. The type parameters say what goes out and what comes back. */
export interface Message<Params, Result> {
  readonly method: string;
  readonly types?: (params: Params) => Result;
}

/** Sends a message over either side's connection, with the types of the message. */
export function ask<Params, Result>(
  connection: { sendRequest(method: string, params: unknown): Promise<unknown> },
  message: Message<Params, Result>,
  params: Params,
): Promise<Result> {
  return connection.sendRequest(message.method, params) as Promise<Result>;
}

/**
 * The options of Node the server is started with where we start it. Opening a file keeps nearly all it makes, so most of what
 * a collection does meanwhile is in vain: the space for new objects has its full size from the start instead of growing to
 * it, and nothing looks through the old ones before there are as many as a file of 10,000 nodes makes. A larger space for
 * new objects gains no time and holds a hundred megabytes more. Of Node's four helping threads two are left: a collection
 * waits for all of them, and on a small or busy machine they wait for each other.
 */
export const serverNodeOptions: readonly string[] = [
  "--min-semi-space-size=8",
  "--max-semi-space-size=8",
  "--initial-old-space-size=64",
  "--v8-pool-size=2",
];

/**
 * Server to client: make this request of the platform at this address. The client alone has the key; where its connection
 * leads elsewhere by now, it sends nothing and answers with `no-connection`.
 */
export const SendRequest: Message<
  { readonly address: string; readonly request: HttpRequest; readonly timeoutMs?: number },
  { readonly response: HttpResponse } | { readonly failure: TransportFailure; readonly message: string }
> = { method: "assistantFlow/send" };

/** What the server is told when it starts; every part is optional, so that any editor can start it. */
export interface InitializationOptions {
  /** Where journals are kept; without it the folder that all editors and the command line share (`stateDirectory`). */
  readonly stateDir?: string;
  /** True where the client answers `assistantFlow/send`; else the server talks to the platform itself. */
  readonly clientTransport?: boolean;
  /** The platform's address at the start, where the client has a connection; `assistantFlow/connection` says the rest. */
  readonly address?: string;
  /** How this window is called where another one asks who syncs a flow. */
  readonly label?: string;
  /** Commands the client can carry out. A code lens that needs one is offered only where it is listed. */
  readonly commands?: readonly ClientCommand[];
  /** The translations of what the server says, by the English text; without them it says that. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Commands of the client that the server's answers name; reading.ts says with which arguments. */
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
 * Client to server: the flow of a file as a picture needs it, of the text as it is now; drawn over the last sync, or over the text
 * of another version.
 */
export const GraphRequest: Message<{ readonly uri: string; readonly other?: string }, GraphView | null> = {
  method: "assistantFlow/graph",
};

/** Client to server: what an element says in another version and in the file, word by word; null where neither has it. */
export const ComparedTextsRequest: Message<
  { readonly uri: string; readonly other: string; readonly element: ComparedElement },
  readonly TextRun[] | null
> = { method: "assistantFlow/comparedTexts" };

/** By its id; what there is one of by its key. */
export interface ComparedElement {
  readonly what: "node" | "variable" | "top";
  readonly id: string;
}

export interface TextRun {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Client to server: the element at a place of the text, for the picture to follow the cursor. */
export const ElementAtRequest: Message<{ readonly uri: string; readonly position: TextPosition }, GraphElement | null> =
  {
    method: "assistantFlow/elementAt",
  };

/** Client to server: where an element of the picture is written. */
export const PlaceOfRequest: Message<{ readonly uri: string; readonly element: GraphElement }, TextRange | null> = {
  method: "assistantFlow/placeOf",
};

/** Client to server: what the editor would say of a node, as plain words. */
export const DescribeRequest: Message<{ readonly uri: string; readonly id: string }, string> = {
  method: "assistantFlow/describe",
};

/** Client to server: the edits of the text that do what was done in the picture; or why that cannot be. */
export const GraphEditRequest: Message<
  { readonly uri: string; readonly edit: GraphEdit },
  { readonly edits: readonly { readonly range: TextRange; readonly newText: string }[] } | { readonly problem: string }
> = { method: "assistantFlow/graphEdit" };

/** Client to server: the flow as a Mermaid flowchart. */
export const MermaidRequest: Message<{ readonly uri: string }, string> = { method: "assistantFlow/mermaid" };

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

export type GraphElement =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "edge"; readonly node: string; readonly id: string };

/** What a person can do to the flow in its picture. */
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
  /** Parts of the file cannot be read: what is shown is what can. */
  readonly broken: boolean;
  /** Whether changes are marked, against the last sync or another version; without one nothing is marked. */
  readonly compared: boolean;
  /** What differs from the other version that was asked for; or why that can't be told, as the end of a sentence. */
  readonly comparison?: { readonly changes: readonly GraphChange[] } | { readonly problem: string };
}

/** What differs in one element, named once. */
export interface GraphChange {
  readonly kind: "added" | "removed" | "changed" | "moved";
  readonly what: "node" | "edge" | "variable" | "persona" | "entry" | "outputs";
  readonly id: string;
  /** The name a person knows it by; empty where there is only one of its kind. */
  readonly label: string;
  /** The fields that differ, where both versions have the element. */
  readonly fields: readonly string[];
  /** Where it is in the picture. */
  readonly element?: GraphElement;
}

export interface GraphViewNode {
  readonly id: string;
  readonly type: string | undefined;
  readonly name: string | undefined;
  /** The first line of what the node says or does. */
  readonly text: string | undefined;
  readonly terminal: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly hints: number;
  readonly sets: readonly string[];
  readonly reads: readonly string[];
  readonly change: GraphChange["kind"] | undefined;
  /** Set by the page: the text cannot be read now, this is what it said last. */
  readonly unread?: boolean;
  /** Set by the page: what tests make of it. */
  readonly cover?: "covered" | "missing" | "unreachable";
  /** Set by the page: where a run is, has come by, or may go on. */
  readonly way?: "here" | "passed" | "open";
}

export interface GraphViewEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly kind: "default" | "when" | "on";
  readonly label: string | undefined;
  /** The target is no node of the file. */
  readonly dangling: boolean;
  readonly change: GraphChange["kind"] | undefined;
  /** Set by the page: the text cannot be read now, this is what it said last. */
  readonly unread?: boolean;
  /** Set by the page: what tests make of it. */
  readonly cover?: "covered" | "missing" | "unreachable";
  /** Set by the page: where a run is, has come by, or may go on. */
  readonly way?: "here" | "passed" | "open";
}

/** The node types offered for a new node; a test holds them against flow's field table. */
export const nodeTypeNames: string[] = ["message", "collect", "decision", "tool", "component", "transfer", "end"];

/** Client to server: which turns of a conversation are certain to come from a node of an open flow. */
export const TurnLinksRequest: Message<
  {
    readonly turns: readonly { readonly text: string; readonly user: string }[];
    readonly variables: Readonly<Record<string, unknown>>;
  },
  readonly { readonly turn: number; readonly uri: string; readonly node: string; readonly why: string }[]
> = { method: "assistantFlow/turnLinks" };

/** Client to server: the connection in use changed, or how it does. Without an address nothing is sent. */
export const ConnectionChanged: Message<{ readonly address?: string }, void> = { method: "assistantFlow/connection" };

/** Server to client: where a flow stands between its file and the platform. */
export const SyncStateChanged: Message<FlowSyncState, void> = { method: "assistantFlow/syncState" };

/** Client to server: do this with a flow; answers when there is nothing more to do for now. */
export const SyncActionRequest: Message<{ readonly uri: string; readonly action: SyncAction }, FlowSyncState | null> = {
  method: "assistantFlow/sync",
};

/** Client to server: decide conflicts, by their keys. */
export const ResolveRequest: Message<
  { readonly uri: string; readonly choices: Readonly<Record<string, "ours" | "theirs">> },
  FlowSyncState | null
> = { method: "assistantFlow/resolve" };

/** Client to server: what a save of the text as it is now would send. */
export const PlanRequest: Message<{ readonly uri: string }, PlanView | null> = { method: "assistantFlow/plan" };

/**
 * Client to server: the file as it would read if it said what was last agreed on, what the platform has, or what a push
 * starts from (which leaves out how the platform keeps what it was sent); or what sync remembers of it, as JSON.
 */
export const OtherTextRequest: Message<
  { readonly uri: string; readonly which: "base" | "remote" | "push" | "journal" },
  string | null
> = {
  method: "assistantFlow/otherText",
};

/** Client to server: the text of a new flow file for a revision. */
export const NewFlowRequest: Message<
  { readonly revision: string; readonly assistant?: string },
  { readonly text: string } | { readonly problem: string }
> = { method: "assistantFlow/newFlow" };

/** Server to client: save this file, which was clean before the server edited it. */
export const SaveRequest: Message<{ readonly uri: string }, boolean> = { method: "assistantFlow/save" };

/** Server to client: ask the person whether to send this plan. */
export const ConfirmRequest: Message<SendQuestion, boolean> = { method: "assistantFlow/confirm" };

export interface SendQuestion {
  readonly uri: string;
  readonly reason: "first-push" | "removes-many" | "save";
  readonly plan: PlanView;
  /** What would be changed: this revision on the platform at this address. */
  readonly to: { readonly address: string; readonly assistant: string; readonly revision: string };
  /** More than 20% of the nodes would go, whatever the reason for asking is. */
  readonly removesMany: boolean;
  /** The platform's flow has nodes that the file doesn't have. */
  readonly removesNodes: boolean;
}

/** `look` only reads, but a save that still waits goes out with it. */
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
  /** A few words for a status bar: `synced v7`. */
  readonly text: string;
  /** A sentence for people; empty where the words say it all. */
  readonly message: string;
  readonly reason?: string;
  readonly version?: number;
  readonly batch?: number;
  readonly batches?: number;
  readonly conflicts: readonly ConflictView[];
  /** What of the platform's changes merges by itself once the conflicts are decided. */
  readonly merges?: readonly { readonly text: string; readonly range?: TextRange }[];
  /** How many times a push may have overwritten a change, until somebody acknowledges it. */
  readonly risks: number;
  /** A sentence for people, where what sync knew of the flow was damaged and set aside. */
  readonly setAside?: string;
  readonly errors: number;
  readonly warnings: number;
  /** What the platform said last: errors that keep the flow from running, and whether it runs at all. */
  readonly blockingErrors?: number;
  readonly workflowEnabled?: boolean;
}

export interface ConflictView {
  readonly key: string;
  readonly message: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly range?: TextRange;
}

export interface PlanView {
  readonly summary: string;
  readonly batches: number;
  readonly lines: readonly PlanLine[];
  readonly renames: readonly { readonly from: string; readonly to: string }[];
}

export interface PlanLine {
  readonly mark: "+" | "~" | "-";
  readonly text: string;
  /** Which batch it goes with, from 1. */
  readonly batch: number;
  /** The line of the file that makes it. */
  readonly range?: TextRange;
  /** What was before and what would be, field by field, where something that is there would change. */
  readonly changes?: readonly { readonly field: string; readonly before: string; readonly after: string }[];
  /** The first half of a change whose other half says it all: an edge is changed by taking it away and adding it anew. */
  readonly isHalf?: true;
  /** The operation as it is sent. */
  readonly op: unknown;
}
