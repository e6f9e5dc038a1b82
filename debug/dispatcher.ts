/**
 * Handles requests of the debug protocol one at a time, even if they read files, so that no event overtakes an earlier
 * response; the library's own dispatcher runs several at once. All output passes through here, so invisible characters
 * in text from flows, tests and files are escaped.
 */

import { ProtocolServer } from "@vscode/debugadapter/lib/protocol";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { reasonOf } from "../files";
import { visibleData } from "../text";
import { argumentProblem } from "./arguments";
import { Frames } from "./framing";
import { PLACE, SAVE_AS_TEST } from "./messages";
import { CannotStart } from "./sources";

/** A request failed for a reason the user should see. */
export class RequestError extends Error {}

/** Prefix of the requests that aren't part of the protocol. */
const OWN = "assistantFlow.";

/** Requests whose problems a client shows where the user typed, or not at all if the mouse is over a word that isn't an expression. */
const SHOWN_IN_PLACE = ["evaluate", "setVariable", "setExpression"];

/** The body of the response, and what to do after sending it. */
export type Answered = { readonly body?: object; readonly after?: () => void } | undefined;

/** Handlers by the command of the request. */
export type Handlers = Readonly<Record<string, (args: never) => Answered | Promise<Answered>>>;

export abstract class Dispatcher extends ProtocolServer {
  #last: Promise<void> = Promise.resolve();

  protected abstract readonly handlers: Handlers;

  constructor() {
    super();
    // Invalid messages and stream errors: there is no request to respond to.
    this.on("error", ({ body }: { readonly body?: unknown }) =>
      this.#complain(`Invalid message: ${String(body).replace("Error handling data: ", "")}`),
    );
  }

  override start(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void {
    const frames = new Frames((problem) => this.#complain(problem));
    input.once("error", (error) => this.#complain(error));
    super.start(input.pipe(frames), output);
  }

  override handleMessage(message: DebugProtocol.ProtocolMessage): void {
    const { type, command, seq } = (message ?? {}) as Partial<DebugProtocol.Request>;
    const isRequest = typeof command === "string" && Number.isInteger(seq);
    if (type === "request" && !isRequest) this.#complain('Invalid request: "command" or "seq" is missing.');
    else if (type === "request" || type === "response") super.handleMessage(message);
    else this.#complain("Invalid message: neither a request nor a response.");
  }

  override sendEvent(event: DebugProtocol.Event): void {
    super.sendEvent({ ...visibleData(event, (field) => isKept(field, event.event)) });
  }

  override sendResponse(response: DebugProtocol.Response): void {
    super.sendResponse({ ...visibleData(response, (field) => isKept(field, response.command)) });
  }

  /** Called directly when the adapter runs inside an editor, and by `start` for a stream. */
  protected override dispatchRequest(request: DebugProtocol.Request): void {
    this.inTurn(() => this.#answer(request));
  }

  /** Runs work after the pending requests. */
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
      if (!handler) throw new RequestError(`The request "${command}" isn't supported.`);
      const problem = argumentProblem(command, args);
      if (problem !== undefined) throw new RequestError(problem);
      answered = await handler((args ?? {}) as never);
    } catch (error) {
      const isMeant = error instanceof RequestError || error instanceof CannotStart;
      const message = isMeant ? error.message : `Internal error in "${command}". Please report it.`;
      if (!isMeant) this.#complain(error);
      const showUser = isMeant && !command.startsWith(OWN) && !SHOWN_IN_PLACE.includes(command);
      const body = { error: { id: isMeant ? 1 : 2, ...formatted(message), showUser } };
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

/** Braces in an error format denote variables, so a message with braces is passed as a variable. */
function formatted(message: string): { readonly format: string; readonly variables?: Record<string, string> } {
  return /[{}]/.test(message) ? { format: "{_message}", variables: { _message: message } } : { format: message };
}

/** Fields that must stay exact: files to open, edges to highlight in the graph, text to write. */
function isKept(field: string, message: string): boolean {
  if (message === SAVE_AS_TEST) return field === "body";
  if (message === PLACE && (field === "file" || field === "edges")) return true;
  return field === "path";
}
