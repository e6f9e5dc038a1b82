/** What completion asks about the other files of the workspace. */
import { fileNameIn } from "../flow";
import type { Neighbors } from "./features/completion";
import type { Workspace } from "./workspace";

export function neighborsOf(workspace: Workspace): Neighbors {
  return {
    ids(key) {
      const found = new Map<string, string>();
      const add = (id: string | undefined, detail: string) => {
        if (id && !found.has(id)) found.set(id, detail);
      };
      for (const facts of workspace.facts()) {
        const file = fileNameIn(facts.uri);
        if (key === "assistant" || key === "component") add(facts.assistant, file);
        if (key === "revision") add(facts.revision, file);
        for (const use of facts.uses) if (use.kind === key) add(use.id, `${use.by}, ${file}`);
      }
      return [...found].map(([id, detail]) => ({ id, detail }));
    },
    component(id) {
      for (const facts of workspace.facts())
        if (facts.assistant === id || facts.revision === id)
          return { file: fileNameIn(facts.uri), inputs: facts.variables, outputs: facts.outputs };
      return undefined;
    },
  };
}
