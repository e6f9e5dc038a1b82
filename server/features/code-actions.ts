/** The code actions at a position: fixes of problems there, refactorings, and all fixes of the file at once. */

import {
  disjointEdits,
  type Fix,
  type FlowDocument,
  fixAll,
  fixEverything,
  fixesFor,
  type Problem,
  type RuleSettings,
  refactoringsAt,
  type Span,
  type TextEdit,
} from "../../flow";
import { SEVERITY_RANK, type SuggestedFix } from "../../flow/findings";
import { t } from "../../text";

export interface Action {
  /** Unique among the actions of a position, so that an editor can resolve the edits later. */
  readonly id: string;
  readonly title: string;
  /** A kind of the protocol, such as `quickfix`, `refactor.extract` or `source.fixAll`. */
  readonly kind: string;
  /** Computed on demand; `ready`: they are already known. */
  readonly edits: () => readonly TextEdit[];
  readonly ready?: boolean;
  /** The problem it fixes. */
  readonly problem?: Problem;
  readonly preferred?: boolean;
  readonly suppresses?: boolean;
  /** Advice to show next to the problem if there is nothing to edit. */
  readonly advice?: string;
  /** Locations to show if there is nothing to edit. */
  readonly places?: readonly Span[];
  /** A path through the flow to show or run if there is nothing to edit: the IDs of its nodes, and of its edges to show. */
  readonly run?: { readonly command: string; readonly path: readonly string[]; readonly edges?: readonly string[] };
}

export interface ActionContext {
  readonly document: FlowDocument;
  /** The problems of the file as they are shown. */
  readonly problems: readonly Problem[];
  /** The platform's findings, and its suggestion for each. */
  readonly findings: readonly Problem[];
  readonly suggestion: (finding: Problem) => SuggestedFix | undefined;
  /** Whether the editor can show the platform's advice. */
  readonly advises: boolean;
  /** Whether the editor can show a list of locations. */
  readonly lists: boolean;
  /** Whether the editor can play and debug a path. */
  readonly plays: boolean;
  readonly settings: RuleSettings;
  /** Whether actions of this kind were requested. */
  readonly wanted: (kind: string) => boolean;
  /** Whether this kind was requested by name: actions on the whole file aren't offered at every cursor. */
  readonly named: (kind: string) => boolean;
}

/** Not a quick fix: VS Code lists those first and preselects the first of them, so suppressions would come before refactorings. */
export const suppressionKind = "suppress";

export const fixAllKind = "source.fixAll.assistantFlow";

export function actionsAt(context: ActionContext, span: Span): Action[] {
  const { document, wanted, named } = context;
  const fixes =
    wanted("quickfix") || wanted(suppressionKind)
      ? [...quickFixes(context, span), ...platformFixes(context, span)]
      : [];
  const actions = fixes.filter(({ suppresses }) => !suppresses);
  if (wanted("refactor"))
    for (const { id, kind, title, edits } of refactoringsAt(document, span))
      actions.push({ id, kind: `refactor.${kind}`, title, edits });
  // Editors that want only quick fixes, such as for a list of problems, get suppressions as such.
  const kind = named("quickfix") ? "quickfix" : suppressionKind;
  for (const each of fixes) if (each.suppresses) actions.push({ ...each, kind });
  if (named(fixAllKind)) for (const each of fixFile(context)) actions.push(each);
  return actions.filter((action) => wanted(action.kind));
}

/**
 * The selection may be a whole file, and each fix is tried on the text before it is offered, so a long text gets fewer.
 */
function maxFixes({ length }: FlowDocument): number {
  return Math.min(50, Math.max(5, Math.floor(500_000 / Math.max(1, length))));
}

const runs = () => [
  { title: t("Show This Path in Graph"), command: "assistantFlow.showPath", needsEdges: true },
  { title: t("Play This Path"), command: "assistantFlow.playPath" },
  { title: t("Debug This Path"), command: "assistantFlow.debugPath" },
  { title: t("Save This Path as Test"), command: "assistantFlow.savePathAsTest" },
];

