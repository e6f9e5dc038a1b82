/**
 * Findings of flow files, identical to what the language server reports for the same file: 0-based lines, UTF-16
 * columns, the same order.
 */

import { fileURLToPath, pathToFileURL } from "node:url";
import { openState, shownPath } from "../../files";
import { pathIn } from "../../files/suite";
import {
  applyEdits,
  bestFixFor,
  type Component,
  type ComponentFacts,
  checkComponents,
  checkDocument,
  checkTools,
  componentFacts,
  type FileSummary,
  FlowDocument,
  fixEverything,
  type Graph,
  graphOf,
  type Position,
  type Problem,
  type RuleSettings,
  type Severity,
  type Span,
  summarize,
  textOf,
  topText,
} from "../../flow";
import { compileProblems } from "../../flow/compile";
import {
  type BlockingRules,
  FileFindings,
  mergeFindings,
  messageBeforePush,
  SEVERITY_RANK,
  type Shown,
  type SuggestedFix,
  shownOf,
  suggestedFix,
} from "../../flow/findings";
import { checkPolicies } from "../../flow/policy";
import { checkNames, type FlowEnvironment, resolveNames, writtenFor } from "../../flow/project";
import { programOf } from "../../flow/run";
import { KnownTools } from "../../flow/tools";
import { shownAddress, stateDirectory } from "../../platform";
import { graphOfFindings, type LastFindings, lastFindings, sinceVersion } from "../../sync";
import { Stop } from "../command";
import { type PlacedFile, placeFile } from "../environments/projects";
import type { FlowFile, NamedFile } from "../files/flow-files";
import type { Terminal } from "../terminal";
import type { CheckContext } from "./check-context";
import { identityOf } from "./platform-revisions";

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
  /** Related locations; `path` is set for those in another file. */
  readonly related?: readonly { readonly message: string; readonly path?: string; readonly range: Range }[];
}

/** Additional details for the text and SARIF reports. */
export interface Details {
  /** The line the finding starts on. */
  readonly line: string;
  /** False if no fix was looked for, because there are too many findings in a long file. */
  readonly isTried?: boolean;
  /** An explanation of the cause. */
  readonly why?: string;
  /** The first fix other than disabling the rule, if any; `preferred` fixes are applied by `--fix`. */
  readonly fix?: {
    readonly title: string;
    readonly preferred: boolean;
    readonly changes: readonly { readonly range: Range; readonly text: string }[];
  };
  /** The platform's advice, if it isn't an edit. */
  readonly advice?: string;
}

export type FoundIn = Finding & { readonly details?: Details };

/** The findings of a file, as plain data that can be sent between threads. */
export interface CheckedFile {
  readonly file: NamedFile;
  readonly findings: readonly FoundIn[];
  /** The reason why requested platform findings are missing. */
  readonly platformSilence?: string;
  /** The text before and after all automatic fixes, if they were requested and changed it. */
  readonly fixed?: { readonly before: string; readonly after: string };
  /** Data for checks across files, if it is a flow. */
  readonly flow?: CheckedFlow;
}

export interface CheckedFlow {
  readonly summary: FileSummary;
  readonly facts: ComponentFacts;
  /** IDs of the flows it uses as components. */
  readonly components: readonly string[];
  /** The range of its revision. */
  readonly revisionRange?: Range;
}

export interface CheckOptions {
  readonly rules: RuleSettings;
  /** Include the platform's latest findings. */
  readonly platform: boolean;
  /** The environment whose findings are included. */
  readonly environment?: string | undefined;
  readonly fix: boolean;
  /** Which findings get details: all, errors only, on access, or none. */
  readonly details: "all" | "errors" | "when-asked" | "none";
  readonly env: Terminal["env"];
  /** The working folder. */
  readonly cwd: string;
  /** The folders the user named; a test there may refer to flows in them. */
  readonly folders: readonly string[];
}

/** Data from the other checked files. */
export interface OtherFiles {
  readonly problems: readonly Problem[];
  readonly component: (id: string) => Component | undefined;
  readonly placeIn: (uri: string) => { readonly path: string; readonly range: Range } | undefined;
}

