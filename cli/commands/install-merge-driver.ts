/** `assistant-flow install-merge-driver`: writes the Git configuration that docs/review.md describes. */
import path from "node:path";
import { readText, replaceText } from "../../files";
import { EXIT, type Input } from "../command";
import { Repository } from "../review/git";

const attributes = ["*.flow.yaml merge=assistant-flow", "*.flow.yml merge=assistant-flow"];

export async function run({ terminal }: Input): Promise<number> {
  const repository = await Repository.at(terminal.cwd);
  await repository.configure("merge.assistant-flow.name", "Assistant Flow");
  await repository.configure(
    "merge.assistant-flow.driver",
    `${thisProgram()} merge %O %A %B --marker-size %L --name=%P`,
  );
  const file = path.join(repository.top, ".gitattributes");
  const before = await readText(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const text = before ?? "";
  const lines = text.split(/\r?\n/);
  const missing = attributes.filter((line) => !lines.includes(line));
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  if (missing.length > 0) await replaceText(file, before, `${text}${gap}${missing.join("\n")}\n`);
  terminal.out("Git now uses Assistant Flow to merge flow files in this repository.\n");
  if (missing.length > 0)
    terminal.out("Commit .gitattributes so that it applies to everyone who installs the driver.\n");
  return EXIT.fine;
}

/** The command line for Git's shell, with absolute paths, so that no other program of the same name runs. */
function thisProgram(): string {
  const quoted = [process.execPath, ...process.execArgv, process.argv[1] ?? "assistant-flow"];
  return quoted.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}
