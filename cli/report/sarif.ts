/** Findings as SARIF 2.1.0, for code scanning. */
import { createHash } from "node:crypto";
import { ruleCatalog, type Severity } from "../../flow";
import type { CheckedFile, FoundIn, Range } from "../check/findings";
import { VERSION } from "../definitions";
import type { Report } from "./report";

const LEVELS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note", hint: "note" };

export const sarifReport: Report = (files) => {
  const used = new Set(files.flatMap(({ findings }) => findings.map((finding) => finding.code)));
  const known = ruleCatalog.filter(({ code }) => used.has(code));
  const others = [...used].filter((code) => !known.some((rule) => rule.code === code));
  const rules = [
    ...known.map(({ code, title, severity }) => ({
      id: code,
      shortDescription: { text: `${title}.` },
      help: { text: `See docs/rules/${code}.md.` },
      defaultConfiguration: { level: LEVELS[severity] },
    })),
    ...others.map((id) => ({
      id,
      shortDescription:
        id === "matches-nothing"
          ? messageOf("Policy selector without a match.")
          : messageOf(`Platform finding: ${id}.`),
    })),
  ];
  const indexOf = new Map(rules.map((rule, index) => [rule.id, index]));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "assistant-flow", semanticVersion: VERSION, rules } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The working folder of the check." } } },
        results: files.flatMap((each) =>
          each.findings.map((finding) => resultOf(finding, each, indexOf.get(finding.code) as number)),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};

function resultOf(finding: FoundIn, { file }: CheckedFile, ruleIndex: number): Record<string, unknown> {
  const { code, severity, message, range, details, related } = finding;
  const { fix, line = "" } = details ?? {};
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: messageOf(message),
    locations: [locationOf(file.path, range)],
    // A finding keeps its fingerprint when lines move.
    partialFingerprints: { "complaint/v1": digest([code, message, line.trim()].join("\n")) },
    relatedLocations: related?.map((place, id) => ({
      id,
      message: messageOf(place.message),
      ...locationOf(place.path ?? file.path, place.range),
    })),
    fixes: fix && [
      {
        description: messageOf(fix.title),
        artifactChanges: [
          {
            artifactLocation: artifact(file.path),
            replacements: fix.changes.map((change) => ({
              deletedRegion: regionOf(change.range),
              insertedContent: { text: change.text },
            })),
          },
        ],
      },
    ],
  };
}

/** Escapes text, because SARIF viewers turn `[text](url)` in messages into links. */
function messageOf(text: string): { readonly text: string } {
  return { text: text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text };
}

function locationOf(path: string, range: Range): { physicalLocation: Record<string, unknown> } {
  return { physicalLocation: { artifactLocation: artifact(path), region: regionOf(range) } };
}

function artifact(path: string): Record<string, unknown> {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return { uri, uriBaseId: "SRCROOT" };
}

function regionOf({ start, end }: Range): Record<string, number> {
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
