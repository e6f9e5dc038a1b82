/** Rule severities: those of the workspace, as in the editor, overridden by the command line. */
import { existsSync } from "node:fs";
import path from "node:path";
import { isAllowed, readText } from "../../files";
import { type RuleSettings, ruleCatalog, type Severity } from "../../flow";
import { EXIT, Stop } from "../command";
import type { Terminal } from "../terminal";

export interface RuleOptions {
  readonly rule?: readonly string[];
  readonly settings?: string;
}

export async function ruleSettings({ rule = [], settings }: RuleOptions, terminal: Terminal): Promise<RuleSettings> {
  const rules: Record<string, Severity | "off"> = { ...(await fromFile(settings, terminal)) };
  for (const given of rule) {
    const [, code = "", severity = ""] = /^([^=]+)=(.*)$/.exec(given) ?? [];
    if (!isSeverity(severity))
      throw new Stop(
        `--rule ${given}: expected code=severity, where severity is off, hint, info, warning or error.`,
        EXIT.usage,
      );
    if (!ruleCatalog.some((known) => known.code === code))
      throw new Stop(`--rule ${given}: rule "${code}" doesn't exist. See docs/rules for a list.`, EXIT.usage);
    rules[code] = severity;
  }
  return rules;
}

async function fromFile(told: string | undefined, { cwd }: Terminal): Promise<RuleSettings> {
  const file = told === undefined ? await nearestSettings(cwd) : path.resolve(cwd, told);
  if (file === undefined) return {};
  const all = parseWithComments(await readText(file));
  if (all === undefined) throw new Stop(`${told ?? path.relative(cwd, file)} isn't valid JSON.`);
  const rules = all["assistantFlow.rules"];
  if (typeof rules !== "object" || rules === null) return {};
  return Object.fromEntries(Object.entries(rules).filter((entry): entry is [string, Severity] => isSeverity(entry[1])));
}

/** The settings file of the folder an editor would open: this one or a parent, within the repository. */
async function nearestSettings(folder: string): Promise<string | undefined> {
  if (!(await isAllowed(folder))) return undefined;
  const file = path.join(folder, ".vscode/settings.json");
  if (existsSync(file)) return file;
  const above = path.dirname(folder);
  return above === folder || existsSync(path.join(folder, ".git")) ? undefined : nearestSettings(above);
}

function isSeverity(value: unknown): value is Severity | "off" {
  return ["off", "hint", "info", "warning", "error"].includes(value as string);
}

/** Settings files may contain comments and trailing commas. */
function parseWithComments(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(bare(text));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes comments and trailing commas in a single pass, because the file may be large. */
function bare(text: string): string {
  const parts: string[] = [];
  let comma: number | undefined; // Index of the last comma, if followed only by whitespace.
  for (let at = 0; at < text.length; ) {
    const sign = text[at] as string;
    let end = at + 1;
    if (sign === '"') {
      while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      end++;
    } else if (sign === "/" && text[end] === "/") {
      while (end < text.length && text[end] !== "\n") end++;
      at = end;
      continue;
    } else if (sign === "/" && text[end] === "*") {
      const close = text.indexOf("*/", end + 1);
      at = close < 0 ? text.length : close + 2;
      continue;
    }
    if ((sign === "}" || sign === "]") && comma !== undefined) parts[comma] = "";
    if (sign === ",") comma = parts.length;
    else if (sign.trim() !== "") comma = undefined;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts.join("");
}
