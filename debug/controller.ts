/** Controls one run under the debugger, in plain values. `session.ts` translates to and from the protocol. */

import { nearest, whyNoRun } from "../flow";
import {
  type AskedQuestion,
  askedAt,
  type Breakpoint,
  drive,
  driveBack,
  type Evaluated,
  echoOf,
  elementOnLine,
  endWords,
  entryOf,
  evaluateIn,
  type How,
  type Moment,
  momentsOf,
  needsAnswer,
  placeOf,
  Run,
  readAnswer,
  readTyped,
  repeatRun,
  runAlong,
  type SavedTest,
  type SaveRequest,
  type Stop,
  saveAsTest,
  shown,
  stopAt,
  type Trouble,
  type Watch,
  wayAlong,
} from "../flow/debug";
import { type Frame, isEntry, type Program, type State } from "../flow/run";
import { checkExpectations, type Failure } from "../flow/test";
import { fromVisible } from "../text";
import type { LaunchConfiguration, RunPlace } from "./messages";
import { levelsOf, placeOfRun, type StackLevel, variableNames } from "./presentation";
import { CannotStart, type Loaded, runUnchanged } from "./sources";

/** The result of a command: the run stopped or ended. */
export interface StopEvent {
  readonly reason: string;
  readonly description?: string;
  readonly text?: string;
  readonly hit?: readonly Breakpoint[];
  /** The run waits for an answer from the user. */
  readonly asks?: boolean;
  readonly end?: { readonly text: string; readonly exitCode: number };
  /** Shown in the console. */
  readonly notes?: readonly string[];
  readonly output?: readonly { readonly text: string; readonly program?: Program; readonly line?: number }[];
}

export interface ControllerHost {
  readonly breakpoints: () => Watch["breakpoints"];
  readonly troubles: () => ReadonlySet<Trouble>;
  readonly log: (text: string, program: Program, line: number) => void;
}

/** How many characters log points write until the next stop: a run may pass one thousands of times. */
const MAX_LOGGED = 100_000;

export class Controller {
  #run: Run;
  #loaded: Loaded;
  /** The run is stopped on the edge it took, before the node it leads to. */
  #isOnEdge = false;
  /** Breakpoints on the target node of that edge. */
  #afterEdge: readonly Breakpoint[] = [];
  /** How to continue once the question is answered. */
  #pending: How = "over";
  /** The start and end of each forward step, so that a step back undoes exactly that step. */
  #steps: { readonly from: Moment; readonly to: Moment }[] = [];
  /** The run before an edit shortened it; a later edit may restore it. */
  #whole: Moment | undefined;
  #hasEnded = false;
  /** The console has said how the conversation ended. */
  #isEndSaid = false;
  trouble: { readonly name: string; readonly text: string } | undefined;
  hasBegun = false;

  constructor(
    loaded: Loaded,
    private readonly launch: LaunchConfiguration,
    private readonly host: ControllerHost,
  ) {
    this.#loaded = loaded;
    this.#run = firstRun(loaded, launch);
  }

  get run(): Run {
    return this.#run;
  }

  get loaded(): Loaded {
    return this.#loaded;
  }

