/** The public interface of `flow/`. Other folders import only from here and from the faces of its subfolders. */
export { analyze } from "./analysis";
export { commentsOf } from "./comments";
export {
  type AskedQuestion,
  askedAt,
  Breakpoint,
  conversationOf,
  drive,
  driveBack,
  type EdgeState,
  type ElementPlace,
  type Evaluated,
  edgeStates,
  elementOnLine,
  elementsOnLines,
  endWords,
  entryOf,
  evaluateIn,
  eventOf,
  framesOf,
  type How,
  isAnswer,
  type Moment,
  momentsOf,
  needsAnswer,
  offersAt,
  placeOf,
  Run,
  type RunSetup,
  readAnswer,
  readTyped,
  repeatRun,
  runAlong,
  type SavedTest,
  type SaveRequest,
  type Stop,
  saveAsTest,
  scriptWith,
  shown,
  stopAt,
  type Trouble,
  type Turn,
  testAlong,
  type Watch,
  wayAlong,
  wayInto,
} from "./debug";
export { type Block, FlowDocument, type NodeBlock, type VariableBlock } from "./document";
export {
  addEdge,
  addNode,
  applyGraph,
  composeEdits,
  moveEdge,
  removeEdge,
  removeNode,
  removesNode,
  removeVariable,
  renameField,
  renameNode,
  renamesNode,
  renamesVariable,
  renameVariable,
  setEdgeField,
  setNodeField,
  setOutputs,
  setTop,
  setVariable,
  setVariableField,
  yamlWord,
} from "./edit";
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
export {
  FILE_KINDS,
  type FileKind,
  fileKind,
  isFlowFile,
  isTestFile,
  POLICY_FILE,
  withoutFlowEnding,
} from "./file-kind";
export { messageBeforePush } from "./findings/blocking";
export { FileFindings, type FindingData } from "./findings/file-findings";
export type { PlatformFinding } from "./findings/finding";
export { type SuggestedFix, suggestedFix } from "./findings/fixes";
export { type Merged, mergeFindings } from "./findings/merge";
export type { Since } from "./findings/outdated";
export { isSameRule } from "./findings/same-rule";
export { mostSevere, type Shown, shownOf, sourceOf } from "./findings/shown";
export { placeFinding } from "./findings/spans";
export { SEVERITY_RANK } from "./findings/tally";
export { formatDocument, formatRange } from "./format/format";
export { formatOnType, typingTriggers } from "./format/on-type";
export { isNameLike, isUuid, MAX_NAME_LENGTH, NAME, TEMPLATES } from "./grammar";
export { applyOps } from "./graph/apply";
export { diff, type PlannedOp } from "./graph/diff";
export { type EdgeMatch, type EdgePair, matchEdges } from "./graph/edge-match";
export { changedFields, edgesBySource, sameElement, sameGraph, sameJson, sameOutputs } from "./graph/equal";
export {
  type ElementRef,
  emptyGraph,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphVariable,
} from "./graph/graph";
export { graphOf, topRefs, topText } from "./graph/graph-of";
export { components, reach, wayTo } from "./graph/links";
export { type GraphOp, MAX_OPS_PER_BATCH, type SourceSpan } from "./graph/ops";
export { opAtLoc, type Plan, placeOfOp, plan, sourceSpanOf } from "./graph/plan";
export { graphFromWire, graphToWire, type WireGraph, wireProblem } from "./graph/wire";
export { type Meaning, whyNot } from "./guard";
export { IncrementalMap } from "./incremental-map";
export { flowSchema } from "./json-schema";
export { locate } from "./locate";
export { type Conflict, type Merge, mergeGraphs, type Side } from "./merge/merge";
export type { EdgeModel, VariableRef } from "./model";
export { nearest } from "./near";
export { namePattern, pathPattern } from "./pattern";
export {
  type BreakingPath,
  checkPolicies,
  type Demand,
  demanded,
  demandKey,
  exampleFailure,
  exceptedWords,
  exceptionsFor,
  FlowPolicies,
  inForce,
  isAbout,
  isExpired,
  Judge,
  judgeOf,
  type KeptVerdict,
  leadingTo,
  MAX_POLICY_LENGTH,
  matchedParts,
  type Policy,
  type PolicyException,
  type PolicyFile,
  type PolicyKey,
  type PolicyPart,
  type PolicyProblem,
  type PolicySource,
  partNames,
  partsOfPolicy,
  policiesFor,
  policyKeys,
  policySchema,
  reachedFrom,
  readPolicyFile,
  routeBetween,
  routeByShape,
  type Selector,
  type SelectorKey,
  selectedNodes,
  startsAndTargets,
  unseenFor,
  type Verdict,
  verdictWords,
} from "./policy";
export { refactoringsAt } from "./refactor";
export { type Behavior, behaviorBetween } from "./review/behavior";
export { type Change, changesBetween, changesBetweenDocuments, withPlatformFields } from "./review/changes";
export type { EdgeChange } from "./review/edge-pairs";
export { type Ending, type Endings, endingsBetween, NO_ENDINGS } from "./review/endings";
export { outlineOf } from "./review/outline";
export { type Mark, overlayOf, type Picture, pictureMermaid, pictureOf } from "./review/picture";
export { readWhole } from "./review/whole";
export { type WordRun, wordDiff } from "./review/words";
export { type Component, type ComponentFacts, componentFacts, componentsIn } from "./rules/components";
export { type DiagnosticPlace, type FlowDiagnostic, type Place, problemOf } from "./rules/engine/diagnostic";
export { checkDocument, diagnosticsIn } from "./rules/engine/engine";
export { bestFixFor, disjointEdits, fixAll, fixEverything, fixesFor } from "./rules/engine/fixes";
export { tallyOf } from "./rules/engine/ordered";
export type { Fix, Problem, RuleSettings, Severity } from "./rules/engine/rule";
export { batchProblem, checkComponents, checkWorkspace, type FileSummary, summarize } from "./rules/engine/workspace";
export { ruleCatalog, ruleDocUrl } from "./rules/index";
export {
  type Answer,
  anyValue,
  type Condition,
  certainly,
  edgeCondition,
  edgesOf,
  evaluate,
  type Facts,
  type FlowOf,
  type Frame,
  isEntry,
  narrowed,
  next,
  type Program,
  partsOf,
  pathOf,
  programOf,
  type Question,
  type RunEdge,
  type RunNode,
  readCondition,
  type State,
  start,
  takenId,
  type ValuesOf,
  valuesIn,
  whoDecides,
} from "./run";
export { FLOW_WORK, SharedWork, Work, WorkSpent } from "./run/work";
export {
  addTests,
  type Cover,
  type Coverage,
  callers,
  checkExpectations,
  coverageOf,
  coverageOfRuns,
  edgesNamed,
  type Failure,
  type FailureKind,
  type FileRun,
  type FlowPlace,
  type FlowTest,
  faultsIn,
  freshNames,
  generateTests,
  inlineText,
  nameIn,
  namesInTest,
  nodePlace,
  nodesAlong,
  placesOf,
  positionsIn,
  type RecordedCall,
  type Renamed,
  type ReportedPlace,
  reachableFrom,
  readTestFile,
  renamedIn,
  reportOf,
  runSuiteFile,
  runsOf,
  runTest,
  type SuiteFile,
  type SuiteWarning,
  shownPath,
  shownValue,
  stepsFor,
  stubsFor,
  type TestFile,
  type TestKey,
  type TestName,
  type TestProblem,
  type TestReport,
  type TestResult,
  type TestStep,
  type TestWarning,
  type Trace,
  takeName,
  testBlocks,
  testFileWith,
  testFixes,
  testKeys,
  testLike,
  testOfCall,
  testSchema,
  testsWithCases,
  testThrough,
  traceOf,
  updatedExpectations,
  warningsOf,
  whyNoneAgrees,
  writeTests,
} from "./test";
export {
  applyEdits,
  contains,
  fileNameIn,
  lineStartIn,
  type Position,
  type Span,
  shift,
  type TextEdit,
  trimmedEnd,
} from "./text";
export { mergeTexts } from "./text-merge/merge";
export { unreadIn, unreadWords, whyNoRun } from "./unread";
export { keyText, type Pair, pairOf, scalarText, textOf, type Value } from "./values";
