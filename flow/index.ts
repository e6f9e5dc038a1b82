/** The public interface of `flow/`. Other folders import only from here and from the faces of its subfolders. */
export { analyze } from "./analysis";
export { addTo, getOrCreate } from "./collections";
export { commentsOf } from "./comments";
export { type Block, FlowDocument, isNode, isVariable, type NodeBlock, type VariableBlock } from "./document";
export { toMermaid } from "./export/mermaid";
export {
  edgeFields,
  type Field,
  isKnownField,
  nodeType,
  nodeTypes,
  outputFields,
  topFields,
  variableFields,
} from "./fields";
export type { FileKey } from "./file-keys";
export {
  FILE_KINDS,
  type FileKind,
  fileKind,
  isFlowFile,
  isTestFile,
  notAFlow,
  POLICY_FILE,
  PROJECT_FILE,
  TOOLS_FILE,
  withoutFlowEnding,
} from "./file-kind";
export { formatDocument, formatRange } from "./format/format";
export { formatOnType, typingTriggers } from "./format/on-type";
export { isNameLike, isUuid, MAX_NAME_LENGTH, NAME, TEMPLATES, UUIDS } from "./grammar";
export { applyOps } from "./graph/apply";
export { diff, type PlannedOp } from "./graph/diff";
export { type EdgeMatch, type EdgePair, matchEdges } from "./graph/edge-match";
export {
  changedFields,
  type ElementRef,
  edgesBySource,
  emptyGraph,
  formOf,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphVariable,
  sameElement,
  sameGraph,
  sameJson,
  sameOutputs,
} from "./graph/graph";
export { graphOf, topRefs, topText } from "./graph/graph-of";
export { components, reach, wayTo } from "./graph/links";
export { type GraphOp, MAX_OPS_PER_BATCH, type SourceSpan } from "./graph/ops";
export { opAtLoc, type Plan, placeOfOp, plan, sourceSpanOf } from "./graph/plan";
export { graphFromWire, graphToWire, readWire, type WireGraph } from "./graph/wire";
export { type Meaning, whyNot } from "./guard";
export { IncrementalMap } from "./incremental-map";
export { isRecord, parsedJson } from "./json";
export { flowSchema } from "./json-schema";
export { locate } from "./locate";
export { type Conflict, type Merge, mergeGraphs, type Side } from "./merge/merge";
export type { EdgeModel, VariableRef } from "./model";
export { namePattern, pathPattern } from "./pattern";
export { checkNames, countNameErrors } from "./project/check-names";
export {
  environmentNamed,
  environmentsOf,
  environmentWith,
  type FlowEnvironment,
  flowIn,
} from "./project/environments";
export { resolveNames, restoreNames } from "./project/names";
export { readProjectFile } from "./project/project-file";
export { refactoringsAt } from "./refactor";
export { type Component, type ComponentFacts, componentFacts, componentsIn } from "./rules/components";
export { type DiagnosticPlace, type FlowDiagnostic, type Place, problemOf } from "./rules/engine/diagnostic";
export { checkDocument, diagnosticsIn } from "./rules/engine/engine";
export { bestFixFor, canIgnore, disjointEdits, fixAll, fixEverything, fixesFor } from "./rules/engine/fixes";
export { tallyOf } from "./rules/engine/ordered";
export { type Fix, type Problem, type RuleSettings, SEVERITIES, type Severity } from "./rules/engine/rule";
export { batchProblem, checkComponents, checkWorkspace, type FileSummary, summarize } from "./rules/engine/workspace";
export { ruleCatalog, ruleDocUrl } from "./rules/index";
export { checkTools } from "./rules/tools";
export {
  applyEdits,
  commonEnds,
  contains,
  editBetween,
  endOfText,
  fileNameBeside,
  fileNameIn,
  lastAtMost,
  lineStartIn,
  lineStartsOf,
  type Position,
  type Span,
  shift,
  type TextEdit,
  trimmedEnd,
  trimmedSpan,
} from "./text";
export { mergeTexts } from "./text-merge/merge";
export { hasErrors, unreadIn, unreadWords, whyNoRun } from "./unread";
export { keyText, type Pair, pairOf, scalarText, textOf, type Value } from "./values";
export { nearest } from "./wording";
export { yamlText } from "./yaml-text";
