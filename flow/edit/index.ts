/** Edits of a flow document that keep its comments and layout. */
export { applyGraph, exceptBroken } from "./apply-graph";
export { composeEdits } from "./compose";
export { changesEdges, removesNode, renamesNode, renamesOutput, renamesVariable, retargeted } from "./meanings";
export {
  addEdge,
  addNode,
  removeEdge,
  removeNode,
  renameNode,
  renameVariable,
  setTarget,
  setTop,
  setVariable,
} from "./operations";
export { yamlWord } from "./write";
