/**
 * How requests of the debug protocol are answered: one after the other, some of them after reading files, so that an event
 * never overtakes the answer before it. The library's own dispatcher answers several at a time. It is also the one way out:
 * words of flows, tests and files leave with everything unseen in them made visible.
 */

import { ProtocolServer } from "@vscode/debugadapter/lib/protocol";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { reasonOf } from "../files";
import { visibleData } from "../text";
import { argumentProblem } from "./arguments";
import { PLACE, SAVE_AS_TEST } from "./messages";
import { CannotStart } from "./sources";

/** A request that can't be done; the words are for the person. */
export class Refused extends Error {}

/** The body of the answer, and what happens once it was sent. */
export type Answered = { readonly body?: object; readonly after?: () => void } | undefined;

/** By the command of the request. */
export type Handlers = Readonly<Record<string, (args: never) => Answered | Promise<Answered>>>;

export abstract class Dispatcher extends ProtocolServer {
  #last: Promise<void> = Promise.resolve();

  protected abstract readonly handlers: Handlers;

  constructor() {
    super();
    // What isn't a message, or comes on a stream that broke: there is no request that could be answered.
    this.on("error", ({ body }: { readonly body?: unknown }) =>
      this.#complain(`A message couldn't be read: ${String(body).replace("Error handling data: ", "")}`),
    );
  }

  override handleMessage(message: DebugProtocol.ProtocolMessage): void {
    const { type, command, seq } = (message ?? {}) as Partial<DebugProtocol.Request>;
    const isRequest = typeof command === "string" && Number.isInteger(seq);
    if (type === "request" && !isRequest) this.#complain('A request has no "command" or no "seq".');
    else if (type === "request" || type === "response") super.handleMessage(message);
    else this.#complain("A message is neither a request nor a response.");
  }

  override sendEvent(event: DebugProtocol.Event): void {
    super.sendEvent({ ...visibleData(event, (field) => isKept(field, event.event)) });
  }

  override sendResponse(response: DebugProtocol.Response): void {
    super.sendResponse({ ...visibleData(response, (field) => isKept(field, response.command)) });
  }

  /** Inline in an editor, messages come in this way; on a stream, through `start`. */
  protected override dispatchRequest(request: DebugProtocol.Request): void {
    this.inTurn(() => this.#answer(request));
  }

  /** Work that nobody asked for takes its turn among the requests. */
  protected inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch((error: unknown) => this.#complain(error));
  }

  protected event(event: string, body?: object): void {
    this.sendEvent({ seq: 0, type: "event", event, ...(body ? { body } : {}) });
  }

  async #answer({ seq, command, arguments: args }: DebugProtocol.Request): Promise<void> {
    const response = { seq: 0, type: "response", request_seq: seq, command, success: true } as const;
    let answered: Answered;
    try {
      const handler = Object.hasOwn(this.handlers, command) ? this.handlers[command] : undefined;
      if (!handler) throw new Refused(`The request "${command}" isn't supported.`);
      const problem = argumentProblem(command, args);
      if (problem !== undefined) throw new Refused(problem);
      answered = await handler((args ?? {}) as never);
    } catch (error) {
      const isMeant = error instanceof Refused || error instanceof CannotStart;
      const message = isMeant ? error.message : `The debugger failed at "${command}". Please report it.`;
      if (!isMeant) this.#complain(error);
      const body = { error: { id: isMeant ? 1 : 2, ...formatted(message), showUser: isMeant } };
      return this.sendResponse({ ...response, success: false, message, body } as DebugProtocol.ErrorResponse);
    }
    this.sendResponse(answered?.body ? { ...response, body: answered.body } : response);
    answered?.after?.();
  }

  #complain(error: unknown): void {
    const output = `${reasonOf(error)}\n`;
    this.event("output", { category: "stderr", output });
  }
}

/** Braces in the format of an error stand for variables, so words with braces of their own are one. */
function formatted(message: string): { readonly format: string; readonly variables?: Record<string, string> } {
  return /[{}]/.test(message) ? { format: "{_message}", variables: { _message: message } } : { format: message };
}

/** What the other side needs to the letter: the file it opens, the elements it lights in the graph, the text it writes. */
function isKept(field: string, message: string): boolean {
  if (message === SAVE_AS_TEST) return field === "body";
  if (message === PLACE && (field === "file" || field === "edges")) return true;
  return field === "path";
}
