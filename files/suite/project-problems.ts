/** The problems of a project file, shown by the editor and the command line. */
import { type ProjectFile, projectProblems } from "../../flow/project";
import type { CompanionProblem } from "./companion-problem";

export function problemsOfProject(project: ProjectFile): CompanionProblem[] {
  return projectProblems(project).map(({ fixes = [], ...problem }) => ({
    ...problem,
    related: [],
    fixes: () => fixes,
  }));
}
