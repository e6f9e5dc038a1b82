/** The documentation pages of the rules; they are next to the folder this file runs from. */
import { ruleCatalog, ruleDocUrl } from "../flow";
import { join, pathToFileURL } from "../system";

export function pageOf(code: string): string | undefined {
  return pages.get(code);
}

const INSTALLED = pathToFileURL(join(__dirname, "..")).href;
const pages = new Map(ruleCatalog.map(({ code }) => [code, ruleDocUrl(code, INSTALLED)]));
