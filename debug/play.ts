/** A conversation on the Play page: runs to the next question, and back to the previous one. */

import { whyNoRun } from "../flow";
import {
  askedAt,
  conversationOf,
  endWords,
  type Moment,
  needsAnswer,
  Run,
  readAnswer,
  repeatRun,
  runAlong,
  type SavedTest,
  type SaveRequest,
  saveAsTest,
  shown,
  wayAlong,
  wayInto,
} from "../flow/debug";
import type { PlayView, RunPlace } from "./messages";
import { placeOfRun } from "./presentation";
import { CannotStart, type DebugHost, type Loaded, runUnchanged, Sources } from "./sources";

/** Where to start: at the entry, at a node reached by the shortest path, or at the end of a path. */
export interface PlayFrom {
  readonly node?: string;
  readonly path?: readonly string[];
}

/** The Play page shows at most this many turns, the latest ones. */
const MAX_TURNS = 300;

export class Play {
  #run: Run;
  #loaded: Loaded;
  #note: string | undefined;
  /** The conversation before edits shortened it; a later edit may restore it. */
  #whole: Moment | undefined;

  static async begin(host: DebugHost, program: string, from: PlayFrom = {}): Promise<Play> {
    const sources = new Sources(host, host.cwd);
    return new Play(sources, program, from, await sources.load({ program }));
  }

  private constructor(
    private readonly sources: Sources,
    private readonly program: string,
    private readonly from: PlayFrom,
    loaded: Loaded,
  ) {
    this.#loaded = loaded;
    this.#run = this.#first();
  }

  get files(): readonly string[] {
    return this.#loaded.files;
  }

  get view(): PlayView {
    const { now, state } = this.#run;
    const { program, variables } = state.frame;
    const names = [...new Set([...program.document.variables.map(({ name }) => name), ...variables.keys()])];
    return {
      file: this.#loaded.flowFile,
      turns: conversationOf(now, this.#run.setup.tools)
        .slice(-MAX_TURNS)
        .map(({ kind, at, title, text, unset }) => ({ kind, at, title, text, unset })),
      asks: askedAt(now, this.#run.setup.tools),
      variables: names.map((name) => ({ name, value: shown(variables.get(name)), isSet: variables.has(name) })),
      ended: state.ended && endWords(state),
      canGoBack: this.#questionBefore() !== undefined,
      note: this.#note,
      place: this.place,
    };
  }

  get place(): RunPlace {
    return placeOfRun(this.#run, this.#loaded.flowFile, askedAt(this.#run.now, this.#run.setup.tools));
  }

  /** Answers the current question, with the syntax of the debug console; returns a problem if the answer is invalid. */
  answer(text: string): string | undefined {
    this.#forget();
    const said = readAnswer(text, this.#run.state);
    if ("problem" in said) return said.problem;
    this.#run.answer(said.answer);
    this.#runToQuestion();
    return undefined;
  }

  back(): void {
    this.#forget();
    const before = this.#questionBefore();
    if (before) this.#run.goBackTo(before);
  }

  restart(): void {
    this.#forget();
    this.#run = this.#first();
  }

  save(request: SaveRequest): SavedTest {
    return saveAsTest(this.#run.now, this.#run.setup, request);
  }

  /** Repeats the conversation on the current text. */
  async repeat(): Promise<void> {
    try {
      const loaded = await this.sources.load({ program: this.program });
      if (loaded.setup.program === this.#loaded.setup.program) return;
      const setup = { ...loaded.setup, test: this.#run.setup.test };
      const whole = this.#whole ?? this.#run.now;
      const repeated = repeatRun(whole, setup);
      if (!repeated) throw new CannotStart(runUnchanged(setup.program));
      this.#loaded = loaded;
      this.#run = repeated.run;
      this.#note = repeated.note;
      this.#whole = repeated.note === undefined ? undefined : whole;
      this.#runToQuestion();
    } catch (error) {
      // The text is incomplete: the conversation stays as it is.
      if (!(error instanceof CannotStart)) throw error;
      this.#note = error.message;
    }
  }

  #forget(): void {
    this.#note = undefined;
    this.#whole = undefined;
  }

  #first(): Run {
    const { setup } = this.#loaded;
    const { node, path } = this.from;
    const way = path
      ? wayAlong(setup.program, path, setup.flowOf)
      : node === undefined
        ? undefined
        : wayInto(setup.program, node, setup.flowOf);
    if ((path || node !== undefined) && !way)
      this.#note = `No answers lead to "${node ?? path?.at(-1)}". The conversation starts at the entry.`;
    const run = way ? runAlong(setup, way) : Run.begin(setup);
    if (!run) throw new CannotStart(`The flow ${whyNoRun(setup.program.document)}`);
    this.#run = run;
    this.#runToQuestion();
    return this.#run;
  }

  /** Runs to the next question, or to the end. */
  #runToQuestion(): void {
    while (this.#run.forward().kind === "moved");
  }

  #questionBefore() {
    for (let moment = this.#run.now.before; moment; moment = moment.before)
      if (needsAnswer(moment.state) && !isEntered(moment, this.#run)) return moment;
    return undefined;
  }
}

/** A component's own question isn't one to go back to: it is answered by the component's run. */
function isEntered({ state: { question } }: { readonly state: Run["state"] }, { setup }: Run): boolean {
  return question?.kind === "call" && question.flow !== undefined && setup.test.tools.size === 0;
}
