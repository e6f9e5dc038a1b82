/** Finds files below a folder, and formats their paths for reports. */
import { path, readdir } from "../system";
import { visible } from "../text";

const SKIPPED = new Set(["node_modules", "dist", "out", "build"]);

/** Returns absolute paths. With `readable`, a folder that can't be listed is skipped instead of failing the search. */
export async function filesBelow(
  folder: string,
  isWanted: (name: string) => boolean,
  which: "all" | "readable" = "all",
): Promise<string[]> {
  const found: string[] = [];
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const items = readdir(at, { withFileTypes: true });
    for (const item of await (which === "all" ? items : items.catch(() => []))) {
      const place = path.join(at, item.name);
      if (item.isDirectory() && !item.name.startsWith(".") && !SKIPPED.has(item.name)) pending.push(place);
      else if (item.isFile() && isWanted(item.name)) found.push(place);
    }
  }
  return found;
}

/** Formats a path relative to `cwd`. Line breaks in a name are escaped, because they could forge lines of a report. */
export function shownPath(absolute: string, cwd: string): string {
  const relative = path.relative(cwd, absolute).split(path.sep).join("/");
  return visible(relative).replaceAll("\t", "\\u0009").replaceAll("\n", "\\u000a");
}
