/** Messages between pages and the extension. Pages import these types and nothing else. */
import type { PlayView, RunPlace } from "../../debug/messages";
import type { Call, EmbeddingCostRow, ReviewRequest } from "../../platform";
import type {
  ComparedElement,
  GraphElement,
  GraphView,
  PlanView,
  TextRange,
  TextRun,
  TurnLink,
} from "../../server/messages";
import type { CallPathView, CallsView, FlowCoverageView } from "../../server/test-messages";

/** Messages to the graph page. */
export type ToGraphPage =
  | {
      readonly type: "graph";
      readonly uri: string;
      readonly title: string;
      readonly locked: boolean;
      readonly view: GraphView;
      /**
       * Set in a comparison: the version's display name, and a key from which VS Code can restore it. `which` is set for
       * the last synced version and the platform's. `shown` is the version that is shown instead of the file.
       */
      readonly other?: {
        readonly name: string;
        readonly key: unknown;
        readonly which?: "base" | "platform" | undefined;
        readonly shown?: string | undefined;
      };
    }
  /** An element's YAML in both versions; undefined if neither has it. */
  | { readonly type: "texts"; readonly element: ComparedElement; readonly runs: readonly TextRun[] | undefined }
  | SelectMessage
  | { readonly type: "hover"; readonly id: string; readonly text: string }
  /** Test coverage of the flow, or why there is none. */
  | {
      readonly type: "coverage";
      readonly uri: string;
      readonly coverage: FlowCoverageView | undefined;
      readonly reason?: string;
    }
  /** Calls of the flow, or why there are none. */
  | {
      readonly type: "calls";
      readonly uri: string;
      readonly calls?: CallsView;
      readonly reason?: string;
      /** There are more calls to come. */
      readonly isLoading?: boolean;
    }
  /** The path of a run that is debugged or played; undefined if there is none. */
  | { readonly type: "way"; readonly uri: string; readonly way: RunPlace | undefined }
  /** VS Code was asked to focus the page. */
  | { readonly type: "focus" }
  /** Why there is no graph to show. */
  | { readonly type: "empty"; readonly reason: string };

/** Selects an element. */
export interface SelectMessage {
  readonly type: "select";
  readonly element: GraphElement | undefined;
  /** The editor's cursor moved to it. */
  readonly follows?: boolean;
  /** The cursor was there when the page opened. */
  readonly already?: boolean;
  /** The selection stays, and the element is only brought into view. */
  readonly isOnlyShown?: boolean;
}

/** Messages from the graph page. */
export type FromGraphPage =
  | { readonly type: "ready" }
  /** The page has the keyboard focus. */
  | { readonly type: "focused" }
  | { readonly type: "selected"; readonly element: GraphElement }
  | { readonly type: "open"; readonly element: GraphElement }
  | { readonly type: "hover"; readonly id: string }
  | { readonly type: "edit"; readonly edit: GraphEditKind }
  /** Commands for the text, which owns the flow. */
  | { readonly type: "undo" | "redo" | "save" }
  | { readonly type: "lock"; readonly locked: boolean }
  | { readonly type: "coverage" | "calls"; readonly isShown: boolean }
  | { readonly type: "open-call"; readonly id: string }
  | { readonly type: "texts"; readonly element: ComparedElement }
  | { readonly type: "compare" | "stop-comparing" }
  /** Takes an edge that a run asks about. */
  | { readonly type: "take"; readonly element: GraphElement }
  /** Actions that start at a node. */
  | { readonly type: "play" | "create-test"; readonly id: string }
  | { readonly type: "export"; readonly format: "svg" | "png" | "mermaid"; readonly data?: string };

/** An edit that the user makes in the graph. The extension asks for names. */
export type GraphEditKind =
  | { readonly kind: "rename"; readonly id: string }
  | { readonly kind: "add-after"; readonly id: string }
  | { readonly kind: "connect"; readonly from: string; readonly to: string }
  | { readonly kind: "delete"; readonly element: GraphElement }
  | { readonly kind: "set-entry"; readonly id: string };

/** Messages to the call page. */
export type ToCallPage =
  | {
      readonly type: "call";
      readonly call: Call;
      /** The calling workflow's name, if known. */
      readonly workflow: string | undefined;
      /** The call is active and the page follows it. */
      readonly live: boolean;
      /** Turns (by index) that match a node of a flow in this workspace. */
      readonly links: readonly TurnLink[];
      /** The path through the flow of the call's workflow, if it is known. */
      readonly path?: CallPath;
    }
  | { readonly type: "failed"; readonly reason: string };

export type CallPath =
  | { readonly kind: "path"; readonly uri: string; readonly flow: string; readonly view: CallPathView }
  /** No flow of the workspace belongs to the workflow. */
  | { readonly kind: "unlinked" }
  /** The flow has errors. */
  | { readonly kind: "broken"; readonly flow: string };

