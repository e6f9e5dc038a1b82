/** `assistant-flow install-merge-driver`: the lines of Git's configuration that docs/review.md shows. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { readText, replaceText } from "../../files";
import { EXIT, type Input, Stop } from "../command";

const attributes = ["*.flow.yaml merge=assistant-flow", "*.flow.yml merge=assistant-flow"];

export async function run({ terminal }: Input): Promise<number> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("git", args, { cwd: terminal.cwd });
    return stdout.trim();
  };
  const top = await git("rev-parse", "--show-toplevel").catch(() => {
    throw new Stop("This folder isn't in a Git repository.", EXIT.failed);
  });
  await git("config", "merge.assistant-flow.name", "Assistant Flow");
  await git("config", "merge.assistant-flow.driver", `${thisProgram()} merge %O %A %B --marker-size %L --name %P`);
  const file = path.join(top, ".gitattributes");
  const before = await readText(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const text = before ?? "";
  const lines = text.split(/\r?\n/);
  const missing = attributes.filter((line) => !lines.includes(line));
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  if (missing.length > 0) await replaceText(file, before, `${text}${gap}${missing.join("\n")}\n`);
  terminal.out("Git now merges flow files with Assistant Flow in this repository.\n");
  if (missing.length > 0)
    terminal.out("Commit .gitattributes so that it applies to everyone who installs the driver.\n");
  return EXIT.fine;
}

/** As Git's shell has to be told: by path, so that nothing of the same name is run instead. */
function thisProgram(): string {
  const quoted = [process.execPath, ...process.execArgv, process.argv[1] ?? "assistant-flow"];
  return quoted.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}
