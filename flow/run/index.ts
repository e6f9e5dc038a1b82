/** Running a flow without the platform and without a model. */
export { type Condition, evaluate, partsOf, readCondition, type ValuesOf } from "./conditions";
export { edgeCondition, valuesIn, whoDecides } from "./edge-condition";
export {
  type Answer,
  edgesOf,
  type FlowOf,
  type Frame,
  isEntry,
  next,
  pathOf,
  type Question,
  type State,
  start,
  takenId,
} from "./machine";
export { anyValue, type Facts, narrowed } from "./possible";
export { type Program, programOf, type RunEdge, type RunNode } from "./program";
export { FLOW_WORK, SharedWork, Work } from "./work";
