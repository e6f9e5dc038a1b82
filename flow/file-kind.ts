/** The kind of a file by its path, for every command, the editor, agents, and the debugger. */

export type FileKind = "flow" | "test" | "policies" | "tools" | "project";

/** The only valid name of a policy file. */
export const POLICY_FILE = "assistant-flow.policies.yaml";

/** The only valid name of a snapshot of tool definitions. */
export const TOOLS_FILE = "assistant-flow.tools.json";

/** The only valid name of a project file. */
export const PROJECT_FILE = "assistant-flow.project.yaml";

/** The kind of a file by its name; undefined for other files. Accepts paths and URIs with either kind of slash. */
export function fileKind(path: string): FileKind | undefined {
  if (/\.flow\.ya?ml$/.test(path)) return "flow";
  if (/\.flowtest\.ya?ml$/.test(path)) return "test";
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (name === POLICY_FILE) return "policies";
  if (name === PROJECT_FILE) return "project";
  return name === TOOLS_FILE ? "tools" : undefined;
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
  tools: { called: "tool definitions", ending: TOOLS_FILE },
  project: { called: "project", ending: PROJECT_FILE },
};

/** Why a name can't be that of a flow. */
export function notAFlow(name: string): string | undefined {
  return isFlowFile(name) ? undefined : `"${name}" isn't a flow file (${FILE_KINDS.flow.ending}).`;
}
