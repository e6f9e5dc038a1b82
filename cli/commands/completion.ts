/** `assistant-flow completion`. */
import { EXIT, type Input } from "../command";
import { completionScript, type Shell } from "../definitions/shell-completion";

export async function run({ args, terminal }: Input): Promise<number> {
  terminal.out(completionScript(args[0] as Shell));
  return EXIT.fine;
}
