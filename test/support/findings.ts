/** A diagnostic of the protocol in the form of `check --format json` (cli/check/findings.ts). */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "vscode-languageserver-protocol";

const SEVERITIES = ["", "error", "warning", "info", "hint"];

export function canonical(diagnostic: Diagnostic, uri: string, folder: string): object {
  const { source, code, severity = 1, message, range, relatedInformation = [] } = diagnostic;
  const related = relatedInformation.map(({ message, location }) => ({
    message,
    ...(location.uri === uri ? {} : { path: path.relative(folder, fileURLToPath(location.uri)).replaceAll("\\", "/") }),
    range: rangeOf(location.range),
  }));
  return {
    source,
    code,
    severity: SEVERITIES[severity],
    message,
    range: rangeOf(range),
    ...(related.length > 0 ? { related } : {}),
  };
}

/** The order of members is part of the bytes, and other clients don't keep it. */
function rangeOf({ start, end }: Diagnostic["range"]): Diagnostic["range"] {
  const place = ({ line, character }: Diagnostic["range"]["start"]) => ({ line, character });
  return { start: place(start), end: place(end) };
}
