/** The entry point of `system/` in a browser. The build uses it instead of `system/index.ts`. */
export * from "../arriving";
export * from "../random";
export * from "../turns";
export * from "./files";
export * from "./hashing";
export * from "./processes";
export * from "./requests";
export { browserState } from "./state-store";