/** Messages from the call page. */
export type FromCallPage =
  | { readonly type: "ready" }
  | { readonly type: "refresh" }
  | { readonly type: "copy"; readonly text: string }
  | { readonly type: "export"; readonly text: string }
  | { readonly type: "open-node"; readonly uri: string; readonly node: string }
  | { readonly type: "open-workflow"; readonly id: string }
  | { readonly type: "create-test" | "debug" | "choose-flow" };

/** Sent to the plan page: the plan for the current text, and the available choices. */
export interface ToPlanPage {
  readonly type: "plan";
  readonly uri: string;
  readonly name: string;
  readonly question?: string;
  readonly choices: readonly string[];
  readonly plan?: PlanView;
  /** Why there is no plan. */
  readonly reason?: string;
}

export type FromPlanPage =
  | { readonly type: "ready" }
  /** `answered`: the fingerprint of the question that is shown with the plan. */
  | { readonly type: "choose"; readonly choice: string; readonly answered?: string }
  | { readonly type: "go"; readonly range: TextRange }
  | { readonly type: "run"; readonly command: "compareGraphs" | "compareWithPlatform" | "planAsJson" };

export interface ToReviewPage {
  readonly type: "review";
  readonly review: ReviewRequest;
  readonly standing: ReviewStanding;
  readonly note: string;
}

/**
 * `rejecting`: in this window, and it can still be undone. `gone`: the platform no longer lists it, so its outcome is
 * unknown.
 */
export type ReviewStanding = "open" | "rejecting" | "resolved" | "gone";

export type FromReviewPage = { readonly type: "ready" } | { readonly type: "reject"; readonly note: string };

/** A field of the lead form, with what the page needs to show it. */
export interface LeadFormField {
  readonly name: string;
  readonly label: string;
  readonly group: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Uses a multi-line input. */
  readonly isLong?: boolean;
}

export type ToLeadPage =
  | {
      readonly type: "form";
      /** Identifies the page when VS Code restores it. */
      readonly key: unknown;
      readonly title: string;
      readonly notes: readonly string[];
      readonly fields: readonly LeadFormField[];
      /** Initial values; undefined keeps the previous input. */
      readonly values: Readonly<Record<string, string>> | undefined;
      /** The name of the lead that was called last, if any. */
      readonly last: string | undefined;
    }
  | { readonly type: "fill"; readonly values: Readonly<Record<string, string>> }
  | { readonly type: "notes"; readonly notes: readonly string[] }
  /** `isFinal`: the user tried to submit, so all fields are checked. */
  | {
      readonly type: "problems";
      readonly problems: Readonly<Record<string, string>>;
      readonly isFinal: boolean;
      readonly message?: string;
    }
  | { readonly type: "sent"; readonly text: string; readonly last: string }
  /** A dialog was closed, which leaves the focus outside the page. */
  | { readonly type: "focus" };

export type FromLeadPage =
  | { readonly type: "ready" }
  | { readonly type: "repeat" }
  | { readonly type: "check" | "submit"; readonly values: Readonly<Record<string, string>> };

export type ToSpendPage =
  /** `isRequested`: the user asked for this query; otherwise it applies only if the page has made none yet. */
  | { readonly type: "query"; readonly query: SpendQuery; readonly isRequested: boolean }
  /** `covers`: which rows the totals include, as in "top 20 knowledge bases only". */
  | {
      readonly type: "rows";
      readonly request: string;
      readonly rows: readonly EmbeddingCostRow[];
      readonly covers: string;
    }
  | {
      readonly type: "failed";
      readonly reason: string;
      readonly fields: Readonly<Record<string, string>>;
      /** The request that was sent, if any. */
      readonly request?: string;
    };

export type FromSpendPage =
  | { readonly type: "ready" }
  | { readonly type: "ask"; readonly query: SpendQuery }
  | { readonly type: "export"; readonly csv: string };

/** As entered: dates as yyyy-mm-dd, empty strings for omitted values. */
export interface SpendQuery {
  readonly start_date: string;
  readonly end_date: string;
  readonly limit: string;
  readonly source: string;
  readonly embedding_type: string;
}

export type ToPlayPage =
  /** `isRepeated`: the flow was edited. */
  | { readonly type: "play"; readonly title: string; readonly view: PlayView; readonly isRepeated: boolean }
  /** The answer isn't valid. */
  | { readonly type: "problem"; readonly text: string }
  /** The conversation was saved as a test with this name. */
  | { readonly type: "saved"; readonly name: string }
  | { readonly type: "failed"; readonly title: string; readonly reason: string };

export type FromPlayPage =
  | { readonly type: "ready" | "back" | "restart" | "save" }
  /** A console command: `take …`, `give …`, `return …`, `fail …`. */
  | { readonly type: "answer"; readonly text: string }
  | { readonly type: "open"; readonly at: string };
