/** Runs the rules on a marker case: the marks of a file in test/markers/rules/. */
import {
  applyEdits,
  batchProblem,
  checkComponents,
  checkDocument,
  checkWorkspace,
  componentFacts,
  componentsIn,
  FlowDocument,
  fixAll,
  fixesFor,
  type Problem,
  type RuleSettings,
  ruleCatalog,
  summarize,
} from "../../flow";
import { checkPolicies, readPolicyFile } from "../../flow/policy";
import type { Answer } from "./check";
import type { Mark, MarkerCase } from "./parse";

/** The settings of a case: only the rule that its file is named after, or those of `#! rules:`. */
export function settingsOf(each: MarkerCase, file: string): RuleSettings {
  const named = each.options.get("rules") ?? file.replace(/\.flow\.ya?ml$/, "");
  if (named === "all") return {};
  const wanted = new Set(named.split(/,\s*/));
  return Object.fromEntries(ruleCatalog.map(({ code, severity }) => [code, wanted.has(code) ? severity : "off"]));
}

export function answerRules(each: MarkerCase, file: string): Answer {
  const settings = settingsOf(each, file);
  const document = FlowDocument.read(each.text);
  const problems = [...aroundDocument(each, document, settings), ...checkDocument(document, settings)];
  const marks = problems.flatMap((problem): Mark[] => [
    { span: problem.span, label: problem.code, text: problem.message },
    ...(problem.related ?? []).map(({ span, message }) => ({ span, label: `${problem.code}/related`, text: message })),
  ]);
  const answers: Record<string, () => string> = {
    fixed: () => `${applyEdits(each.text, fixAll(document, settings)).replaceAll("\r\n", "\n").replace(/\n$/, "")}\n`,
    fixes: () =>
      problems
        .flatMap((problem) => fixesFor(problem, document))
        .map((fix) => `# ${fix.preferred ? "preferred: " : ""}${fix.title}\n`)
        .join(""),
  };
  return { marks, parts: new Map([...each.parts].map(([name, text]) => [name, answers[name]?.() ?? text])) };
}

/** Context beyond the file: another file next to it (`#--- beside`), policies, and its plan (`#! operations:`). */
function aroundDocument(each: MarkerCase, document: FlowDocument, settings: RuleSettings): Problem[] {
  const beside = each.parts.get("beside");
  const files = [summarize("file:///this.flow.yaml", document)];
  if (beside !== undefined) files.push(summarize("file:///beside.flow.yaml", FlowDocument.read(beside)));
  const others = beside === undefined ? [] : [componentFacts("file:///beside.flow.yaml", FlowDocument.read(beside))];
  const claimed = [
    ...(checkWorkspace(files, settings).get("file:///this.flow.yaml") ?? []),
    ...checkComponents(
      document,
      componentsIn(() => others),
      settings,
    ),
  ];
  const policies = each.parts.get("policies");
  const broken = policies === undefined ? [] : checkPolicies(document, readPolicyFile(policies).policies, settings);
  const batches = batchProblem(document, Number(each.options.get("operations") ?? 0), settings);
  // Locations in another file can't be marked in this one.
  const here = claimed.map(({ related: _, ...problem }) => problem);
  return [...here, ...broken, ...(batches ? [batches] : [])];
}
