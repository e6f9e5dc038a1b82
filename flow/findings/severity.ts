/** Severities of platform findings. */
import type { Severity } from "../rules/engine/rule";

/** Only `error` is documented; an unknown severity is shown as a warning rather than lost. */
export function severityOf(severity: string | undefined): Severity {
  switch (severity?.toLowerCase()) {
    case "error":
    case "blocking":
    case "critical":
      return "error";
    case "suggestion":
    case "hint":
      return "hint";
    case "info":
    case "information":
    case "note":
      return "info";
    default:
      return "warning";
  }
}
