/**
 * The digest of a file that isn't open: the facts that other files and searches need, and its diagnostics. Plain data
 * computed from the text alone, so it can come from another thread.
 */
import type { Diagnostic } from "vscode-languageserver";
import {
  checkNames,
  checkTools,
  diagnosticsIn,
  environmentsOf,
  type FileSummary,
  FlowDocument,
  type FlowEnvironment,
  type Position,
  type RuleSettings,
  readProjectFile,
  summarize,
} from "../../flow";
import { checkPolicies, inForce, readPolicyFile } from "../../flow/policy";
import { KnownTools, readSnapshot } from "../../flow/tools";
import { DiagnosticList } from "../diagnostics/diagnostic-list";
import { Converter } from "../protocol/to-protocol";
import { pageOf } from "../rule-pages";
import { type FileFacts, type FileSymbol, factsOf, symbolsOf } from "./files";

export interface FileDigest {
  readonly summary: FileSummary;
  /** The range of its revision. */
  readonly revisionRange: { readonly start: Position; readonly end: Position };
  readonly facts: FileFacts;
  readonly symbols: readonly FileSymbol[];
  /** The diagnostics of the file alone, as JSON: few of thousands of files are ever shown. */
  readonly diagnostics: string;
}

/** What the diagnostics depend on besides the text. */
export interface DigestOptions {
  readonly rules: RuleSettings;
  readonly encoding: string;
  /** Whether the client shows related locations. */
  readonly related: boolean;
  /** Whether files that aren't open are checked at all. */
  readonly checks: boolean;
  /**
   * The text of the policy file that applies to the file, the file's path relative to it, and the date for exceptions.
   */
  readonly policies?:
    | { readonly text: string; readonly path: string; readonly uri: string; readonly today: string }
    | undefined;
  /** The text of the snapshot with the file's tool definitions. */
  readonly tools?: string | undefined;
  /** The text of the file's project file, and the file's path in it. */
  readonly project?: { readonly text: string; readonly path: string } | undefined;
}

export function digestOf(uri: string, text: string, options: DigestOptions): FileDigest {
  const document = FlowDocument.read(text);
  const summary = summarize(uri, document);
  const { start, end } = summary.revisionSpan ?? { start: 0, end: 0 };
  return {
    summary,
    revisionRange: { start: document.positionAt(start), end: document.positionAt(end) },
    facts: factsOf(uri, document),
    symbols: symbolsOf(document),
    diagnostics: JSON.stringify(options.checks ? diagnosticsOf(uri, document, options) : []),
  };
}

function diagnosticsOf(uri: string, document: FlowDocument, options: DigestOptions): readonly Diagnostic[] {
  const found = diagnosticsIn(document, options.rules);
  const list = new DiagnosticList(options.related, pageOf);
  const { policies } = options;
  const demands = policies ? inForce(policiesIn(policies.text), policies.path, policies.today) : [];
  const environments = options.project ? environmentsOf(projectIn(options.project.text), options.project.path) : [];
  const around = [
    ...checkPolicies(document, demands, options.rules, undefined, policies),
    ...checkTools(
      document,
      options.tools === undefined ? undefined : toolsIn(options.tools, environments),
      options.rules,
    ),
    ...checkNames(document, environments, options.rules),
  ];
  const sources = { around, found, notes: [], findings: [] };
  return list.update(sources, new Converter(uri, document, options.encoding)).items;
}

// Cached, because one policy file, snapshot or project file applies to many flows.
const policiesIn = lastRead((text) => readPolicyFile(text).policies);
const snapshotIn = lastRead(readSnapshot);
const projectIn = lastRead(readProjectFile);

/** Keeps the result for the last text. */
function lastRead<Content>(read: (text: string) => Content): (text: string) => Content {
  let last: { readonly text: string; readonly content: Content } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, content: read(text) };
    return last.content;
  };
}

function toolsIn(text: string, environments: readonly FlowEnvironment[]): KnownTools | undefined {
  const snapshot = snapshotIn(text);
  return "problem" in snapshot ? undefined : new KnownTools([snapshot], environments);
}
