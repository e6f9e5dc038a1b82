/** The debug adapter: handles each request of the protocol by controlling a run (`flow/debug/`). */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { isFlowFile } from "../flow";
import { elementsOnLines, type How, isAnswer, type SaveRequest, type Trouble } from "../flow/debug";
import type { Frame, Program } from "../flow/run";
import { type BoundBreakpoint, Breakpoints } from "./breakpoints";
import { capabilities, troubleNames } from "./capabilities";
import { completionsFor } from "./completions";
import { Controller, type StopEvent } from "./controller";
import { type Answered, Dispatcher, type Handlers, RequestError } from "./dispatcher";
import { ANSWER, type LaunchConfiguration, PATH, PLACE, QUESTION, RESTART_FROM, SAVE_AS_TEST } from "./messages";
import { type Base, questionText, type StackLevel, sourceOf, stackFrame, VariableReferences } from "./presentation";
import { absolute, CannotStart, type DebugHost, Sources } from "./sources";

/** There is only one conversation, shown as one thread. */
const THREAD = 1;

/** How long changes of a file are collected: users type, and editors write a file in several steps. */
const GATHER_MS = 100;

export class FlowDebugSession extends Dispatcher {
  readonly #breakpoints = new Breakpoints();
  readonly #shown = new VariableReferences();
  /** Whether the client counts lines and columns from 0 or 1. */
  #from: Base = { line: 1, column: 1 };
  #canInvalidate = false;
  #sources: Sources;
  #launch: LaunchConfiguration | undefined;
  #isConfigured = false;
  #troubles: ReadonlySet<Trouble> = new Set(troubleNames);
  #controller: Controller | undefined;
  #watching: { dispose(): void } | undefined;
  readonly #changed = new Map<string, NodeJS.Timeout>();
  #noteOfEdit: string | undefined;
  /** The current text can't be run, so the run is that of an earlier text. */
  #isBehind = false;
  #isDisposed = false;
  #gotoTargets: number[] = [];

  constructor(
    private readonly host: DebugHost,
    private readonly onEnd: () => void = () => undefined,
  ) {
    super();
    this.#sources = new Sources(host, host.cwd);
  }

