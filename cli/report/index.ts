/** The output formats of `check`, each loaded on first use. */
import type { Report } from "./report";

export type { Report } from "./report";

export const reports = {
  text: async (): Promise<Report> => (await import("./check-text")).textReport,
  json: async (): Promise<Report> => (await import("./json")).jsonReport,
  sarif: async (): Promise<Report> => (await import("./sarif")).sarifReport,
  github: async (): Promise<Report> => (await import("./github")).githubReport,
  junit: async (): Promise<Report> => (await import("./junit")).junitReport,
};
