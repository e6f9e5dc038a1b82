/**
 * The names that the sync bundle uses from `flow/`. It imports them from the server's bundle, so that contains only
 * these and what editing needs. The build fails if sync uses another name: add it here.
 */
export {
  applyEdits,
  applyOps,
  batchProblem,
  changedFields,
  checkDocument,
  checkTools,
  componentFacts,
  countNameErrors,
  edgesBySource,
  emptyGraph,
  FlowDocument,
  fileNameIn,
  graphFromWire,
  graphOf,
  graphToWire,
  isFlowFile,
  locate,
  MAX_OPS_PER_BATCH,
  matchEdges,
  mergeGraphs,
  opAtLoc,
  placeOfOp,
  plan,
  resolveNames,
  restoreNames,
  sameElement,
  sameGraph,
  sameJson,
  sameOutputs,
  sourceSpanOf,
  textOf,
  topText,
  whyNot,
  wireProblem,
  yamlText,
} from "../../flow";
export { applyGraph, composeEdits } from "../../flow/edit";
export { FileFindings, suggestedFix } from "../../flow/findings";
