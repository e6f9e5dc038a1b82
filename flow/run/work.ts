/**
 * The remaining work of a request or a command, over all flows it checks: small files can require unlimited work. Work
 * is counted, not timed, so the same input gives the same result everywhere.
 */
export class Work {
  constructor(
    private left: number,
    /** The budget of all parts together, of which `own` is guaranteed to this part. */
    private readonly together?: Work,
    private own = 0,
  ) {}

  /** Spends some; throws `WorkSpent` if that's more than is left. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new WorkSpent();
    this.own -= steps;
    if (this.own >= 0) return;
    this.together?.spend(-this.own);
    this.own = 0;
  }

  /** Throws `WorkSpent` if this is more than is left, without spending it. */
  expect(steps: number): void {
    if (this.left < steps) throw new WorkSpent();
    if (steps > this.own) this.together?.expect(steps - this.own);
  }
}

/** How callers count work. */
export type Spending = Pick<Work, "spend" | "expect">;

/** The request needs more work than its budget. The owner of the budget reports it. */
export class WorkSpent extends Error {
  constructor() {
    super("The limit of work is used up.");
  }
}

/** The budget for the policies of one flow: a fraction of a second, the same in an editor and in a command. */
export const FLOW_WORK = 2_000_000;

/** The budget for all flows together, in addition to that of each flow: a small one is always checked. */
const COMMAND_WORK = 20_000_000;
const WORK_OF_FLOW = 20_000;

/** The same for the run of one test, and for those of all tests. A step of a run takes longer than one of a search. */
export const TEST_WORK = 1_000_000;
const TESTS_WORK = 4_000_000;
const WORK_OF_TEST = 500;

/** Gives each flow and each test of a request or a command its share of one budget. */
export class SharedWork {
  readonly #flows = new Work(COMMAND_WORK);
  readonly #tests = new Work(TESTS_WORK);

  forFlow(): Work {
    return new Work(FLOW_WORK, this.#flows, WORK_OF_FLOW);
  }

  forTest(): Work {
    return new Work(TEST_WORK, this.#tests, WORK_OF_TEST);
  }
}
