/** The documentation pages of the rules; they are next to the folder this file runs from. */
import { ruleCatalog, ruleDocUrl } from "../flow";
import { join, pathToFileURL } from "../system";

export function pageOf(code: string): string | undefined {
  return pages.get(code);
}

const pages = new Map<string, string>();

/** A program in a browser doesn't know where it was loaded from, so its client tells it. */
export function setInstalled(folder: string): void {
  for (const { code } of ruleCatalog) pages.set(code, ruleDocUrl(code, folder));
}

setInstalled(pathToFileURL(join(__dirname, "..")).href);
