/** A report turns checked files into the text of one output format. */
import type { CheckedFile } from "../check/findings";

export interface ReportFacts {
  /** The number of files changed by fixes. */
  readonly fixed: number;
  readonly color: boolean;
}

export type Report = (files: readonly CheckedFile[], facts: ReportFacts) => string;
