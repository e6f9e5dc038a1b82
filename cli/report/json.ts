/** Findings as JSON: the form that editors get by the language server protocol. */
import type { Severity } from "../../flow";
import type { CheckedFile, Finding } from "../findings";

export function jsonReport(files: readonly CheckedFile[]): string {
  const report = {
    version: 1,
    files: files.map(({ file, findings }) => ({ path: file.path, findings: findings.map(bare) })),
    summary: { files: files.length, ...countsOf(files) },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

export function countsOf(files: readonly CheckedFile[]): Record<"errors" | "warnings" | "infos" | "hints", number> {
  const all = files.flatMap(({ findings }) => findings);
  const count = (severity: Severity) => all.filter((finding) => finding.severity === severity).length;
  return { errors: count("error"), warnings: count("warning"), infos: count("info"), hints: count("hint") };
}

function bare({ source, code, severity, message, range, related }: Finding): Finding {
  return { source, code, severity, message, range, ...(related ? { related } : {}) };
}
