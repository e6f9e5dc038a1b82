/** What the debug adapter and VS Code's side say to each other beyond the protocol, typed once. */
import type { AskedQuestion, Turn } from "../flow/debug";

/** How a debug session is started, beside what the protocol itself knows. */
export interface LaunchConfiguration {
  /** A flow file or a test file. */
  readonly program: string;
  /** The name of a test, in the test file or in one of the flow's. */
  readonly test?: string;
  /** Variables before the first node, as in a test. */
  readonly given?: unknown;
  /** Answers of tools and components, as in a test. */
  readonly tools?: unknown;
  readonly stopOnEntry?: boolean;
  /** Stop once more where the conversation ends, to look around or to go back. */
  readonly stopAtEnd?: boolean;
  /** Nodes to go through from the entry: the run stops at the last. */
  readonly path?: readonly string[];
  /** The working folder: the flows below it may be components. */
  readonly cwd?: string;
  readonly noDebug?: boolean;
}

/** Event: the run asks something of a person. Body: `AskedQuestion`. */
export const QUESTION = "assistantFlow.question";

/** What a run asks, as both sides know it. */
export type AskedBy = AskedQuestion;

/** Event: where the run is, whenever it stops. Body: `RunPlace`. */
export const PLACE = "assistantFlow.place";

export interface RunPlace {
  readonly file: string;
  /** Nodes and edges of the outermost flow in the order of the run; the last node is where it is. */
  readonly path: readonly string[];
  readonly edges: readonly string[];
  /** What the run asks, if anything. */
  readonly asks: AskedQuestion | undefined;
}

/** Request: answers in the words of the console. Argument: `{text}`. */
export const ANSWER = "assistantFlow.answer";

/** Request: the nodes of the path, each with its number. Body: `{nodes}`. */
export const PATH = "assistantFlow.path";

/** Request: goes back to a node of the path. Argument: `{number}`. */
export const RESTART_FROM = "assistantFlow.restartFrom";

/** Request: the run as a test. Argument: `SaveRequest`; body: `SavedTest`. */
export const SAVE_AS_TEST = "assistantFlow.saveAsTest";

/** A conversation as the Play page shows it. */
export interface PlayView {
  readonly file: string;
  readonly turns: readonly PlayTurn[];
  readonly asks: AskedQuestion | undefined;
  readonly variables: readonly { readonly name: string; readonly value: string; readonly isSet: boolean }[];
  /** How the conversation ended; undefined while it goes on. */
  readonly ended: string | undefined;
  readonly canGoBack: boolean;
  /** What the person should know: an answer that doesn't fit any more, say. */
  readonly note: string | undefined;
  readonly place: RunPlace;
}

export type PlayTurn = Omit<Turn, "moment">;