function quickFixes({ document, problems, settings, lists, plays }: ActionContext, span: Span): Action[] {
  const here = at(problems, span, document);
  const counts = countByCode(problems);
  const actions: Action[] = [];
  const whole = new Set<string>();
  for (const problem of here) {
    const fixes = knownFixes(problem, document);
    for (const fix of fixes) actions.push(quickFix(problem, fix));
    const also = lists ? (problem.also ?? []) : [];
    if (also.length > 0) {
      const places = [problem.span, ...also.map((place) => place.span)];
      const title = t("Show all {0} places with this cause", places.length);
      actions.push({ ...quickFix(problem, { title, edits: [] }), places });
    }
    const [path, edges] = plays && problem.code === "policy-broken" ? pathIn(problem) : [[], []];
    if (path.length > 0)
      for (const { title, command, needsEdges } of runs())
        actions.push({
          ...quickFix(problem, { title, edits: [] }),
          run: { command, path, ...(needsEdges ? { edges } : {}) },
        });
    if ((counts.get(problem.code) ?? 0) > 1 && fixes.some((fix) => fix.preferred)) whole.add(problem.code);
  }
  for (const code of whole) actions.push(fixAllOf(code, () => fixAll(document, settings, [code])));
  return actions;
}

/** Trying a fix takes long, and editors ask again with every move of the cursor and for the edits of each action. */
const known = new WeakMap<FlowDocument, { readonly text: string; readonly fixes: Map<string, readonly Fix[]> }>();

function knownFixes(problem: Problem, document: FlowDocument): readonly Fix[] {
  const { text } = document;
  let kept = known.get(document);
  if (kept?.text !== text) {
    kept = { text, fixes: new Map() };
    known.set(document, kept);
  }
  const { code, span, message, data } = problem;
  const key = JSON.stringify([code, span.start, span.end, message, data]);
  const fixes = kept.fixes.get(key) ?? fixesFor(problem, document);
  kept.fixes.set(key, fixes);
  return fixes;
}

/** The nodes and edges of a path that violates a policy. */
function pathIn({ data }: Problem): readonly [readonly string[], readonly string[]] {
  const { path, edges } = (data ?? {}) as { readonly path?: unknown; readonly edges?: unknown };
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
  return [texts(path), texts(edges)];
}

/** The platform's suggestion: an edit if it can be applied, otherwise its text. */
function platformFixes(context: ActionContext, span: Span): Action[] {
  const { document, findings, suggestion, advises } = context;
  const found = at(findings, span, document).map((problem) => ({ problem, fix: suggestion(problem) }));
  const counts = countByCode(findings);
  const only = found.filter(({ fix }) => fix?.kind === "edit").length === 1;
  const actions: Action[] = [];
  const whole = new Set<string>();
  for (const { problem, fix } of found) {
    if (fix?.kind === "edit") {
      actions.push(quickFix(problem, { ...fix, preferred: only }));
      if ((counts.get(problem.code) ?? 0) > 1) whole.add(problem.code);
    } else if (fix && advises) {
      const title = t("Show the platform's advice");
      actions.push({ ...quickFix(problem, { title, edits: [] }), advice: fix.text });
    }
  }
  for (const code of whole) actions.push(fixAllOf(code, () => disjointEdits(suggestedEdits(context, code))));
  return actions;
}

/** The edits that the platform suggests, for one rule or for all. */
function suggestedEdits({ findings, suggestion }: ActionContext, code?: string): Fix[] {
  return findings.flatMap((finding) => {
    const fix = code === undefined || finding.code === code ? suggestion(finding) : undefined;
    return fix?.kind === "edit" ? [fix] : [];
  });
}

function at(problems: readonly Problem[], span: Span, document: FlowDocument): Problem[] {
  const here = problems.filter((problem) => problem.span.start <= span.end && span.start <= problem.span.end);
  const most = maxFixes(document);
  if (here.length <= most) return here;
  return here.sort((a, b) => SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity]).slice(0, most);
}

function countByCode(problems: readonly Problem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

function fixAllOf(code: string, edits: () => readonly TextEdit[]): Action {
  return { id: `fix-all ${code}`, title: t('Fix all "{0}" problems in this file', code), kind: "quickfix", edits };
}

function quickFix(problem: Problem, fix: Fix): Action {
  const { start, end } = problem.span;
  return {
    id: `${problem.code} ${start} ${end} ${fix.title}`,
    title: fix.title,
    kind: "quickfix",
    edits: () => fix.edits,
    ready: true,
    problem,
    ...(fix.preferred ? { preferred: true } : {}),
    ...(fix.suppresses ? { suppresses: true } : {}),
  };
}

function fixFile(context: ActionContext): Action[] {
  const edits = fixEverything(context.document, context.settings, suggestedEdits(context));
  if (edits.length === 0) return [];
  return [{ id: "fix-all", title: t("Fix everything that can be fixed"), kind: fixAllKind, edits: () => edits }];
}
