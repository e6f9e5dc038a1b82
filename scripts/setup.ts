/** Downloads everything that `npm start` and `npm test` need, so that they work offline. */
export { main } from "./vscode/install";
