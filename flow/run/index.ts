/** Running a flow without the platform and without a model. */
export * from "./conditions";
export * from "./edge-condition";
export * from "./machine";
export * from "./possible";
export * from "./program";
