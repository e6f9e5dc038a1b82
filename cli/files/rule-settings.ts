/** Rule severities: those of the workspace, as in the editor, overridden by the command line. */
import path from "node:path";
import { readText } from "../../files";
import { type RuleSettings, ruleCatalog, type Severity } from "../../flow";
import { EXIT, Stop } from "../command";
import type { Terminal } from "../terminal";
import { nearestSettings, parseWithComments } from "./workspace-settings";

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

async function fromFile(chosen: string | undefined, { cwd }: Terminal): Promise<RuleSettings> {
  const file = chosen === undefined ? await nearestSettings(cwd) : path.resolve(cwd, chosen);
  if (file === undefined) return {};
  const all = parseWithComments(await readText(file));
  if (all === undefined) throw new Stop(`${chosen ?? path.relative(cwd, file)} isn't valid JSON.`);
  const rules = all["assistantFlow.rules"];
  if (typeof rules !== "object" || rules === null) return {};
  return Object.fromEntries(Object.entries(rules).filter((entry): entry is [string, Severity] => isSeverity(entry[1])));
}

function isSeverity(value: unknown): value is Severity | "off" {
  return ["off", "hint", "info", "warning", "error"].includes(value as string);
}
