/** Messages between VS Code and a command that it runs. The command has no key, so VS Code makes its requests. */
import type { HttpRequest, SendAnswer } from "./transport";

/** From the command; each gets an answer with the same ID. */
export interface HostMessage {
  readonly id: number;
  readonly question: HostQuestion;
}

export type HostQuestion =
  | { readonly kind: "send"; readonly address: string; readonly request: HttpRequest; readonly timeoutMs?: number }
  /** Shows the plan to the user; the answer is a boolean. */
  | { readonly kind: "confirm"; readonly text: string; readonly operations: number };

export interface HostReply {
  readonly id: number;
  readonly answer: SendAnswer | boolean;
}
