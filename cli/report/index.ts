/** The forms in which findings are reported, each loaded when it is asked for. */
import type { CheckedFile } from "../check/findings";

export interface ReportFacts {
  /** How many files were changed by fixes. */
  readonly fixed: number;
  readonly color: boolean;
}

export type Report = (files: readonly CheckedFile[], facts: ReportFacts) => string;

export const reports = {
  text: async (): Promise<Report> => (await import("./check-text")).textReport,
  json: async (): Promise<Report> => (await import("./json")).jsonReport,
  sarif: async (): Promise<Report> => (await import("./sarif")).sarifReport,
  github: async (): Promise<Report> => (await import("./github")).githubReport,
  junit: async (): Promise<Report> => (await import("./junit")).junitReport,
};
