/** Every key of a policy file. */
import { nodeTypes } from "../fields";
import { keysOf as keys } from "../file-keys";
import type { SelectorKey } from "./selector";

export const policyKeys = {
  file: keys({ policies: "The policies for the flows in this folder and its subfolders." }),
  /** The key that determines the kind of a policy. */
  kind: keys({
    every_path_to: "Every path to these nodes passes through the nodes of `passes`.",
    never: "No path goes from `from` to `to`, or only with a node of `without` in between.",
    after: "Every run that reaches these nodes reaches a node of `always` before it ends.",
    at_most: "The shortest path from `from` to `to` has at most this many edges.",
  }),
  with: {
    every_path_to: keys({
      passes: "The nodes that every path passes through. `by` is the edge by which it leaves them.",
    }),
    never: keys({}),
    after: keys({ always: "The nodes that every run reaches. A node of `after` counts." }),
    at_most: keys({ from: "Where the path starts: `entry`, or a selector.", to: "Where the path ends: a selector." }),
  },
  never: keys({
    from: "Where the path starts: `entry`, or a selector.",
    to: "Where the path must not end: a selector.",
    without: "Nodes that must be strictly in between. If omitted, no path is allowed.",
  }),
  common: keys({
    id: "The policy's unique ID.",
    because: "The reason, shown when the policy is broken.",
    flows: "The flows it applies to: a path pattern relative to this file, or a list of patterns. Default: all flows.",
    severity: "The severity of a broken policy: `error`, `warning`, `info` or `hint`.",
    except:
      "Temporary exceptions: flows and nodes that the policy doesn't apply to, each with an end date and a reason.",
    holds: "Example paths on which the policy holds. Each node is an ID or a selector.",
    breaks: "Example paths that break the policy.",
  }),
  exception: keys({
    flow: "The flows it applies to: a path pattern relative to this file. Default: all flows of the policy.",
    node: "The excepted node: no path from or to it breaks the policy. Default: the whole flow.",
    until: "The last day of the exception, as YYYY-MM-DD. After that day, it's reported.",
    because: "The reason for the exception.",
  }),
  selector: keys<SelectorKey>({
    node: "The node with this ID.",
    type: `Nodes of this type: ${nodeTypes.map(({ name }) => name).join(", ")}.`,
    tool: "Tool nodes that call this tool.",
    reads: "Nodes whose own fields read this variable.",
    sets: "Nodes that can set this variable, by asking for it or with `saves`.",
    name: "Nodes whose name matches, ignoring case: `*` is any text, `?` is one character.",
  }),
  by: keys({ by: "The edge taken, by its ID, `when`, label or target." }),
} as const;
