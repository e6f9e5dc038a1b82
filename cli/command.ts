/** What a command is: data from which the parser, the help, the completions and docs/cli.md are made, and a way to its work. */
import { visibleLine } from "../text";
import type { Terminal } from "./terminal";

export interface CommandDefinition {
  /** The words that call it: `check`, `keys list`. */
  readonly name: string;
  /** One line for lists, without a full stop. */
  readonly summary: string;
  /** More for its own help, in full sentences. */
  readonly about?: string;
  readonly args?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  readonly examples: readonly Example[];
  /** What it says with its exit code beyond success, in the order of the codes. */
  readonly exits: readonly ExitCode[];
}

export interface ArgumentDefinition {
  readonly name: string;
  readonly about: string;
  readonly required?: boolean;
  readonly many?: boolean;
  readonly choices?: readonly string[];
}

export interface OptionDefinition {
  /** `--format <kind>`, `--fix`. */
  readonly flags: string;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** May be given several times. */
  readonly many?: boolean;
}

export interface Example {
  readonly run: string;
  readonly about: string;
}

export interface CommandModule {
  run(input: Input<never>): Promise<number>;
}

export interface Input<Options = Readonly<Record<string, never>>> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
}

/** Scripts rely on these; docs/cli.md lists them. */
export const EXIT = {
  fine: 0,
  /** Findings, or the work could not be done. */
  failed: 1,
  /** There are changes: of `plan` and `diff`. */
  changes: 2,
  /** The platform could not be reached, or refused the key. */
  unreachable: 3,
  /** A person has to decide, and a flag says what. */
  undecided: 4,
  /** The platform has newer changes than the file, or may have: it doesn't show which version it is at. */
  behind: 5,
  usage: 64,
  /** A fault of this program. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "Success.",
  1: "There are findings, or the work could not be done.",
  2: "There are changes (`plan`, `diff`), or nothing could be merged (`merge`).",
  3: "The platform couldn't be reached, or it rejected the key.",
  4: "A person has to decide; the message names the flag that does.",
  5: "The platform has newer changes, or doesn't show whether it has; pull them.",
  64: "The command line isn't valid.",
  70: "An internal error. Please report it.",
};

/** Ends a command with words for a person and an exit code. */
export class Stop extends Error {
  override readonly name = "Stop";
  constructor(
    message: string,
    readonly code: ExitCode = EXIT.failed,
  ) {
    // Names of files and words of others start no line of their own, whichever command says them.
    super(visibleLine(message));
  }
}

/** By name: the commands are a bundle of their own, with a class of their own. */
export function isStop(error: unknown): error is Stop {
  return error instanceof Error && error.name === "Stop";
}
