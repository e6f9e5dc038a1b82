/**
 * Every setting under `assistantFlow.` that the server reads; the type follows from the defaults. Editors send whatever
 * the user wrote, so `readSettings` accepts anything and uses the default for each invalid value.
 */
import type { Severity } from "../flow";
import { isRecord } from "../flow";

export interface Settings {
  /** Severity by rule code; `off` disables a rule. */
  readonly rules: Readonly<Record<string, Severity | "off">>;
  readonly codeLens: {
    readonly edges: boolean;
    readonly findings: boolean;
    readonly plan: boolean;
    readonly preview: boolean;
    readonly restore: boolean;
    readonly tests: boolean;
  };
  readonly inlayHints: {
    readonly targets: boolean;
    readonly setHere: boolean;
    readonly tools: boolean;
  };
  /** URLs of the platform's pages; `{id}` is replaced with the UUID. Empty: no link. */
  readonly links: {
    readonly assistant: string;
    readonly revision: string;
    readonly tool: string;
    readonly component: string;
  };
  readonly diagnostics: {
    /** Also check flow files that aren't open. */
    readonly workspace: boolean;
  };
  readonly sync: {
    /** Whether a save is pushed: at once, after confirmation, or only on request. */
    readonly onSave: "on" | "ask" | "off";
    /** Whether an auto-save counts as a save; otherwise it waits for a push. */
    readonly onAutoSave: "on" | "off";
  };
}

export const defaultSettings: Settings = {
  rules: {},
  codeLens: { edges: true, findings: true, plan: true, preview: true, restore: true, tests: true },
  inlayHints: { targets: true, setHere: true, tools: true },
  links: { assistant: "", revision: "", tool: "", component: "" },
  diagnostics: { workspace: true },
  sync: { onSave: "on", onAutoSave: "off" },
};

const severities = new Set<unknown>(["off", "hint", "info", "warning", "error"]);

export function readSettings(sent: unknown): Settings {
  const given = isRecord(sent) ? sent : {};
  const filled = fill(defaultSettings, given);
  return {
    ...filled,
    sync: {
      onSave: oneOf(["on", "ask", "off"], filled.sync.onSave, defaultSettings.sync.onSave),
      onAutoSave: oneOf(["on", "off"], filled.sync.onAutoSave, defaultSettings.sync.onAutoSave),
    },
    rules: Object.fromEntries(
      Object.entries(isRecord(given.rules) ? given.rules : {}).filter(([, severity]) => severities.has(severity)),
    ) as Settings["rules"],
  };
}

function oneOf<T>(known: readonly T[], value: T, otherwise: T): T {
  return known.includes(value) ? value : otherwise;
}

/** The defaults, overridden by each given value of the same type. */
function fill<T extends object>(defaults: T, given: Record<string, unknown>): T {
  return Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => {
      const sent = given[key];
      if (isRecord(value)) return [key, fill(value, isRecord(sent) ? sent : {})];
      return [key, typeof sent === typeof value ? sent : value];
    }),
  ) as T;
}
