/**
 * VS Code's built-in extensions that run in the tests. With all hundred of them, a start takes half as much processor
 * time again. `npm start` and its test have all of them.
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
