/** What a command is: data from which the parser, the help, the completions and docs/cli.md are made, and a way to its work. */
import { visibleLine } from "../text";
import type { Terminal } from "./terminal";

export interface CommandDefinition {
  /** The words that invoke it: `check`, `keys list`. */
  readonly name: string;
  /** One imperative line for lists, without a period. */
  readonly summary: string;
  /** Further sentences for its own help. */
  readonly about?: string;
  readonly args?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  readonly examples: readonly Example[];
  /** Exit codes other than success, in ascending order. */
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
  /** May be repeated. */
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
  /** There are findings, or the command failed. */
  failed: 1,
  /** There are changes (`plan`, `diff`). */
  changes: 2,
  /** The platform can't be reached, or rejected the key. */
  unreachable: 3,
  /** Confirmation is required; a flag provides it. */
  undecided: 4,
  /** The platform has newer changes than the file, or may have because it doesn't report its version. */
  behind: 5,
  usage: 64,
  /** An internal error. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "Success.",
  1: "There are findings, or the command failed.",
  2: "There are changes (`plan`, `diff`, `drift`), or the files couldn't be merged (`merge`).",
  3: "The platform can't be reached, or it rejected the key.",
  4: "Confirmation required; the message names the flag to pass.",
  5: "The platform has newer changes, or may have. Pull them.",
  64: "Invalid command line.",
  70: "Internal error. Please report it.",
};

/** Ends a command with a message for the user and an exit code. */
export class Stop extends Error {
  override readonly name = "Stop";
  constructor(
    message: string,
    readonly code: ExitCode = EXIT.failed,
  ) {
    // Messages can contain file names and text from the platform. Their line breaks must not forge output lines.
    super(visibleLine(message));
  }
}