  get levels(): StackLevel[] {
    return levelsOf(this.#run.state, this.#isOnEdge);
  }

  get asked(): AskedQuestion | undefined {
    return askedAt(this.#run.now, this.#run.setup.tools);
  }

  get place(): RunPlace {
    return placeOfRun(this.#run, this.#loaded.flowFile, this.#run.isBehind ? undefined : this.asked);
  }

  /** The entered nodes, in order. */
  get path(): string[] {
    return this.#entries().map(({ state }) => state.at);
  }

  get #watch(): Watch {
    let left = MAX_LOGGED;
    return {
      breakpoints: this.host.breakpoints(),
      troubles: this.host.troubles(),
      log: (breakpoint, state) => {
        const { program } = state.frame;
        const place = placeOf(program.document, breakpoint.element);
        const line = place ? program.document.positionAt(place.span.start).line : 0;
        if (left <= 0) return;
        const message = breakpoint.message(state).slice(0, left);
        left -= message.length + 1;
        this.host.log(message, program, line);
        if (left <= 0) this.host.log("Further log messages are omitted until the next stop.", program, line);
      },
    };
  }

  begin(): StopEvent {
    this.hasBegun = true;
    if (this.launch.stopOnEntry) return this.#stopped("entry");
    if (this.launch.path) return this.#stopped("goto", "Paused at the end of the path");
    const stop = stopAt(this.#run.state, this.#watch);
    if (stop) return this.#stopFor(stop);
    if (this.#run.state.ended) return this.#stopFor({ kind: "ended" });
    return this.resume("continue");
  }

  resume(how: How): StopEvent {
    if (this.#isOnEdge) {
      this.#isOnEdge = false;
      if (how !== "continue") return this.#stopped("step");
      const [...hit] = this.#afterEdge;
      if (hit.length > 0) return { ...this.#stopped("breakpoint"), hit };
    }
    const from = this.#run.now;
    this.#pending = how;
    return this.#arrived(from, how, drive(this.#run, how, this.#watch));
  }

  answer(text: string): { readonly said: string; readonly go: () => StopEvent } | { readonly problem: string } {
    const said = answerTo(text, this.#run.state);
    if ("problem" in said) return said;
    const how = this.#pending;
    const go = () => {
      const from = this.#run.now;
      const stop = drive(this.#run, how, this.#watch, () => {
        this.#run.answer(said.answer);
        return { kind: "moved" };
      });
      return this.#arrived(from, how, stop);
    };
    return { said: echoOf(text, said.answer, this.#run.state), go };
  }

  back(isStep: boolean): StopEvent {
    const from = this.#run.now;
    return this.#withUndone(from, this.#back(isStep));
  }

  #back(isStep: boolean): StopEvent {
    const isOnEdge = this.#isOnEdge;
    this.#forget();
    // Stopped on an edge: the previous step is the one that took it.
    const last = this.#steps.at(-1);
    if (isStep && last?.to === this.#run.now && !isOnEdge) {
      this.#steps.pop();
      this.#run.goBackTo(last.from);
      return this.#stopped("step");
    }
    const stop = driveBack(this.#run, this.#watch, isStep);
    this.#steps = this.#steps.filter(({ to }) => to.number <= this.#run.now.number);
    return stop.kind === "start" ? this.#stopped("entry", "Paused at the start") : this.#stopFor(stop, false);
  }

  restartAt(at: string): StopEvent {
    const entry = entryOf(this.#run.now, at) ?? this.#entries().at(-1);
    return this.#goTo(entry, "restart");
  }

  goBack(number: number): StopEvent {
    return this.#goTo(this.#entries()[number], "goto");
  }

  /** The visits of the node on a line of a file, most recent first. */
  visitsOf(file: string, line: number): { readonly number: number; readonly at: string; readonly line: number }[] {
    return this.#entries()
      .flatMap(({ state }, number) => {
        const { program } = state.frame;
        if (this.#loaded.fileOf(program) !== file) return [];
        if (elementOnLine(program.document, line)?.node !== state.node.id) return [];
        return { number, at: state.at, line: program.document.positionOf(state.node.block).line };
      })
      .reverse();
  }

  evaluate(frame: Frame, text: string): Evaluated | undefined {
    return evaluateIn(frame, text);
  }

  /** Sets a variable and returns its new value. */
  set(frame: Frame, shown: string, text: string): { readonly value: unknown } | { readonly problem: string } {
    const names = variableNames(frame);
    // Names with invisible characters were shown escaped, so accept both forms.
    const name = [shown, fromVisible(shown)].find((each) => names.includes(each));
    if (name === undefined) {
      const near = nearest(shown, names);
      return { problem: `Variable "${shown}" doesn't exist.${near === undefined ? "" : ` Did you mean "${near}"?`}` };
    }
    const read = readTyped(text, name, frame);
    if ("problem" in read) return read;
    this.#run.set(frame, name, read.value);
    this.#whole = undefined;
    return read;
  }

  save(request: SaveRequest): SavedTest {
    return saveAsTest(this.#run.now, this.#run.setup, request);
  }

  /** Repeats the run on the current flows; returns a note if some of it no longer applies. Throws if they can't run. */
  repeat(loaded: Loaded): string | undefined {
    if (loaded.setup.program === this.#loaded.setup.program && loaded.setup.test === this.#run.setup.test)
      return undefined;
    const whole = this.#whole ?? this.#run.now;
    const repeated = repeatRun(whole, loaded.setup);
    if (!repeated) throw new CannotStart(runUnchanged(loaded.setup.program));
    const wasAtEnd = this.#hasEnded;
    const saidEnd = this.#isEndSaid ? endWords(this.#run.state) : undefined;
    this.#loaded = loaded;
    this.#run = repeated.run;
    this.#forget();
    this.#steps = [];
    this.#hasEnded = wasAtEnd && this.#run.state.ended !== undefined;
    this.#isEndSaid = this.#hasEnded && endWords(this.#run.state) === saidEnd;
    this.#whole = whole;
    return repeated.note;
  }

  #goTo(moment: Moment | undefined, reason: string): StopEvent {
    const from = this.#run.now;
    this.#forget();
    if (moment) this.#run.goBackTo(moment);
    this.#steps = this.#steps.filter(({ to }) => to.number <= this.#run.now.number);
    return this.#withUndone(from, this.#stopped(reason));
  }

  /**
   * Going back undoes manual changes of variables; reports them, because nothing else shows it if the run stays at its
   * node.
   */
  #withUndone(from: Moment, stop: StopEvent): StopEvent {
    const undone: { readonly name: string; readonly note: string }[] = [];
    for (let moment: Moment | undefined = from; moment && moment !== this.#run.now; moment = moment.before) {
      if (moment.move?.kind !== "set") continue;
      const { name, value, frame } = moment.move;
      const before = shown(frame.variables.get(name));
      undone.push({ name, note: `Undid the change of "${name}" to ${shown(value)}: it is ${before} again.` });
    }
    const [last] = undone;
    if (!last) return stop;
    return { description: `Undid the change of "${last.name}"`, ...stop, notes: undone.map(({ note }) => note) };
  }

  #entries(): Moment[] {
    return momentsOf(this.#run.now).filter(({ state, move }) => isEntry(state) && move?.kind !== "set");
  }

  #forget(): void {
    this.#isOnEdge = false;
    this.trouble = undefined;
    this.#whole = undefined;
    this.#hasEnded = false;
    this.#isEndSaid = false;
  }

  #arrived(from: Moment, how: How, stop: Stop): StopEvent {
    const wasAtEnd = this.#hasEnded;
    const wasSaid = this.#isEndSaid;
    this.#forget();
    const { now } = this.#run;
    if (how !== "continue" && now !== from) this.#steps.push({ from, to: now });
    if (stop.kind === "ended" && wasAtEnd) return this.#end(wasSaid);
    return stop.kind === "ended" ? this.#atEnd(how !== "continue") : this.#stopFor(stop);
  }

  #stopFor(stop: Stop, isForward = true): StopEvent {
    switch (stop.kind) {
      case "step":
        return isForward && this.#run.state.phase === "leaving" && this.#run.asks()
          ? this.#asks(this.#run.asks() as Failure)
          : this.#stopped("step");
      case "breakpoint":
        this.#isOnEdge = stop.onEdge;
        this.#afterEdge = stop.behind;
        return { ...this.#stopped("breakpoint"), hit: stop.hit };
      case "trouble":
        this.#hasEnded = this.#run.state.ended !== undefined;
        return this.#inTrouble(stop.trouble, stop.text);
      case "asks":
        return this.#asks(stop.why);
      default:
        return this.#atEnd();
    }
  }

  #stopped(reason: string, description?: string): StopEvent {
    return { reason, ...(description ? { description } : {}) };
  }

  #asks(why: Failure): StopEvent {
    // A test with a wrong or missing answer fails here; the user may continue anyway.
    if (this.#loaded.testFile && !this.launch.noDebug) return { ...this.#inTrouble("test", why.message), asks: true };
    return { reason: "question", description: "Waiting for an answer", text: this.asked?.title ?? "", asks: true };
  }

  #inTrouble(name: string, text: string): StopEvent {
    this.trouble = { name, text };
    const description = name === "test" ? "Paused: the test failed" : `Paused: ${text}`;
    return { reason: "exception", description, text, output: [{ text, ...this.#here() }] };
  }

  #here(): { readonly program: Program; readonly line: number } {
    const { frame, node } = this.#run.state;
    return { program: frame.program, line: frame.program.document.positionOf(node.block).line };
  }

  /** A step also stops at the last node. */
  #atEnd(isStep = false): StopEvent {
    const failures = this.#failures();
    const isFailed = failures.length > 0 && !this.launch.noDebug;
    if (!isFailed && !isStep && !this.launch.stopAtEnd) return this.#end();
    this.#hasEnded = true;
    if (isFailed) return this.#inTrouble("test", failures.map(({ message }) => message).join("\n"));
    this.#isEndSaid = true;
    const reason = isStep ? "step" : "end";
    const text = endWords(this.#run.state);
    return { reason, description: "Paused at the end", text, notes: [text] };
  }

  #failures(): readonly Failure[] {
    if (!this.#loaded.testFile) return [];
    const { now, setup } = this.#run;
    return checkExpectations(setup.test, now.state, now.position.steps);
  }

  #end(isSaid = false): StopEvent {
    const { ended } = this.#run.state;
    const isBad = ended?.kind === "stuck" || ended?.kind === "endless";
    const failures = this.#failures();
    const words = this.#loaded.testFile ? [failures.length === 0 ? "The test passed." : "The test failed."] : [];
    const end = isSaid ? [] : [endWords(this.#run.state)];
    const text = [...end, ...words, ...failures.map(({ message }) => message)].join("\n");
    return { reason: "end", end: { text, exitCode: failures.length > 0 || (isBad && !this.#loaded.testFile) ? 1 : 0 } };
  }
}

/** Names with invisible characters were shown escaped, so an answer may use either form. */
function answerTo(text: string, state: State): ReturnType<typeof readAnswer> {
  const said = readAnswer(text, state);
  const meant = fromVisible(text);
  if (meant === text || /^\s*return\b/.test(text)) return said;
  return /^\s*give\b/.test(text) || "problem" in said ? readAnswer(meant, state) : said;
}

function firstRun({ setup }: Loaded, { path, values = {}, stopOnEntry }: LaunchConfiguration): Run {
  const known = new Map(Object.entries(values).filter(([, value]) => value !== null));
  const way = path && path.length > 0 ? wayAlong(setup.program, path, setup.flowOf, known) : undefined;
  if (path && path.length > 0 && !way)
    throw new CannotStart("No answers lead along this path. Start at the entry instead.");
  const run = way ? runAlong(setup, way) : Run.begin(setup);
  if (!run) throw new CannotStart(`The flow ${whyNoRun(setup.program.document)}`);
  if (way) while (!needsAnswer(run.state) && run.state.at !== path?.at(-1)) if (run.forward().kind !== "moved") break;
  if (way && stopOnEntry) while (run.back());
  return run;
}
