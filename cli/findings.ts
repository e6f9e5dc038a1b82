/**
 * What is found in flow files, in the one form in which programs get it. It is what the language server says of the same
 * file, byte for byte: places are zero-based lines and UTF-16 columns, as in the language server protocol, and the order
 * is the same.
 */
import { pathToFileURL } from "node:url";
import {
  applyEdits,
  checkDocument,
  checkWorkspace,
  FileFindings,
  type Fix,
  FlowDocument,
  fixEverything,
  fixesFor,
  mergeFindings,
  type Position,
  type Problem,
  type RuleSettings,
  SEVERITY_RANK,
  type Severity,
  type Shown,
  type SuggestedFix,
  shownOf,
  suggestedFix,
  summarise,
} from "../flow";
import { stateDirectory } from "../platform";
import { type LastFindings, lastFindings, linkOf } from "../sync";
import type { FlowFile } from "./flow-files";
import { counted, type Terminal } from "./terminal";

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Finding {
  readonly source: Shown["source"];
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: Range;
  /** Other places it is about; `path` where one is in another file. */
  readonly related?: readonly { readonly message: string; readonly path?: string; readonly range: Range }[];
}

/** A finding with what it was made from. */
export type FoundIn = Finding & { readonly problem: Problem };

export interface CheckedFile {
  readonly file: FlowFile;
  readonly document: FlowDocument;
  readonly findings: readonly FoundIn[];
  /** What the platform suggests about a finding of its own. */
  readonly suggestion: (finding: Problem) => SuggestedFix | undefined;
  /** Why the platform's findings are not among them, where they were asked for. */
  readonly platformSilence?: string;
}

export interface CheckOptions {
  readonly rules: RuleSettings;
  /** Add what the platform said last. */
  readonly platform?: boolean;
}

export async function checkFiles(
  files: readonly FlowFile[],
  { rules, platform }: CheckOptions,
  terminal: Terminal,
): Promise<CheckedFile[]> {
  const documents = new Map<string, { readonly file: FlowFile; readonly document: FlowDocument }>();
  for (const file of counted("Reading", files, terminal))
    documents.set(uriOf(file), { file, document: FlowDocument.read(file.text) });
  const between = checkWorkspace(
    [...documents].map(([uri, { document }]) => summarise(uri, document)),
    rules,
  );
  const checked: CheckedFile[] = [];
  for (const file of counted("Checking", files, terminal)) {
    const uri = uriOf(file);
    const { document } = documents.get(uri) as { document: FlowDocument };
    const problems = [...(between.get(uri) ?? []), ...checkDocument(document, rules)];
    const said = platform ? await saidByPlatform(document, terminal) : undefined;
    const known = typeof said === "object" ? said : undefined;
    const placed = new FileFindings();
    if (known) placed.set(known.findings, document.text, false);
    checked.push({
      file,
      document,
      suggestion: (finding) => {
        const found = placed.placed(finding);
        return found && suggestedFix(document, found, (text) => checkDocument(text, rules));
      },
      ...(typeof said === "string" ? { platformSilence: said } : {}),
      findings: shownOf(mergeFindings(problems, placed.problems(), document)).map(({ problem, source }) => ({
        ...findingOf(problem, source, document, (other) => documents.get(other)),
        problem,
      })),
    });
  }
  return checked;
}

/** The fix a person would be shown first, if there is one beside silencing the rule; `preferred` is what `--fix` takes. */
export function bestFix({ problem, source }: FoundIn, { document, suggestion }: CheckedFile): Fix | undefined {
  if (source === "platform") {
    const fix = suggestion(problem);
    return fix?.kind === "edit" ? { ...fix, preferred: true } : undefined;
  }
  return fixesFor(problem, document).find((fix) => fix.preferred || !fix.title.startsWith("Ignore "));
}

/** What the platform says to do, where its words are no edit. */
export function advice({ problem, source }: FoundIn, { suggestion }: CheckedFile): string | undefined {
  const fix = source === "platform" ? suggestion(problem) : undefined;
  return fix?.kind === "advice" ? fix.text : undefined;
}

/** The text with everything fixed that the editor would fix at once. */
export function fixedText({ document, findings, suggestion }: CheckedFile, rules: RuleSettings): string {
  const suggested = findings.flatMap(({ problem, source }) => {
    const fix = source === "platform" ? suggestion(problem) : undefined;
    return fix?.kind === "edit" ? [fix] : [];
  });
  return applyEdits(document.text, fixEverything(document, rules, suggested));
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITY_RANK[severity] <= SEVERITY_RANK[least];
}

export function uriOf(file: Pick<FlowFile, "absolute">): string {
  return pathToFileURL(file.absolute).href;
}

/** What the platform said last, or why nobody knows. */
async function saidByPlatform(document: FlowDocument, { env }: Terminal): Promise<LastFindings | string> {
  const link = linkOf(document);
  if (!link) return "the file names no assistant and revision";
  const connection = env.ASSISTANT_FLOW_BASE_URL || undefined;
  const known = await lastFindings(stateDirectory(env), { connection, ...link });
  const where = connection ? ` with ${connection}` : "";
  return known ?? `this flow was not synced${where} by this user on this machine yet; save it in an editor, or push it`;
}

function findingOf(
  problem: Problem,
  source: Finding["source"],
  document: FlowDocument,
  other: (uri: string) => { readonly file: FlowFile; readonly document: FlowDocument } | undefined,
): Finding {
  const { code, severity, message, span, related = [] } = problem;
  const rangeIn = (of: FlowDocument, at: { start: number; end: number }) => ({
    start: of.positionAt(at.start),
    end: of.positionAt(at.end),
  });
  const places = related.map((place) => {
    const elsewhere = place.uri === undefined ? undefined : other(place.uri);
    return {
      message: place.message,
      ...(elsewhere ? { path: elsewhere.file.path } : {}),
      range: rangeIn(elsewhere?.document ?? document, place.span),
    };
  });
  return {
    source,
    code,
    severity,
    message,
    range: rangeIn(document, span),
    ...(places.length > 0 ? { related: places } : {}),
  };
}
