/** A copy of the project for builds, because other tests use the bundles of the project's folder. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { inProject, root, temporaryFolder } from "../../scripts/project";

/** Everything but documents and, without `tests`, tests. The packages are shared with the project. */
export async function copyProject({ tests = false } = {}): Promise<{ path: string; remove: () => Promise<void> }> {
  const left = tests ? /^docs\// : /^(test|docs)\//;
  const folder = await temporaryFolder();
  const all = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", all, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files.filter((each) => !left.test(each) && existsSync(inProject(each)))) {
    mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
    cpSync(inProject(file), path.join(folder.path, file));
  }
  symlinkSync(inProject("node_modules"), path.join(folder.path, "node_modules"));
  return folder;
}
