/** Findings as text: each with its line, the marked range, and the fix. */

import type { Severity } from "../../flow";
import { dotted, visibleLine } from "../../text";
import type { CheckedFile, Finding } from "../check/findings";
import { type Color, count, painter } from "../terminal";
import { countsOf } from "./json";
import type { Report, ReportFacts } from "./report";

const COLORS: Readonly<Record<Severity, Color>> = { error: "red", warning: "yellow", info: "blue", hint: "cyan" };

export const textReport: Report = (files, facts) => {
  const paint = painter(facts);
  const blocks = files.flatMap((each) => {
    const isParsed = !each.findings.some(({ code }) => isUnparsed(code));
    return each.findings.map((finding) => {
      const { line, character } = finding.range.start;
      const place = paint(`${each.file.path}:${line + 1}:${character + 1}`, "bold");
      const kind = paint(finding.severity, COLORS[finding.severity]);
      const who = finding.source === "platform" ? "platform: " : "";
      const { why, fix, advice } = finding.details ?? {};
      return [
        `${place}  ${kind}  ${visibleLine(finding.message)}  ${paint(`${who}${visibleLine(finding.code)}`, "dim")}`,
        ...frame(finding.details?.line, finding, isParsed, (text, ...colors) => paint(text, ...colors)),
        ...(why ? [`      ${paint("why:", "green")} ${visibleLine(why)}`] : []),
        ...(fix ? [`      ${paint("fix:", "green")} ${visibleLine(fix.title)}${fix.preferred ? " (--fix)" : ""}`] : []),
        ...(advice
          ? [`      ${paint("advice:", "green")} ${visibleLine(advice).replace(/(?<!\s)\s*\n\s*/g, " ")}`]
          : []),
        "",
      ].join("\n");
    });
  });
  return `${blocks.join("\n")}${blocks.length > 0 ? "\n" : ""}${summary(files, facts)}\n`;
};

/** Longer lines are cut around the marked range. */
const WIDTH = 120;

/** The same in a file that can't be parsed: it may be any file, with anything in it. */
const UNPARSED_WIDTH = 60;

export function isUnparsed(code: string): boolean {
  return code === "yaml-syntax" || code === "bad-test" || code === "bad-policy" || code === "bad-project";
}

/** The first line of a finding, with its range marked. */
export function frame(
  text: string | undefined,
  { range, severity }: Pick<Finding, "range" | "severity">,
  isParsed: boolean,
  paint: (text: string, ...colors: Color[]) => string,
): string[] {
  if (text === undefined || text.trim() === "") return [];
  const number = String(range.start.line + 1).padStart(5);
  const most = isParsed ? WIDTH : UNPARSED_WIDTH;
  const from = text.length <= most ? 0 : Math.max(0, range.start.character - most / 2);
  const shown = text.slice(from, from + most);
  const end = range.end.line === range.start.line ? range.end.character : text.length;
  const width = Math.max(1, Math.min(end, from + shown.length) - range.start.character);
  // Tabs are kept in the marker line, so that markers align whatever the tab width is.
  const blank = shown.slice(0, range.start.character - from).replace(/[^\t]/gu, " ");
  const marks = paint("^".repeat(width), COLORS[severity]);
  return [`${paint(`${number} |`, "dim")} ${dotted(shown)}`, `${paint("      |", "dim")} ${blank}${marks}`];
}

function summary(files: readonly CheckedFile[], facts: ReportFacts): string {
  const paint = painter(facts);
  const { errors, warnings, infos, hints } = countsOf(files);
  const fixed = facts.fixed > 0 ? `${count(facts.fixed, "file")} fixed. ` : "";
  const checked = `${count(files.length, files.every(({ flow }) => flow) ? "flow" : "file")} checked`;
  const found = [
    errors > 0 && paint(count(errors, "error"), "red"),
    warnings > 0 && paint(count(warnings, "warning"), "yellow"),
    infos > 0 && count(infos, "note"),
    hints > 0 && count(hints, "hint"),
  ].filter(Boolean);
  const untried = files.flatMap((each) => each.findings).filter(({ details }) => details?.isTried === false).length;
  const limit = untried > 0 ? ` The last ${count(untried, "finding")} of long files weren't checked for fixes.` : "";
  return found.length > 0
    ? `${fixed}${checked}: ${found.join(", ")}.${limit}`
    : `${fixed}${paint(`${checked}, no problems found.`, "green")}`;
}
