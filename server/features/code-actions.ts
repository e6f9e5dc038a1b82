/** What can be done at a place: fixes of the problems there, refactorings, and all fixes of the file at once. */
import {
  type Fix,
  type FlowDocument,
  fixAll,
  fixesFor,
  type Problem,
  type RuleSettings,
  refactoringsAt,
  type Span,
  type TextEdit,
} from "../../flow";

export interface Action {
  /** Stable among the actions of a place, so that an editor can ask for the edits later. */
  readonly id: string;
  readonly title: string;
  /** A kind of the protocol: `quickfix`, `refactor.extract`, `source.fixAll` … */
  readonly kind: string;
  /** Worked out only when somebody wants them. */
  readonly edits: () => readonly TextEdit[];
  /** What it would fix. */
  readonly problem?: Problem;
  readonly preferred?: boolean;
}

export interface ActionContext {
  readonly document: FlowDocument;
  /** The problems of the file as they are shown. */
  readonly problems: readonly Problem[];
  readonly settings: RuleSettings;
  /** Whether somebody asked for actions of this kind. */
  readonly wanted: (kind: string) => boolean;
  /** Somebody asked for this kind by name: actions on the whole file are not offered at every cursor. */
  readonly named: (kind: string) => boolean;
}

export const fixAllKind = "source.fixAll.assistantFlow";

export function actionsAt(context: ActionContext, span: Span): Action[] {
  const { document, wanted, named } = context;
  const actions: Action[] = wanted("quickfix") ? quickFixes(context, span) : [];
  if (wanted("refactor"))
    for (const { id, kind, title, edits } of refactoringsAt(document, span))
      actions.push({ id, kind: `refactor.${kind}`, title, edits });
  if (named(fixAllKind)) actions.push(...fixEverything(context));
  return actions.filter((action) => wanted(action.kind));
}

function quickFixes({ document, problems, settings }: ActionContext, span: Span): Action[] {
  const here = problems.filter((problem) => problem.span.start <= span.end && span.start <= problem.span.end);
  const actions: Action[] = [];
  const whole = new Set<string>();
  for (const problem of here) {
    const fixes = fixesFor(problem, document);
    for (const fix of fixes) actions.push(quickFix(problem, fix));
    const same = problems.filter((other) => other.code === problem.code).length;
    if (same > 1 && fixes.some((fix) => fix.preferred)) whole.add(problem.code);
  }
  for (const code of whole)
    actions.push({
      id: `fix-all ${code}`,
      title: `Fix all '${code}' problems in this file`,
      kind: "quickfix",
      edits: () => fixAll(document, settings, [code]),
    });
  return actions;
}

function quickFix(problem: Problem, fix: Fix): Action {
  const { start, end } = problem.span;
  return {
    id: `${problem.code} ${start} ${end} ${fix.title}`,
    title: fix.title,
    kind: "quickfix",
    edits: () => fix.edits,
    problem,
    ...(fix.preferred ? { preferred: true } : {}),
  };
}

function fixEverything({ document, settings }: ActionContext): Action[] {
  const edits = fixAll(document, settings);
  if (edits.length === 0) return [];
  return [{ id: "fix-all", title: "Fix everything that can be fixed", kind: fixAllKind, edits: () => edits }];
}
