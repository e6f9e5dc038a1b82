/** Gets everything that `npm start` and `npm test` need, so that they work without a network afterwards. */
export { main } from "./vscode/install";
