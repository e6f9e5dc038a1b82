/** The kind of a file by its path, for every command, the editor, agents, and the debugger. */

export type FileKind = "flow" | "test" | "policies";

/** The only valid name of a policy file. */
export const POLICY_FILE = "assistant-flow.policies.yaml";

/** The kind of a file by its name; undefined for other files. Accepts paths and URIs with either kind of slash. */
export function fileKind(path: string): FileKind | undefined {
  if (/\.flow\.ya?ml$/.test(path)) return "flow";
  if (/\.flowtest\.ya?ml$/.test(path)) return "test";
  return /(?:^|[\\/])assistant-flow\.policies\.yaml$/.test(path) ? "policies" : undefined;
}

export function isFlowFile(path: string): boolean {
  return fileKind(path) === "flow";
}

export function isTestFile(path: string): boolean {
  return fileKind(path) === "test";
}

/** The name of a flow: its file name without the ending. */
export function withoutFlowEnding(path: string): string {
  return path.replace(/\.flow\.ya?ml$/i, "");
}

/** The display name and the file endings of each kind. */
export const FILE_KINDS: Readonly<Record<FileKind, { readonly called: string; readonly ending: string }>> = {
  flow: { called: "flow", ending: ".flow.yaml or .flow.yml" },
  test: { called: "test", ending: ".flowtest.yaml or .flowtest.yml" },
  policies: { called: "policy", ending: POLICY_FILE },
};
