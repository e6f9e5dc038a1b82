/** Findings as a JUnit report: one suite per flow, one failed case per error or warning. */
import { visible } from "../../text";
import { isAtLeast } from "../check/findings";
import type { Report } from "./report";

export const junitReport: Report = (files) => {
  const suites = files.map(({ file, findings }) => {
    const failures = findings.filter(({ severity }) => isAtLeast(severity, "warning"));
    const cases = failures.map(({ code, severity, message, range }) => {
      const place = `${file.path}:${range.start.line + 1}:${range.start.character + 1}`;
      return [
        `    <testcase classname="${xml(file.path)}" name="${xml(`${code} at line ${range.start.line + 1}`)}">`,
        `      <failure type="${severity}" message="${xml(message)}">${xml(`${place}: ${message}`)}</failure>`,
        "    </testcase>",
      ].join("\n");
    });
    // A flow without failures counts as a passed test.
    const passed = `    <testcase classname="${xml(file.path)}" name="check"/>`;
    const tests = Math.max(1, failures.length);
    return [
      `  <testsuite name="${xml(file.path)}" tests="${tests}" failures="${failures.length}" errors="0">`,
      ...(cases.length > 0 ? cases : [passed]),
      "  </testsuite>",
    ].join("\n");
  });
  return junitDocument(suites);
};

export function junitDocument(suites: readonly string[]): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assistant-flow">`;
  return [start, ...suites, "</testsuites>", ""].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for XML. Most control characters aren't allowed in XML even if escaped, so they are spelled out. */
export function xml(text: string): string {
  return visible(text)
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"]/g, (char) => ENTITIES[char] as string)
    .replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}