const noOtherFiles: OtherFiles = { problems: [], component: () => undefined, placeIn: () => undefined };

export async function checkFile(
  file: FlowFile,
  options: CheckOptions,
  context: CheckContext,
  others = noOtherFiles,
): Promise<CheckedFile> {
  const { rules, platform } = options;
  const { policies, tools, revisions, projects } = context;
  const document = FlowDocument.read(file.text);
  const { policies: demands, source } = await policies.policiesOf(file.absolute);
  const flowOf = demands.length > 0 ? await policies.componentsOf(file.absolute, programOf(document)) : undefined;
  const environments = await projects.environmentsOf(file.absolute);
  const place = await placeOf(file, options, projects);
  const environment = typeof place === "string" ? undefined : place.environment;
  const revision = platform && typeof place !== "string" ? await revisions.recordOf(document, environment) : undefined;
  const definitions = [revision?.tools, await tools.definitionsFor(file.absolute)].filter((each) => each !== undefined);
  const known = definitions.length > 0 ? new KnownTools(definitions, environments) : undefined;
  const problems = [
    ...others.problems,
    ...checkComponents(document, others.component, rules),
    ...checkTools(document, known, rules),
    ...checkNames(document, environments, rules),
    ...checkPolicies(document, demands, rules, flowOf, source, policies.work.forFlow()),
    ...checkDocument(document, rules),
  ];
  const latest = !platform
    ? undefined
    : typeof place === "string"
      ? place
      : await platformFindings(document, options.env, environment);
  const last = typeof latest === "object" ? latest : undefined;
  const learned = await context.blockingOf(environment?.url);
  const placed = new FileFindings();
  if (last) {
    const about = await graphOfFindings(openState(stateDirectory(options.env)), last);
    placed.set(last.findings, document, sinceVersion(last.version, about, pushedGraph(document, environment)));
  }
  const reported = placed.problems();
  const compiled = revision ? compileProblems(document, revision.compile, reported) : [];
  const merged = mergeFindings(problems, [...reported, ...compiled], document);
  const suggestion = (finding: Problem) => {
    const found = placed.placed(finding);
    return found && suggestedFix(document, found, (text) => checkDocument(text, rules));
  };
  const fixed = options.fix ? fixedText(document, merged.findings, suggestion, rules) : file.text;
  const summary = summarize(pathToFileURL(file.absolute).href, document);
  const { revisionSpan } = summary;
  const mostFixes = Math.max(MIN_FIXES, Math.floor(FIX_WORK / Math.max(1, document.length)));
  return {
    file: { path: file.path, absolute: file.absolute },
    findings: shownOf(merged).map((shown, index) => {
      const finding = findingOf(shown, document, others, options.cwd, learned);
      const details = () => detailsOf(shown, document, suggestion);
      if (options.details === "when-asked") return Object.defineProperty(finding, "details", { get: details });
      const wanted = options.details === "all" || (options.details === "errors" && shown.problem.severity === "error");
      if (!wanted) return finding;
      return { ...finding, details: index < mostFixes ? details() : withoutFix(shown.problem, document) };
    }),
    ...(typeof latest === "string" ? { platformSilence: latest } : {}),
    ...(fixed === file.text ? {} : { fixed: { before: file.text, after: fixed } }),
    flow: {
      summary,
      facts: { ...componentFacts(summary.uri, document), ...(await componentNames(file.absolute, document, projects)) },
      components: document.nodes.flatMap(({ fields }) => textOf(fields.get("component")?.value) ?? []),
      ...(revisionSpan ? { revisionRange: rangeIn(document, revisionSpan) } : {}),
    },
  };
}

/** Trying a fix takes time in proportion to the length of the file, so in a long file only the first findings get one. */
const FIX_WORK = 1_000_000_000;
const MIN_FIXES = 500;

type Suggestion = (finding: Problem) => SuggestedFix | undefined;

