/**
 * How much work a request or a command may still take, over all flows that it looks at: small texts can ask for more than
 * any machine can do. Work is counted, not timed, so the same input gives the same answer everywhere.
 */
export class Work {
  constructor(
    private left: number,
    /** What all parts of a request or a command may take together, and how much of it is this part's own in any case. */
    private readonly together?: Work,
    private own = 0,
  ) {}

  /** Takes some away; throws `WorkSpent` where that is more than is left. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new WorkSpent();
    this.own -= steps;
    if (this.own >= 0) return;
    this.together?.spend(-this.own);
    this.own = 0;
  }

  /** Throws `WorkSpent` where this much is more than is left; takes nothing away. */
  expect(steps: number): void {
    if (this.left < steps) throw new WorkSpent();
    if (steps > this.own) this.together?.expect(steps - this.own);
  }
}

/** How work is counted by those who do it. */
export type Spending = Pick<Work, "spend" | "expect">;

/** What was asked for takes more work than is spent on it. Whoever gave the work says so in its answer. */
export class WorkSpent extends Error {
  constructor() {
    super("This takes more work than is spent on it.");
  }
}

/** What may be spent on the policies of one flow: a fraction of a second, the same in an editor and in a command. */
export const FLOW_WORK = 2_000_000;

/** What may be spent on all flows together, beside what each of them has for itself: a small one is always checked. */
const COMMAND_WORK = 20_000_000;
const WORK_OF_FLOW = 20_000;

/** Gives each flow of a request or a command its share of one budget. */
export class SharedWork {
  readonly #all = new Work(COMMAND_WORK);

  forFlow(): Work {
    return new Work(FLOW_WORK, this.#all, WORK_OF_FLOW);
  }
}
