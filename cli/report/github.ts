/** Findings as workflow commands, which GitHub shows as annotations in pull requests. */
import type { Severity } from "../../flow";
import { WORKFLOW_COMMAND } from "../terminal";
import type { Report } from "./report";

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
  hint: "notice",
};

export const githubReport: Report = (files) =>
  files
    .flatMap(({ file, findings }) =>
      findings.map(({ severity, message, code, range }) => {
        // GitHub accepts columns only for findings on a single line.
        const columns =
          range.start.line === range.end.line
            ? `,col=${range.start.character + 1},endColumn=${range.end.character + 1}`
            : "";
        const place = `file=${property(file.path)},line=${range.start.line + 1},endLine=${range.end.line + 1}${columns}`;
        return `${WORKFLOW_COMMAND}${COMMANDS[severity]} ${place},title=${property(code)}::${data(message)}\n`;
      }),
    )
    .join("");

export function data(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

export function property(text: string): string {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
