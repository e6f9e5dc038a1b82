/** Findings as JSON, in the form of the Language Server Protocol. */
import type { Severity } from "../../flow";
import type { CheckedFile, FoundIn } from "../check/findings";

export function jsonReport(files: readonly CheckedFile[]): string {
  const found = files.map(({ file, findings }) => ({ path: file.path, findings: findings.map(findingJson) }));
  return `${JSON.stringify({ version: 1, files: found, summary: summaryOf(files) }, null, 2)}\n`;
}

export function summaryOf(files: readonly CheckedFile[]): object {
  return { files: files.length, ...countsOf(files) };
}

export function countsOf(files: readonly CheckedFile[]): Record<"errors" | "warnings" | "infos" | "hints", number> {
  const all = files.flatMap(({ findings }) => findings);
  const count = (severity: Severity) => all.filter((finding) => finding.severity === severity).length;
  return { errors: count("error"), warnings: count("warning"), infos: count("info"), hints: count("hint") };
}

/** Of the details, only the fix is included. */
export function findingJson({ source, code, severity, message, range, related, details }: FoundIn): object {
  const fix = details?.fix;
  return { source, code, severity, message, range, ...(related ? { related } : {}), ...(fix ? { fix } : {}) };
}
