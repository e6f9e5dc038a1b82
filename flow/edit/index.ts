/** Edits of a flow document that keep its comments and layout. */
export { applyGraph } from "./apply-graph";
export * from "./compose";
export * from "./meanings";
export * from "./operations";
export { yamlWord } from "./write";
