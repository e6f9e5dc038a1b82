/** The wire contract: resources, requests, errors and limits. */
export * from "./assistant";
export * from "./calling";
export * from "./endpoints";
export * from "./errors";
export * from "./graph";
export * from "./identity";
export * from "./limits";
export * from "./openapi";
export * from "./ops";
export * from "./reports";
export * from "./requests";
export type { Lazy, Open } from "./schema";
export * from "./tool";
