/** A diagnostic of a test or policy file, shown by the editor and the command line. */
import type { Fix, Severity, Span } from "../../flow";
import { type ProjectFile, projectProblems } from "../../flow/project";
import type { FlowPlace } from "../../flow/test";
import { t } from "../../text";

export interface CompanionProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  /** Related locations in flows. */
  readonly related: readonly (FlowPlace & { readonly message: string })[];
  /** Computed on demand. */
  readonly fixes: () => readonly Fix[];
}

interface Written {
  readonly message: string;
  readonly span: Span;
  /** The name that was probably meant. */
  readonly near?: string | undefined;
  /** The fix of a syntax error. */
  readonly data?: Pick<Fix, "title" | "edits"> | undefined;
}

export function companionProblem(
  code: string,
  severity: Severity,
  { message, span, near, data }: Written,
): CompanionProblem {
  const fixes = [
    ...(near === undefined ? [] : [changeTo(near, span)]),
    ...(data === undefined ? [] : [{ ...data, preferred: true }]),
  ];
  return { code, severity, message, span, related: [], fixes: () => fixes };
}

function changeTo(near: string, span: Span): Fix {
  return { title: t('Change to "{0}"', near), edits: [{ ...span, text: near }], preferred: true };
}

/** The problems of a project file, shown by the editor and the command line. */
export function problemsOfProject(project: ProjectFile): CompanionProblem[] {
  return projectProblems(project).map(({ fixes = [], ...problem }) => ({
    ...problem,
    related: [],
    fixes: () => fixes,
  }));
}
