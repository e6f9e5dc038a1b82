/** Custom messages between the debug adapter and VS Code. */
import type { AskedQuestion, Turn } from "../flow/debug";

/** Launch options in addition to those of the protocol. */
export interface LaunchConfiguration {
  /** A flow file or a test file. */
  readonly program: string;
  /** The name of a test, in this test file or in a test file of this flow. */
  readonly test?: string;
  /** Initial values of variables, as in a test. */
  readonly given?: unknown;
  /** Results of tools and components, as in a test. */
  readonly tools?: unknown;
  readonly stopOnEntry?: boolean;
  /** Stop at the end of the conversation, to inspect it or step back. */
  readonly stopAtEnd?: boolean;
  /** Nodes to visit from the entry; the run stops at the last one. */
  readonly path?: readonly string[];
  /** Values of variables along `path`, such as those of a call. With `stopOnEntry`, the run repeats them from the entry. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The working folder. Flows below it may be components. */
  readonly cwd?: string;
  readonly noDebug?: boolean;
}

/** Event: the run waits for an answer. Body: `AskedQuestion`. */
export const QUESTION = "assistantFlow.question";

export type AskedBy = AskedQuestion;

/** Event: the location of the run, sent at each stop. Body: `RunPlace`. */
export const PLACE = "assistantFlow.place";

export interface RunPlace {
  readonly file: string;
  /** Nodes and edges of the outermost flow, in order; the run is at the last node. */
  readonly path: readonly string[];
  readonly edges: readonly string[];
  /** The current question, if any. */
  readonly asks: AskedQuestion | undefined;
  /** Counts the paths that are shown as a whole, not step by step. The graph is moved once to show all of such a path. */
  readonly whole?: number;
}

/** Request: answer the current question, with the syntax of the debug console. Argument: `{text}`. */
export const ANSWER = "assistantFlow.answer";

/** Request: list the nodes of the path. Body: `{nodes}`. */
export const PATH = "assistantFlow.path";

/** Request: go back to a node of the path. Argument: `{number}`, its index. */
export const RESTART_FROM = "assistantFlow.restartFrom";

/** Request: convert the run to a test. Argument: `SaveRequest`; body: `SavedTest`. */
export const SAVE_AS_TEST = "assistantFlow.saveAsTest";

/** The state of the Play page. */
export interface PlayView {
  readonly file: string;
  readonly turns: readonly PlayTurn[];
  readonly asks: AskedQuestion | undefined;
  readonly variables: readonly { readonly name: string; readonly value: string; readonly isSet: boolean }[];
  /** How the conversation ended; undefined while it continues. */
  readonly ended: string | undefined;
  readonly canGoBack: boolean;
  /** A note for the user, such as an answer that no longer applies. */
  readonly note: string | undefined;
  readonly place: RunPlace;
}

export type PlayTurn = Omit<Turn, "moment">;
