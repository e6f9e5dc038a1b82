/** The limits of the document's part 8, and the versions of its part 9. */
import type { MAX_OPS_PER_BATCH } from "../../flow";

/** flow/ splits plans by the same number; the type keeps them equal without loading flow/ into every bundle. */
const opsPerBatch: typeof MAX_OPS_PER_BATCH = 200;

export const limits = {
  opsPerBatch,
  embeddingCostRows: { min: 1, max: 100, default: 20 },
  workflowsPerPage: { min: 1, max: 100, default: 10 },
} as const;

export const INTERFACE_VERSION = "1.87.0";
