/** Files of a kind below a folder, and their paths as reports show them. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { visible } from "../text";

const SKIPPED = new Set(["node_modules", "dist", "out", "build"]);

/** Absolute paths. With `readable`, a folder that can't be listed hides its own files only. */
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

/** A name may hold line breaks, behind which it could say anything in a report. */
export function shownPath(absolute: string, cwd: string): string {
  const relative = path.relative(cwd, absolute).split(path.sep).join("/");
  return visible(relative).replaceAll("\t", "\\u0009").replaceAll("\n", "\\u000a");
}
