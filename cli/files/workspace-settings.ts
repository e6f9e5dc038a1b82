/** The settings of the folder that an editor would open. */
import { existsSync } from "node:fs";
import path from "node:path";
import { isAllowed, looksAbove, readText } from "../../files";
import { isRecord, parsedJson } from "../../flow";

/** The settings file of this folder or a parent, within the repository. */
export async function nearestSettings(folder: string): Promise<string | undefined> {
  if (!(await isAllowed(folder))) return undefined;
  const file = path.join(folder, ".vscode/settings.json");
  if (existsSync(file)) return file;
  return (await looksAbove(folder)) ? nearestSettings(path.dirname(folder)) : undefined;
}

/** Absolute paths of flows by the ID of the workflow that runs them, from `assistantFlow.calls.flows`. */
export async function flowsByWorkflow(cwd: string): Promise<ReadonlyMap<string, string>> {
  const file = await nearestSettings(cwd);
  const written =
    file === undefined ? undefined : parseWithComments(await readText(file))?.["assistantFlow.calls.flows"];
  if (file === undefined || typeof written !== "object" || written === null) return new Map();
  const folder = path.dirname(path.dirname(file));
  const entries = Object.entries(written).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return new Map(entries.map(([workflow, flow]) => [workflow, path.resolve(folder, flow)]));
}

/** Settings files may contain comments and trailing commas. */
export function parseWithComments(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(bare(text));
  return isRecord(value) ? value : undefined;
}

/** Removes comments and trailing commas in a single pass, because the file may be large. */
function bare(text: string): string {
  const parts: string[] = [];
  let comma: number | undefined; // Index of the last comma, if followed only by whitespace.
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    let end = at + 1;
    if (char === '"') {
      while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      end++;
    } else if (char === "/" && text[end] === "/") {
      while (end < text.length && text[end] !== "\n") end++;
      at = end;
      continue;
    } else if (char === "/" && text[end] === "*") {
      const close = text.indexOf("*/", end + 1);
      at = close < 0 ? text.length : close + 2;
      continue;
    }
    if ((char === "}" || char === "]") && comma !== undefined) parts[comma] = "";
    if (char === ",") comma = parts.length;
    else if (char.trim() !== "") comma = undefined;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts.join("");
}
