/** The pushed flow that a calling workflow is linked to, ready to run. */
import { applyEdits, FlowDocument, type Graph, getOrCreate } from "../../flow";
import { applyGraph } from "../../flow/edit";
import { type Program, programOf } from "../../flow/run";
import type { CallingWorkflow } from "../../platform";
import type { Store } from "../storage/store";

/** A workflow is linked if its `promptId` is the ID of an assistant or a revision with a flow. */
export function linkedProgram(store: Store, { promptId }: CallingWorkflow, now: number): Program | undefined {
  return promptId === undefined ? undefined : programById(store, promptId, now);
}

/** The flow of an assistant or a revision; undefined if it can't run. */
export function programById(store: Store, id: string, now: number): Program | undefined {
  const revision = store.get("assistants", id)?.assistant.active_revision_id ?? id;
  if (!store.get("flows", revision)) return undefined;
  const program = programOfGraph(store.graphs(revision, now).current);
  return program.entry ? program : undefined;
}

/** Graphs are immutable, so each is read once. */
const programs = new WeakMap<Graph, Program>();

export function programOfGraph(graph: Graph): Program {
  return getOrCreate(programs, graph, () =>
    programOf(FlowDocument.read(applyEdits("", applyGraph(FlowDocument.read(""), graph)))),
  );
}
