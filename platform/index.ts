/** The face of `platform/`: what the platform says and how to ask it. Other folders import only from here. */
export * from "./transport";
