/**
 * Rules of ours that only warn, although the platform doesn't run a flow that breaks them. A push isn't held up by a
 * warning, so its message says so beforehand. Some are known from the sandbox; others are learned from the platform's
 * findings.
 */
import type { Problem } from "../rules/engine/rule";
import type { PlatformFinding } from "./finding";
import { isSameRule } from "./same-rule";

const blocking = new Set(["undefined-variable", "unknown-output-variable", "endless-loop", "empty-flow"]);
const learned = new Set<string>();

/** Remembers the rules that the platform reports errors for. */
export function learnBlocking({ severity, rule_id }: PlatformFinding): void {
  if (severity === "error" && rule_id) learned.add(rule_id);
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