function detailsOf({ problem, source }: Shown, document: FlowDocument, suggestion: Suggestion): Details {
  const suggested = source === "platform" ? suggestion(problem) : undefined;
  const fix =
    source === "platform"
      ? suggested?.kind === "edit" && { ...suggested, preferred: true }
      : bestFixFor(problem, document);
  return {
    ...withoutFix(problem, document),
    isTried: true,
    fix: fix
      ? {
          title: fix.title,
          preferred: fix.preferred === true,
          changes: fix.edits.map((edit) => ({ range: rangeIn(document, edit), text: edit.text })),
        }
      : undefined,
    advice: suggested?.kind === "advice" ? suggested.text : undefined,
  };
}

function withoutFix(problem: Problem, document: FlowDocument): Details {
  return { line: lineOf(problem, document), isTried: false, why: problem.why };
}

function lineOf({ span }: Problem, document: FlowDocument): string {
  const { line } = document.positionAt(span.start);
  const start = document.offsetAt({ line, character: 0 });
  return document.slice({ start, end: document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER }) });
}

function fixedText(
  document: FlowDocument,
  findings: readonly Problem[],
  suggestion: Suggestion,
  rules: RuleSettings,
): string {
  const suggested = findings.flatMap((finding) => {
    const fix = suggestion(finding);
    return fix?.kind === "edit" ? [fix] : [];
  });
  return applyEdits(document.text, fixEverything(document, rules, suggested));
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITY_RANK[severity] <= SEVERITY_RANK[least];
}

/** The file with its environment, or the reason why the platform's findings can't be included. */
async function placeOf(
  file: FlowFile,
  { environment, cwd }: CheckOptions,
  projects: CheckContext["projects"],
): Promise<Pick<PlacedFile, "environment"> | string> {
  try {
    const place = await placeFile(file, environment, cwd, projects);
    return place.notListed === undefined ? place : `environment "${place.notListed}" doesn't list this flow`;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return "the project file has errors";
  }
}

/** The graph as it is pushed: with the values of names. */
function pushedGraph(document: FlowDocument, environment: FlowEnvironment | undefined): Graph {
  const graph = graphOf(document);
  return environment ? resolveNames(graph, environment.names) : graph;
}

/** What a `component` may name the flow by, from its project file. */
async function componentNames(
  absolute: string,
  document: FlowDocument,
  projects: CheckContext["projects"],
): Promise<Pick<ComponentFacts, "names">> {
  const found = await projects.of(absolute);
  const own = ["assistant", "revision"].flatMap((key) => topText(document, key)?.toLowerCase() ?? []);
  return found ? { names: writtenFor(pathIn(found, absolute), own, found.project) } : {};
}

/** The platform's latest findings, or the reason why there are none. */
async function platformFindings(
  document: FlowDocument,
  env: Terminal["env"],
  environment: FlowEnvironment | undefined,
): Promise<LastFindings | string> {
  const identity = identityOf(document, env, environment);
  if (!identity) return "the file has no assistant and revision";
  const { connection } = identity;
  const known = await lastFindings(openState(stateDirectory(env)), identity);
  const where = environment ? ` with "${environment.name}"` : connection ? ` with ${shownAddress(connection)}` : "";
  return known ?? `this flow hasn't been synced${where} on this computer; save it in an editor, or push it`;
}

function findingOf(
  { problem, source }: Shown,
  document: FlowDocument,
  { placeIn }: OtherFiles,
  cwd: string,
  learned: BlockingRules,
): Finding {
  const { code, severity, span, related = [] } = problem;
  const places = related.map((place) => {
    const elsewhere =
      place.uri === undefined
        ? undefined
        : place.range
          ? { path: shownPath(fileURLToPath(place.uri), cwd), range: place.range }
          : placeIn(place.uri);
    return {
      message: place.message,
      ...(elsewhere ? { path: elsewhere.path } : {}),
      range: elsewhere?.range ?? rangeIn(document, place.span),
    };
  });
  return {
    source,
    code,
    severity,
    message: source === "platform" ? problem.message : messageBeforePush(problem, learned),
    range: rangeIn(document, span),
    ...(places.length > 0 ? { related: places } : {}),
  };
}

function rangeIn(document: FlowDocument, at: Span): Range {
  return { start: document.positionAt(at.start), end: document.positionAt(at.end) };
}
