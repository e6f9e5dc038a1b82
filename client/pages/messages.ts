/** What the pages and their hosts in VS Code say to each other, typed once. Pages import these types and nothing else. */
import type { PlayView, RunPlace } from "../../debug/messages";
import type { Call, EmbeddingCostRow, ReviewRequest } from "../../platform";
import type { ComparedElement, GraphElement, GraphView, PlanView, TextRange, TextRun } from "../../server/messages";
import type { FlowCoverageView } from "../../server/test-messages";

/** Host to graph page. */
export type ToGraphPage =
  | {
      readonly type: "graph";
      readonly uri: string;
      readonly title: string;
      readonly locked: boolean;
      readonly view: GraphView;
      /** What the flow is compared with, as a person calls it; the view then has the comparison. The key comes back when VS Code restores the page. */
      readonly other?: { readonly name: string; readonly key: unknown };
    }
  /** What an element says in the other version and in the file; none where neither has it. */
  | { readonly type: "texts"; readonly element: ComparedElement; readonly runs: readonly TextRun[] | undefined }
  /** Select this element. `follows`: the cursor of the editor was put on it; `already`: it stood there when the page came. */
  | {
      readonly type: "select";
      readonly element: GraphElement | undefined;
      readonly follows?: boolean;
      readonly already?: boolean;
    }
  | { readonly type: "hover"; readonly id: string; readonly text: string }
  /** What tests cover of the flow; without coverage, why there is none. */
  | {
      readonly type: "coverage";
      readonly uri: string;
      readonly coverage: FlowCoverageView | undefined;
      readonly reason?: string;
    }
  /** The way of a run that is debugged or played; undefined when there is none. */
  | { readonly type: "way"; readonly uri: string; readonly way: RunPlace | undefined }
  /** VS Code was asked to give the page the focus. */
  | { readonly type: "focus" }
  /** Nothing to show: why, in a sentence. */
  | { readonly type: "empty"; readonly reason: string };

/** Graph page to host. */
export type FromGraphPage =
  | { readonly type: "ready" }
  | { readonly type: "selected"; readonly element: GraphElement }
  | { readonly type: "open"; readonly element: GraphElement }
  | { readonly type: "hover"; readonly id: string }
  | { readonly type: "edit"; readonly edit: GraphEditKind }
  /** Of the text, which is the truth. */
  | { readonly type: "undo" | "redo" | "save" }
  | { readonly type: "lock"; readonly locked: boolean }
  | { readonly type: "coverage"; readonly isShown: boolean }
  | { readonly type: "texts"; readonly element: ComparedElement }
  | { readonly type: "compare" | "stop-comparing" }
  /** An edge that a run asks about is taken. */
  | { readonly type: "take"; readonly element: GraphElement }
  | { readonly type: "play"; readonly id: string }
  | { readonly type: "export"; readonly format: "svg" | "png" | "mermaid"; readonly data?: string };

/** What a person can do to the flow in the picture. Names that must be typed are asked for by the host. */
export type GraphEditKind =
  | { readonly kind: "rename"; readonly id: string }
  | { readonly kind: "add-after"; readonly id: string }
  | { readonly kind: "connect"; readonly from: string; readonly to: string }
  | { readonly kind: "delete"; readonly element: GraphElement }
  | { readonly kind: "set-entry"; readonly id: string };

/** Host to call page. */
export type ToCallPage =
  | {
      readonly type: "call";
      readonly call: Call;
      /** The calling workflow's name, where it is known. */
      readonly workflow: string | undefined;
      /** The call is under way and the page follows it. */
      readonly live: boolean;
      /** Turns (by index) that are tied to a node of a flow in this workspace. */
      readonly links: readonly TurnLink[];
    }
  | { readonly type: "failed"; readonly reason: string };

export interface TurnLink {
  readonly turn: number;
  readonly uri: string;
  readonly node: string;
  readonly why: string;
}

