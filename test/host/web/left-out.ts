/** The parts of the suite that can't run in a web worker, each with the reason. */

/** Test files, by their path below test/host. */
export const filesLeftOut: Readonly<Record<string, string>> = {
  "activation.test.ts":
    "It watches Node's modules; test/security/web.test.ts and the sizes in test/house do it for a browser.",
  "agents.test.ts": "The tools for coding agents are a program.",
  "yaml-beside.test.ts": "The other language server is a program.",
  "without-flows/activation.test.ts": "It watches Node's modules.",
};

/** Tests, by name and file. */
export const testsLeftOut: Readonly<Record<string, { readonly file: string; readonly reason: string }>> = {
  "launch.json completes the attributes of a run": {
    file: "debug.test.ts",
    reason: "VS Code's package for tests has its JSON extension for servers only.",
  },
  "tasks check and test the flows of the folder": { file: "links.test.ts", reason: "A task is a process." },
  "a branch switch pauses sync and shows the plan; nothing is sent until a push": {
    file: "sync.test.ts",
    reason: "Git is a program.",
  },
};
