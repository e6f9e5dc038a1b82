/**
 * The parts of the extension that are loaded when they are needed, each from a file in dist/ (scripts/build.ts).
 * client/browser/parts.ts takes the place of this file in a browser.
 */
export const loadProtocol = () => import("./protocol");
export const loadDebugger = () => import("./debug/adapter");
