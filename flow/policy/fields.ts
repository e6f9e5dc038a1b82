/** Every key of a policy file, with its meaning. The JSON Schema and the editor's help are derived from this table. */
import { nodeTypes } from "../fields";
import type { SelectorKey } from "./selector";

export interface PolicyKey {
  readonly name: string;
  readonly doc: string;
}

const keys = <Name extends string>(docs: Record<Name, string>) =>
  Object.entries(docs).map(([name, doc]) => ({ name: name as Name, doc: doc as string }));

export const policyKeys = {
  file: keys({ policies: "What must hold on every path through the flows of this folder and below." }),
  /** The key that determines the kind of a policy. */
  kind: keys({
    every_path_to: "Every path that gets to these nodes has passed the nodes of `passes` before.",
    never: "No path leads from some nodes to others, or none without a third kind between.",
    after: "A run that came to these nodes doesn't end before the nodes of `always`.",
    at_most: "The shortest way from some nodes to others has at most so many steps.",
  }),
  with: {
    every_path_to: keys({ passes: "The nodes that every path passes. `by`: the edge it has left them by." }),
    never: keys({}),
    after: keys({ always: "The nodes that always come, from the nodes of `after` on." }),
    at_most: keys({ from: "Where the way starts: `entry`, or which nodes.", to: "Where the way leads: which nodes." }),
  },
  never: keys({
    from: "Where the path starts: `entry`, or which nodes.",
    to: "Where it must not lead.",
    without: "Nodes that must be strictly between; left out: no path may lead there at all.",
  }),
  common: keys({
    id: "The name of the policy.",
    because: "The reason, shown when the policy is broken.",
    flows: "Which flows it speaks of: a pattern of paths relative to this file, or a list of them. Left out: all.",
    severity: "How a broken policy is shown: `error`, `warning`, `info` or `hint`.",
    except: "Flows and nodes that it doesn't bind for now, each until a day and for a reason.",
    holds: "Paths on which it holds: its own tests, in which each node is an ID or what the node is like.",
    breaks: "Paths that break it, written like those of `holds`.",
  }),
  exception: keys({
    flow: "Which flows: a pattern of paths relative to this file. Left out: all flows of the policy.",
    node: "The node that is excepted: no path from it or to it breaks the policy. Left out: the whole flow.",
    until: "The last day on which it counts, as YYYY-MM-DD. After that it is reported.",
    because: "The reason for it.",
  }),
  selector: keys<SelectorKey>({
    node: "The node with this ID.",
    type: `Nodes of this type: ${nodeTypes.map(({ name }) => name).join(", ")}.`,
    tool: "Tool nodes that call this tool.",
    reads: "Nodes whose own fields read this variable.",
    sets: "Nodes that are written to set this variable.",
    name: "Nodes whose name matches, in any case: `*` is any text, `?` one character.",
  }),
  by: keys({ by: "The edge that was taken: by its ID, `when`, label or target." }),
} as const;
