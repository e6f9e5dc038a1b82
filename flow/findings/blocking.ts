/**
 * Rules of ours that only warn, although the platform doesn't run a flow that breaks them. A push isn't held up by a
 * warning, so its message says so beforehand. Some are known from the sandbox; others are learned from the platform's
 * findings.
 */
import type { Problem } from "../rules/engine/rule";
import type { PlatformFinding } from "./finding";
import { isSameRule } from "./same-rule";
import { severityOf } from "./severity";

const blocking = new Set(["undefined-variable", "unknown-output-variable", "endless-loop", "empty-flow"]);
const learned = new Set<string>();

/**
 * Remembers the rules that the platform reports errors for. The name of a rule may be split: rule `unknown` of category
 * `variables`.
 */
export function learnBlocking({ severity, rule_id = "", category = "" }: PlatformFinding): void {
  if (severityOf(severity) !== "error") return;
  for (const name of [rule_id, category, `${category} ${rule_id}`]) learned.add(name);
}

/** The message of a problem of ours, with what it means on the platform. */
export function messageBeforePush({
  code,
  severity,
  message,
  alsoBy,
}: Pick<Problem, "code" | "severity" | "message" | "alsoBy">): string {
  if (severity === "error" || alsoBy) return message;
  const blocks = blocking.has(code) || [...learned].some((rule) => isSameRule(code, rule));
  return blocks ? `${message} It keeps the flow from running on the platform.` : message;
}
