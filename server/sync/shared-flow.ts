/**
 * What the bundle that syncs uses of `flow/`. It takes it from the server's own bundle, which holds no more of `flow/` than this
 * and what editing needs. The build fails where sync uses another name: add it here.
 */
export {
  applyEdits,
  applyOps,
  batchProblem,
  changedFields,
  checkDocument,
  componentFacts,
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
  sameElement,
  sameGraph,
  sameJson,
  sameOutputs,
  sourceSpanOf,
  textOf,
  topText,
  whyNot,
  wireProblem,
} from "../../flow";
export { applyGraph, composeEdits } from "../../flow/edit";
export { FileFindings, suggestedFix } from "../../flow/findings";
