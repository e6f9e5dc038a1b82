/** Validates the arguments of each request, and tells the client which one is wrong. */

import { isRecord } from "../flow";
import { ANSWER, RESTART_FROM, SAVE_AS_TEST } from "./messages";

type Kind = "text" | "number" | "object" | "texts" | "objects" | "numbers" | "flag";

/** A name that ends in a question mark is optional. */
const kinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  launch: {
    "program?": "text",
    "test?": "text",
    "cwd?": "text",
    "path?": "texts",
    "values?": "object",
    "stopOnEntry?": "flag",
    "stopAtEnd?": "flag",
    "noDebug?": "flag",
  },
  setBreakpoints: { source: "object", "breakpoints?": "objects", "lines?": "numbers" },
  breakpointLocations: { source: "object", line: "number", "endLine?": "number" },
  setExceptionBreakpoints: { "filters?": "texts", "filterOptions?": "objects" },
  stackTrace: { "startFrame?": "number", "levels?": "number" },
  scopes: { frameId: "number" },
  variables: { variablesReference: "number", "start?": "number", "count?": "number" },
  setVariable: { variablesReference: "number", name: "text", value: "text" },
  setExpression: { expression: "text", value: "text", "frameId?": "number" },
  evaluate: { expression: "text", "frameId?": "number", "context?": "text" },
  completions: { text: "text", column: "number", "frameId?": "number" },
  restartFrame: { frameId: "number" },
  gotoTargets: { source: "object", line: "number" },
  goto: { targetId: "number" },
  [ANSWER]: { text: "text" },
  [RESTART_FROM]: { number: "number" },
  [SAVE_AS_TEST]: { flow: "text", "existing?": "text" },
};

/** The fields of arguments that are objects. */
const inside: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  source: { "path?": "text", "name?": "text" },
  breakpoints: {
    line: "number",
    "column?": "number",
    "condition?": "text",
    "hitCondition?": "text",
    "logMessage?": "text",
  },
  filterOptions: { filterId: "text" },
};

const words: Readonly<Record<Kind, string>> = {
  text: "a string",
  number: "a number",
  flag: "true or false",
  object: "an object",
  texts: "a list of strings",
  numbers: "a list of numbers",
  objects: "a list of objects",
};

/** Returns a sentence about the first invalid argument, or undefined. */
export function argumentProblem(command: string, args: unknown): string | undefined {
  if (args === undefined || args === null) return argumentProblem(command, {});
  if (!isRecord(args)) return `The arguments of "${command}" must be an object.`;
  return problemIn(args, Object.hasOwn(kinds, command) ? (kinds[command] ?? {}) : {}, `of "${command}"`);
}

function problemIn(
  fields: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, Kind>>,
  where: string,
): string | undefined {
  for (const [key, kind] of Object.entries(wanted)) {
    const name = key.replace(/\?$/, "");
    // Many clients send null for a missing value.
    const value = fields[name] ?? undefined;
    if (value === undefined) {
      if (key === name) return `Argument "${name}" ${where} is missing.`;
      continue;
    }
    if (!isOf(kind, value)) return `Argument "${name}" ${where} must be ${words[kind]}.`;
    const parts = inside[name];
    const items = kind === "objects" ? (value as readonly object[]) : kind === "object" ? [value] : [];
    for (const item of parts ? items : []) {
      const problem = problemIn(
        item as Record<string, unknown>,
        parts as Record<string, Kind>,
        `in "${name}" ${where}`,
      );
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return Number.isInteger(value);
    case "flag":
      return typeof value === "boolean";
    case "object":
      return isRecord(value);
    default: {
      const each = kind === "texts" ? "text" : kind === "numbers" ? "number" : "object";
      return Array.isArray(value) && value.every((item) => isOf(each, item));
    }
  }
}
