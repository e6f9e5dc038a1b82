/** The face of `platform/`: what the platform says and how to ask it. Other folders import only from here. */
export * from "./contract";
export * from "./graph-wire";
export * from "./transport";
