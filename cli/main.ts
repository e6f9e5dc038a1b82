/** The command line. Each command is loaded only when it is asked for, so that `--help` is quick. */
import { Command } from "commander";

const program = new Command("assistant-flow")
  .description("Assistant flows without an editor, and the sandbox platform.")
  .version("0.1.0")
  .showHelpAfterError();

program
  .command("sandbox")
  .description("Start the local platform on 127.0.0.1")
  .option("--port <number>", "port of the platform address; 0 takes a free one", "0")
  .option("--calling-port <number>", "port of the calling address (default: the one after --port, or a free one)")
  .option("--admin-port <number>", "port for faults, the request log and the clock (default: off)")
  .option("--data-dir <directory>", "keep the state here (default: in memory only)")
  .option("--demo", "fill an empty state with a demo organisation")
  .option("--on-version-mismatch <behaviour>", "409, 412, 422, apply or ignore", "409")
  .option("--without <parts>", "leave out: whoami, revision-read, review-list (comma-separated)")
  .option("--clock-speed <factor>", "let sandbox time run faster", "1")
  .option("--json", "print one line of JSON when ready")
  .action(async (options) => (await import("./commands/sandbox")).runSandbox(options));

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
