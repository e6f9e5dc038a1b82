/** `assistant-flow fmt`. */
import { replaceText } from "../../files";
import { applyEdits, FlowDocument, formatDocument } from "../../flow";
import { oneLine } from "../../text";
import { EXIT, type Input } from "../command";
import { FORMATTED_KINDS, namedFiles, STANDARD_INPUT, withText } from "../files/flow-files";
import { count, counted } from "../terminal";

export async function run({ args, options, terminal }: Input<{ check?: boolean }>): Promise<number> {
  const named = await namedFiles(args, terminal, FORMATTED_KINDS);
  const files = await Promise.all(named.map((file) => withText(file, terminal.cwd)));
  const piped = args.includes(STANDARD_INPUT);
  let changed = 0;
  let unread = 0;
  for (const { path, absolute, text } of counted("Formatting", files, terminal)) {
    const document = FlowDocument.read(text);
    const broken = document.problems.find((problem) => problem.code !== "duplicate-key");
    if (broken) {
      unread++;
      const { line } = document.positionAt(broken.span.start);
      terminal.err(oneLine`${path}:${line + 1}: skipped because of a syntax error: ${broken.message}\n`);
    }
    const formatted = applyEdits(text, formatDocument(document));
    if (piped && !options.check) terminal.data(formatted);
    if (formatted === text) continue;
    changed++;
    if (piped) continue;
    if (!options.check) await replaceText(absolute, text, formatted);
    terminal.out(options.check ? oneLine`${path} isn't formatted.\n` : oneLine`${path} was formatted.\n`);
  }
  if (!piped && changed === 0 && unread === 0) terminal.err(`${count(files.length, "file")} checked, no changes.\n`);
  return unread > 0 || (options.check && changed > 0) ? EXIT.failed : EXIT.fine;
}
