/** The face of `suite/`: test files with their flows, as the command line and the editor run them. */
export { filesBelow, shownPath } from "./find";
export { type LoadedSuite, Suite } from "./load";
export { Reader } from "./reader";