  override dispose(): void {
    this.#isDisposed = true;
    this.#watching?.dispose();
    this.#watching = undefined;
    for (const timer of this.#changed.values()) clearTimeout(timer);
  }

  protected readonly handlers: Handlers = {
    initialize: (args: DebugProtocol.InitializeRequestArguments) => {
      this.#from = { line: args.linesStartAt1 === false ? 0 : 1, column: args.columnsStartAt1 === false ? 0 : 1 };
      this.#canInvalidate = args.supportsInvalidatedEvent === true;
      return { body: capabilities, after: () => this.event("initialized") };
    },
    launch: async (args: LaunchConfiguration) => {
      const cwd = typeof args.cwd === "string" && args.cwd !== "" ? absolute(this.host.cwd, args.cwd) : this.host.cwd;
      if (cwd !== this.#sources.cwd) this.#sources = new Sources(this.host, cwd);
      await this.#begin(args);
      return { after: () => this.#startIfReady() };
    },
    attach: () => {
      throw new RequestError("Attaching isn't supported. Use a launch configuration.");
    },
    configurationDone: () => {
      this.#isConfigured = true;
      return { after: () => this.#startIfReady() };
    },
    restart: async () => {
      if (!this.#launch) throw new RequestError("No session has been started.");
      await this.#begin(this.#launch);
      return { after: () => this.#startIfReady() };
    },
    disconnect: () => ({ after: () => this.#close() }),
    terminate: () => ({ after: () => this.event("terminated") }),
    setBreakpoints: (args: DebugProtocol.SetBreakpointsArguments) => this.#setBreakpoints(args),
    breakpointLocations: (args: DebugProtocol.BreakpointLocationsArguments) => this.#breakpointLocations(args),
    setExceptionBreakpoints: ({ filters, filterOptions }: DebugProtocol.SetExceptionBreakpointsArguments) => {
      const wanted = [...(filters ?? []), ...(filterOptions ?? []).map(({ filterId }) => filterId)];
      this.#troubles = new Set(troubleNames.filter((name) => wanted.includes(name)));
      return { body: { breakpoints: wanted.map(() => ({ verified: true })) } };
    },
    threads: () => ({ body: { threads: [{ id: THREAD, name: "Conversation" }] } }),
    stackTrace: (args: DebugProtocol.StackTraceArguments) => this.#stackTrace(args),
    scopes: ({ frameId }: DebugProtocol.ScopesArguments) => ({
      body: { scopes: this.#shown.scopes(this.#level(frameId)) },
    }),
    variables: ({ variablesReference, start = 0, count }: DebugProtocol.VariablesArguments) => {
      const { now, setup } = this.#stopped.run;
      const variables = this.#shown.variables(variablesReference, now, setup.tools);
      return { body: { variables: variables.slice(start, count ? start + count : undefined) } };
    },
    setVariable: ({ variablesReference, name, value }: DebugProtocol.SetVariableArguments) => {
      const frame = this.#shown.frameOf(variablesReference, this.#stopped.run.now);
      if (!frame) throw new RequestError("Only flow variables can be changed.");
      return this.#set(frame, name, value);
    },
    setExpression: ({ expression, value, frameId }: DebugProtocol.SetExpressionArguments) => {
      const name = /^\s*(?:\{\{\s*)?([A-Za-z][\w-]*)(?:\s*\}\})?\s*$/.exec(expression)?.[1];
      if (name === undefined) throw new RequestError("Only a flow variable can be changed.");
      return this.#set(this.#level(frameId).frame, name, value);
    },
    evaluate: (args: DebugProtocol.EvaluateArguments) => this.#evaluate(args),
    completions: (args: DebugProtocol.CompletionsArguments) => this.#completions(args),
    exceptionInfo: () => {
      const { trouble } = this.#stopped;
      if (!trouble) throw new RequestError("The run isn't stopped at an exception.");
      return { body: { exceptionId: trouble.name, description: trouble.text, breakMode: "always" } };
    },
    continue: () => this.#resume("continue", { allThreadsContinued: true }),
    next: () => this.#resume("over"),
    stepIn: () => this.#resume("into"),
    stepOut: () => this.#resume("out"),
    stepBack: () => this.#moves(() => this.#stopped.back(true)),
    reverseContinue: () => this.#moves(() => this.#stopped.back(false)),
    pause: () => ({ after: () => this.#controller && this.#sendStop({ reason: "pause", text: "" }) }),
    restartFrame: ({ frameId }: DebugProtocol.RestartFrameArguments) => {
      const { at } = this.#level(frameId);
      return this.#moves(() => this.#stopped.restartAt(at));
    },
    gotoTargets: (args: DebugProtocol.GotoTargetsArguments) => this.#targets(args),
    goto: ({ targetId }: DebugProtocol.GotoArguments) => {
      const number = this.#gotoTargets[targetId - 1];
      if (number === undefined) throw new RequestError("The run has continued. Choose the target again.");
      return this.#moves(() => this.#stopped.goBack(number));
    },
    loadedSources: () => ({
      body: { sources: (this.#controller?.loaded.files ?? []).map((file) => sourceOf(file)) },
    }),
    [ANSWER]: ({ text }: { readonly text: string }) => {
      const answered = this.#answerWith(String(text));
      // A client shows in the console only what was typed there.
      this.#say(`${answered.body.result}\n`, "stdout");
      return answered;
    },
    [PATH]: () => ({ body: { nodes: this.#stopped.path } }),
    [RESTART_FROM]: ({ number }: { readonly number: number }) => {
      const controller = this.#stopped;
      return this.#goesOn(() => controller.goBack(Number(number)));
    },
    [SAVE_AS_TEST]: (request: SaveRequest) => ({ body: this.#stopped.save(request) }),
  };

  get #stopped(): Controller {
    if (!this.#controller) throw new RequestError("No session is running.");
    return this.#controller;
  }

  async #begin(launch: LaunchConfiguration): Promise<void> {
    const loaded = await this.#sources.load(launch);
    await this.#rebind();
    this.#controller = new Controller(loaded, launch, {
      breakpoints: () =>
        launch.noDebug
          ? []
          : this.#breakpoints.all.flatMap(({ breakpoint, program }) =>
              breakpoint && program ? { breakpoint, program } : [],
            ),
      troubles: () => (launch.noDebug ? new Set() : this.#troubles),
      log: (text, program, line) => this.#say(`${text}\n`, "stdout", program, line),
    });
    this.#launch = launch;
    this.#shown.clear();
    // The client may have exited during a launch. Watching files would keep the adapter alive.
    if (this.#isDisposed) return;
    this.#watching?.dispose();
    this.#watching = this.host.watch(loaded.files, (file) => this.#fileChanged(file));
  }

  #startIfReady(): void {
    if (this.#isConfigured && this.#controller) this.#report(this.#controller.begin());
  }

  #close(): void {
    this.dispose();
    this.onEnd();
  }

  #resume(how: How, body?: object): Answered {
    const controller = this.#stopped;
    return { ...(body ? { body } : {}), after: () => this.#report(controller.resume(how)) };
  }

  #moves(move: () => StopEvent): Answered {
    const stop = move();
    return { after: () => this.#report(stop) };
  }

  #answerWith(text: string) {
    const controller = this.#stopped;
    const answer = controller.answer(text);
    if ("problem" in answer) throw new RequestError(answer.problem);
    return { body: { result: answer.said, variablesReference: 0 }, ...this.#goesOn(answer.go) };
  }

  /**
   * Sends `continued`, which only the protocol's own requests imply; without it a client would still show the old stop.
   */
  #goesOn(go: () => StopEvent): { readonly after: () => void } {
    this.event("continued", { threadId: THREAD, allThreadsContinued: true });
    // The response is sent in between: VS Code processes consecutive events together and would lose the reason of the
    // stop.
    return { after: () => this.#report(go()) };
  }

  #report(stop: StopEvent): void {
    this.#shown.clear();
    for (const note of stop.notes ?? []) this.#say(`${note}\n`, "stdout");
    for (const { text, line, program } of stop.output ?? []) this.#say(`${text}\n`, "stderr", program, line);
    if (stop.end) {
      if (stop.end.text) this.#say(`${stop.end.text}\n`, "stdout");
      this.event("terminated");
      this.event("exited", { exitCode: stop.end.exitCode });
      return;
    }
    this.#sendStop(stop);
  }

  #sendStop(stop: StopEvent): void {
    const { reason, text, description, hit } = stop;
    const ids = this.#breakpoints.all.filter(({ breakpoint }) => breakpoint && hit?.includes(breakpoint));
    this.event("stopped", {
      reason,
      threadId: THREAD,
      allThreadsStopped: true,
      ...(description ? { description } : {}),
      ...(text ? { text } : {}),
      ...(ids.length > 0 ? { hitBreakpointIds: ids.map(({ id }) => id) } : {}),
    });
    const { asked, place } = this.#stopped;
    if (stop.asks && asked) {
      this.#say(`${questionText(asked, this.#stopped.run)}\n`, "stdout");
      this.event(QUESTION, asked);
    }
    this.event(PLACE, place);
  }

  #set(frame: Frame, name: string, text: string): Answered {
    const set = this.#stopped.set(frame, name, text);
    if ("problem" in set) {
      // VS Code shows the reason only once the value is edited again.
      this.#say(`${set.problem}\n`, "stderr");
      throw new RequestError(set.problem);
    }
    return {
      body: this.#shown.value(set.value),
      after: () => this.#canInvalidate && this.event("invalidated", { areas: ["variables"] }),
    };
  }

  #fileChanged(file: string): void {
    clearTimeout(this.#changed.get(file));
    const timer = setTimeout(() => this.inTurn(() => this.#readAgain(file)), GATHER_MS);
    this.#changed.set(file, timer);
  }

  async #readAgain(file: string): Promise<void> {
    const controller = this.#controller;
    const launch = this.#launch;
    if (!controller || !launch) return;
    for (const each of this.#breakpoints.moved(file, await this.#sources.flow(file)))
      this.event("breakpoint", { reason: "changed", breakpoint: this.#protocolBreakpoint(each, file) });
    const nodeBefore = controller.levels[0]?.at;
    const noteBefore = this.#noteOfEdit;
    const wasBehind = this.#isBehind;
    try {
      this.#noteOfEdit = controller.repeat(await this.#sources.load(launch));
      this.#isBehind = false;
    } catch (error) {
      // The text is incomplete: the run stays as it is until the text can be run again.
      if (!(error instanceof CannotStart)) throw error;
      this.#noteOfEdit = error.message;
      this.#isBehind = true;
    }
    this.#shown.clear();
    // While the user types, the same problem remains after each key.
    if (this.#noteOfEdit !== undefined && this.#noteOfEdit !== noteBefore) this.#say(`${this.#noteOfEdit}\n`, "stderr");
    if (wasBehind && this.#noteOfEdit === undefined) this.#say("The run was updated.\n", "stdout");
    if (!controller.hasBegun) return;
    // A new stop or invalidated frames would make VS Code reveal the frame and move the cursor while the user types.
    // Only a run that is now at another node sends a stop, and asks the client to keep the focus.
    if (controller.levels[0]?.at !== nodeBefore)
      this.event("stopped", { reason: "step", threadId: THREAD, allThreadsStopped: true, preserveFocusHint: true });
    else if (this.#canInvalidate) this.event("invalidated", { areas: ["variables"] });
    this.event(PLACE, controller.place);
  }

  async #rebind(): Promise<void> {
    for (const file of this.#breakpoints.files) this.#breakpoints.moved(file, await this.#sources.flow(file));
  }

  async #setBreakpoints({ source, breakpoints, lines }: DebugProtocol.SetBreakpointsArguments): Promise<Answered> {
    const file = absolute(this.#sources.cwd, source.path ?? source.name ?? "");
    const requested: readonly DebugProtocol.SourceBreakpoint[] = breakpoints ?? (lines ?? []).map((line) => ({ line }));
    const bound = this.#breakpoints.set(
      file,
      await this.#flowAt(file),
      requested.map((request) => ({
        request,
        line: Math.max(0, request.line - this.#from.line),
        ...(request.column === undefined ? {} : { column: Math.max(0, request.column - this.#from.column) }),
      })),
    );
    return { body: { breakpoints: bound.map((each) => this.#protocolBreakpoint(each, file)) } };
  }

  #protocolBreakpoint(bound: BoundBreakpoint, file: string): DebugProtocol.Breakpoint {
    const { id, breakpoint, line, column, message } = bound;
    return {
      id,
      verified: breakpoint !== undefined,
      line: line + this.#from.line,
      ...(column === undefined ? {} : { column: column + this.#from.column }),
      source: sourceOf(file),
      ...(message === undefined ? {} : { message, reason: "failed" }),
    };
  }

  async #breakpointLocations(args: DebugProtocol.BreakpointLocationsArguments): Promise<Answered> {
    const file = absolute(this.#sources.cwd, args.source.path ?? "");
    const program = await this.#flowAt(file);
    if (!program) return { body: { breakpoints: [] } };
    const from = args.line - this.#from.line;
    const places = elementsOnLines(program.document, from, (args.endLine ?? args.line) - this.#from.line);
    const breakpoints = places.map(({ span }) => {
      const { line, character } = program.document.positionAt(span.start);
      return { line: line + this.#from.line, column: character + this.#from.column };
    });
    return { body: { breakpoints } };
  }

  async #flowAt(file: string): Promise<Program | undefined> {
    return isFlowFile(file) || !/\.[a-z]+$/i.test(file) || file.includes("untitled:")
      ? this.#sources.flow(file)
      : undefined;
  }

  #level(frameId: number | undefined): StackLevel {
    const { levels } = this.#stopped;
    const level = frameId === undefined ? levels[0] : levels.find(({ frame }) => frame.depth + 1 === frameId);
    if (!level) throw new RequestError("The run has continued. Refresh the call stack.");
    return level;
  }

  #stackTrace({ startFrame = 0, levels: count }: DebugProtocol.StackTraceArguments): Answered {
    const { levels, loaded } = this.#stopped;
    const shown = levels.slice(startFrame, count ? startFrame + count : undefined);
    const stackFrames = shown.map((level) =>
      stackFrame(level, loaded.fileOf(level.frame.program), this.#from, loaded.setup.tools),
    );
    return { body: { stackFrames, totalFrames: levels.length } };
  }

  #evaluate({ expression, context, frameId }: DebugProtocol.EvaluateArguments): Answered {
    if (context === "repl" && isAnswer(expression)) return this.#answerWith(expression);
    const evaluated = this.#stopped.evaluate(this.#level(frameId).frame, expression);
    if (!evaluated)
      throw new RequestError(`"${expression}" isn't a variable or a condition that can be evaluated here.`);
    if (evaluated.kind === "truth") {
      const { truth, why } = evaluated;
      const result = truth === undefined ? `open: ${why}` : String(truth);
      return { body: { result, type: why, variablesReference: 0 } };
    }
    const { value, variablesReference, type } = this.#shown.value(evaluated.value);
    return { body: { result: value, type, variablesReference } };
  }

  #completions({ text, column }: DebugProtocol.CompletionsArguments): Answered {
    const typed = text.slice(0, Math.max(0, column - this.#from.column));
    return { body: { targets: completionsFor(this.#stopped.run, typed) } };
  }

  #targets({ source, line }: DebugProtocol.GotoTargetsArguments): Answered {
    const file = absolute(this.#sources.cwd, source.path ?? "");
    const found = this.#stopped.visitsOf(file, line - this.#from.line);
    this.#gotoTargets = found.map(({ number }) => number);
    const targets = found.map(({ at, line: start }, index) => ({
      id: index + 1,
      label: at,
      line: start + this.#from.line,
    }));
    return { body: { targets } };
  }

  /** Not the category "console", which VS Code shows as a warning. */
  #say(output: string, category: "stdout" | "stderr", program?: Program, line?: number): void {
    const file = program && this.#controller?.loaded.fileOf(program);
    const place =
      file === undefined || line === undefined ? {} : { source: sourceOf(file), line: line + this.#from.line };
    this.event("output", { category, output, ...place });
  }
}
