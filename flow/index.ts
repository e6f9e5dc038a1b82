/** The face of `flow/`: what a flow is. Other folders import only from here. */
export * from "./analysis";
export * from "./apply";
export * from "./comments";
export * from "./document";
export * from "./equal";
export * from "./fields";
export * from "./findings/finding";
export * from "./findings/spans";
export * from "./findings/track";
export * from "./graph";
export * from "./locate";
export type * from "./model";
export * from "./ops";
export type * from "./rules/rule";
export * from "./text";
export * from "./values";
export * from "./wire";