/** Call page to host. */
export type FromCallPage =
  | { readonly type: "ready" }
  | { readonly type: "refresh" }
  | { readonly type: "copy"; readonly text: string }
  | { readonly type: "export"; readonly text: string }
  | { readonly type: "open-node"; readonly uri: string; readonly node: string }
  | { readonly type: "open-workflow"; readonly id: string }
  | { readonly type: "create-test" };

/** Host to plan page: the plan of the text as it is now, and what can be answered or done. */
export interface ToPlanPage {
  readonly type: "plan";
  readonly uri: string;
  readonly name: string;
  /** Where a push goes. */
  readonly to?: string;
  readonly question?: string;
  readonly choices: readonly string[];
  readonly plan?: PlanView;
}

export type FromPlanPage =
  | { readonly type: "ready" }
  | { readonly type: "choose"; readonly choice: string }
  | { readonly type: "go"; readonly range: TextRange }
  | { readonly type: "run"; readonly command: "compareGraphs" | "compareWithPlatform" | "planAsJson" };

export type ToReviewPage =
  | {
      readonly type: "review";
      readonly review: ReviewRequest;
      readonly standing: ReviewStanding;
      readonly note: string;
    }
  | { readonly type: "failed"; readonly reason: string };

/** `rejecting`: from here, and it can still be undone. `gone`: the platform no longer lists it, so nobody knows what became of it. */
export type ReviewStanding = "open" | "rejecting" | "resolved" | "gone";

export type FromReviewPage =
  | { readonly type: "ready" }
  | { readonly type: "reject"; readonly note: string }
  | { readonly type: "copy"; readonly text: string };

/** A field of the form of a lead, with what the page needs to show it. */
export interface LeadFormField {
  readonly name: string;
  readonly label: string;
  readonly group: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** More than a line. */
  readonly isLong?: boolean;
}

export type ToLeadPage =
  | {
      readonly type: "form";
      /** What the page was opened for; it comes back when VS Code restores the page. */
      readonly key: unknown;
      readonly title: string;
      readonly notes: readonly string[];
      readonly fields: readonly LeadFormField[];
      /** What to begin with; undefined: what was typed before. */
      readonly values: Readonly<Record<string, string>> | undefined;
      /** The name of the lead that was called last, if there is one. */
      readonly last: string | undefined;
    }
  | { readonly type: "fill"; readonly values: Readonly<Record<string, string>> }
  /** `isFinal`: somebody wanted to go on, so that everything is judged. */
  | {
      readonly type: "problems";
      readonly problems: Readonly<Record<string, string>>;
      readonly isFinal: boolean;
      readonly message?: string;
    }
  | { readonly type: "sent"; readonly text: string; readonly last: string };

export type FromLeadPage =
  | { readonly type: "ready" }
  | { readonly type: "repeat" }
  | { readonly type: "check" | "submit"; readonly values: Readonly<Record<string, string>> };

export type ToSpendPage =
  /** `wanted`: somebody asked for just this; else it is for a page that has asked for nothing yet. */
  | { readonly type: "query"; readonly query: SpendQuery; readonly wanted: boolean }
  /** `covers`: what the sums of the rows are of, as in "top 20 knowledge bases only". */
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
      /** What was sent, if anything was. */
      readonly request?: string;
    };

export type FromSpendPage =
  | { readonly type: "ready" }
  | { readonly type: "ask"; readonly query: SpendQuery }
  | { readonly type: "export"; readonly csv: string };

/** As typed: dates as yyyy-mm-dd, an empty text for what is left open. */
export interface SpendQuery {
  readonly start_date: string;
  readonly end_date: string;
  readonly limit: string;
  readonly source: string;
  readonly embedding_type: string;
}

export type ToPlayPage =
  | { readonly type: "play"; readonly title: string; readonly view: PlayView }
  /** The answer doesn't fit. */
  | { readonly type: "problem"; readonly text: string }
  | { readonly type: "failed"; readonly reason: string };

export type FromPlayPage =
  | { readonly type: "ready" | "back" | "restart" | "save" }
  /** In the words of the console: `take …`, `give …`, `return …`, `fail …`. */
  | { readonly type: "answer"; readonly text: string }
  | { readonly type: "open"; readonly at: string };
