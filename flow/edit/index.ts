/** Edits of a flow document that keep its comments and layout. */
export { applyGraph } from "./apply-graph";
export { composeEdits } from "./compose";
export { removesNode, renamesNode, renamesOutput, renamesVariable } from "./meanings";
export {
  addEdge,
  addNode,
  moveEdge,
  removeEdge,
  removeNode,
  removeVariable,
  renameField,
  renameNode,
  renameVariable,
  setEdgeField,
  setNodeField,
  setOutputs,
  setTop,
  setVariable,
  setVariableField,
} from "./operations";
export { yamlWord } from "./write";
