/** Data that test reports include besides the results. */

import type { FlowDocument } from "../../flow";
import { type Cover, type Coverage, coverageOfRuns, type FileRun } from "../../flow/test";

export interface TestFacts {
  readonly color: boolean;
  readonly pathOf: (document: FlowDocument) => string | undefined;
  /** Set if coverage was requested. */
  readonly coverage: CoverageTotals | undefined;
  /** Sentences about missed coverage minimums. */
  readonly missed: readonly string[];
}

export interface CoverageTotals {
  readonly flows: readonly (Coverage & { readonly flow: string })[];
  readonly nodes: number;
  readonly edges: number;
}

/** Percentage of the reachable elements, rounded down so that 100 means all. */
export function percent({ covered, missing }: Pick<Cover, "covered" | "missing">): number {
  return Math.floor(share({ covered, missing }));
}

function share({ covered, missing }: Pick<Cover, "covered" | "missing">): number {
  const all = covered.length + missing.length;
  return all === 0 ? 100 : (100 * covered.length) / all;
}

export function totalsOf(runs: readonly FileRun[]): CoverageTotals {
  const flows = coverageOfRuns(runs);
  const sum = (which: "nodes" | "edges") =>
    share({
      covered: flows.flatMap((each) => each[which].covered),
      missing: flows.flatMap((each) => each[which].missing),
    });
  return { flows, nodes: sum("nodes"), edges: sum("edges") };
}
