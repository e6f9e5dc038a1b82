/** The data that completion uses from other files of the workspace. */
import { fileNameIn, withoutFlowEnding } from "../../flow";
import type { ProjectFile } from "../../flow/project";
import type { KnownTools } from "../../flow/tools";
import type { Neighbors } from "../features/completion/completion";
import type { Workspace } from "./workspace";

export function neighborsOf(workspace: Workspace, tools?: KnownTools, project?: ProjectFile): Neighbors {
  return {
    tools,
    project,
    ids(key) {
      const found = new Map<string, { readonly name?: string; readonly detail: string }>();
      const add = (id: string | undefined, detail: string, name?: string) => {
        if (id && !found.has(id)) found.set(id, { detail, ...(name ? { name } : {}) });
      };
      for (const facts of workspace.facts()) {
        const file = fileNameIn(facts.uri);
        if (key === "assistant" || key === "component") add(facts.assistant, file, withoutFlowEnding(file));
        for (const use of facts.uses) if (use.kind === key) add(use.id, file, use.by);
      }
      return [...found].map(([id, about]) => ({ id, ...about }));
    },
    component(id) {
      for (const facts of workspace.facts())
        if (facts.assistant === id || facts.revision === id || facts.names?.includes(id))
          return { file: fileNameIn(facts.uri), inputs: facts.variables, outputs: facts.outputs };
      return undefined;
    },
  };
}
