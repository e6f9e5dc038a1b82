/**
 * VS Code's own extensions that run in the tests. With all hundred of them a start takes half as much processor time again;
 * `npm start` has them all, and its test too.
 */
export const builtIn: readonly string[] = [
  "configuration-editing",
  "diff",
  "git",
  "git-base",
  "json",
  "json-language-features",
  "log",
  "markdown-basics",
  "merge-conflict",
  "references-view",
  "search-result",
  "theme-defaults",
  "theme-seti",
  "yaml",
];
