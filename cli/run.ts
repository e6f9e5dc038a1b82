/** Parses a command line, runs the command, and turns errors into a message and an exit code. */
import { Argument, Command, CommanderError, Option } from "commander";
import { fileKind } from "../flow/file-kind";
import { type CommandDefinition, EXIT, type Input, type OptionDefinition, Stop } from "./command";
import { definitions, groups, PROGRAM, VERSION } from "./definitions";
import { loaders } from "./loaders";
import type { Terminal } from "./terminal";

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.fine;
  let isJson = false;
  let hasOutput = false;
  const noted = (write: (text: string) => void) => ({
    value: (text: string) => {
      hasOutput = true;
      write(text);
    },
  });
  const watched: Terminal = Object.create(terminal, { out: noted(terminal.out), data: noted(terminal.data) });
  /** A program that asked for JSON gets JSON, whatever went wrong. */
  const fail = (message: string) => {
    if (isJson && !hasOutput) terminal.out(`${JSON.stringify({ error: message }, null, 2)}\n`);
    terminal.err(`${message}\n`);
  };
  const program = programOf(watched, async (definition, input) => {
    isJson = (input.options as { format?: string }).format === "json";
    const load = loaders[definition.name];
    if (!load) throw new Error(`Command "${definition.name}" has no module.`);
    code = await (await load()).run(input as Input<never>);
  });
  try {
    // `help push` is an alias of `push --help`.
    const asked = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
    await program.parseAsync(withoutFilesAsSeconds(asked.map(fileFirst)), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    if (error instanceof Stop) {
      if (error.message) fail(error.message);
      return error.code;
    }
    // Loaded on demand: `--help` shouldn't have to load the platform's contract.
    const { explain } = await import("./explain");
    const { message, code: exit } = explain(error, terminal.env);
    fail(message);
    return exit;
  }
}

/**
 * A file called `-V.flow.yaml` isn't an option: the program would print its version and succeed without doing its work.
 * Shells expand patterns to such names, and Git passes them to the merge driver.
 */
function fileFirst(arg: string): string {
  return /^-[^-]/.test(arg) && fileKind(arg) !== undefined ? `./${arg}` : arg;
}

/** `--wait` has an optional value, and a file after it isn't one. */
function withoutFilesAsSeconds(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((arg, index) => {
    const isOption = arg === "--wait" && (end < 0 || index < end);
    return isOption && !/^\d+(\.\d+)?$/.test(argv[index + 1] ?? "") ? "--wait=" : arg;
  });
}

/** The parser of the command line. */
export function programOf(
  terminal: Pick<Terminal, "out" | "err">,
  action: (definition: CommandDefinition, input: Input<unknown>) => Promise<void>,
): Command {
  const program = new Command(PROGRAM.name).description(PROGRAM.about).version(VERSION, "-V, --version");
  prepare(program, terminal);
  program.addHelpText("after", `\nSee docs/cli.md for exit codes, environment variables and formats.\n`);
  const parents = new Map<string, Command>([["", program]]);
  for (const definition of definitions) {
    const words = definition.name.split(" ");
    const name = words.pop() as string;
    const group = words.join(" ");
    const summary = groups[group] as string;
    const parent =
      parents.get(group) ?? prepare(program.command(group).summary(summary).description(`${summary}.`), terminal);
    parents.set(group, parent);
    const command = prepare(parent.command(name), terminal);
    command.summary(definition.summary).description(`${definition.summary}.${about(definition)}`);
    for (const arg of definition.args ?? []) {
      const shown = `${arg.name}${arg.many ? "..." : ""}`;
      const argument = new Argument(arg.required ? `<${shown}>` : `[${shown}]`, arg.about);
      if (arg.choices) argument.choices([...arg.choices]);
      command.addArgument(argument);
    }
    for (const option of definition.options ?? []) command.addOption(optionOf(option));
    command.addHelpText("after", examplesOf(definition));
    command.action(async () => {
      const args = command.args;
      await action(definition, { args, options: command.opts(), terminal: terminal as Terminal });
    });
  }
  return program;
}

function prepare(command: Command, terminal: Pick<Terminal, "out" | "err">): Command {
  return command
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp({ helpWidth: 100, showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: (text, write) =>
        write(`${text.replace(/^error: /, "")}Run \`${nameOf(command)} --help\` for usage.\n`),
    });
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function optionOf({ flags, about, choices, default: initial, many }: OptionDefinition): Option {
  const [, summary, described] = /^(.*) \(default: (.*)\)$/.exec(about) ?? [];
  const option = new Option(flags, many && summary !== undefined ? summary : about);
  if (choices) option.choices([...choices]);
  if (many) option.default([], described ?? "none").argParser((value: string, all: string[]) => [...all, value]);
  if (initial !== undefined) option.default(initial);
  return option;
}

function about({ about }: CommandDefinition): string {
  return about ? `\n\n${about}` : "";
}

function examplesOf({ examples }: CommandDefinition): string {
  if (examples.length === 0) return "";
  return `\nExamples:\n${examples.map(({ run, about }) => `  # ${about}\n  ${run}`).join("\n")}\n`;
}
