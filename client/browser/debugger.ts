/** The debugger in a browser, which has its own copy of `system/`. */
export { setFileSource } from "../../system/browser";
export * from "../debug/adapter";
