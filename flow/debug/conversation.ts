/** A run as a conversation: the assistant's instructions, and the answers of the caller and the tools. */
import { isEntry, type State } from "../run/machine";
import { takeName } from "../test/takes";
import type { KnownTools } from "../tools";
import { textOf } from "../values";
import { filledIn, shown } from "./evaluate";
import { type Moment, momentsOf } from "./run";

export interface Turn {
  readonly kind: "node" | "choice" | "value" | "call" | "set" | "end";
  /** The node where it happened. */
  readonly at: string;
  /** The heading: the node's name and tool, or the source of the answer. */
  readonly title: string;
  readonly text: string;
  /** Variables read here without a value. */
  readonly unset: readonly string[];
  readonly moment: Moment;
}

export function conversationOf(last: Moment, tools?: KnownTools): Turn[] {
  return momentsOf(last).flatMap((moment) => [...answered(moment), ...entered(moment, tools), ...ended(moment)]);
}

function entered(moment: Moment, tools: KnownTools | undefined): Turn[] {
  const { state, move } = moment;
  if (!isEntry(state) || move?.kind === "set") return [];
  const unset = [...new Set(state.unset.map(({ variable }) => variable))];
  return [{ kind: "node", at: state.at, title: nodeName(state, tools), text: instructionsOf(state), unset, moment }];
}

function answered(moment: Moment): Turn[] {
  const { move, before } = moment;
  if (!before || !move || move.kind === "step") return [];
  const { at, question } = before.state;
  const turn = (kind: Turn["kind"], title: string, text: string): Turn[] => [
    { kind, at, title, text, unset: [], moment },
  ];
  if (move.kind === "set") return turn("set", "Changed manually", `${move.name} = ${shown(move.value)}`);
  const { answer } = move;
  if ("take" in answer) return turn("choice", "Chosen", takeName(answer.take));
  if ("give" in answer && question?.kind === "value")
    return turn(
      "value",
      "Caller",
      answer.give === undefined || answer.give === null ? "gives up" : `${question.variable} = ${shown(answer.give)}`,
    );
  if ("return" in answer) return turn("call", "Answer", shown(answer.return ?? {}));
  if ("event" in answer) return turn("call", "Event", answer.event);
  return [];
}

function ended(moment: Moment): Turn[] {
  const { state } = moment;
  if (!state.ended) return [];
  return [{ kind: "end", at: state.at, title: "", text: endWords(state), unset: [], moment }];
}

/** How a run ended, in one sentence; empty if it hasn't. */
export function endWords({ ended, taken }: State): string {
  switch (ended?.kind) {
    case "end":
      return `The conversation ended at "${ended.node}".`;
    case "transfer":
      return `The caller was transferred at "${ended.node}".`;
    case "stuck":
      return taken && taken.to !== ended.node.split("/").at(-1)
        ? `The run is stuck at "${ended.node}": its edge points to "${taken.to}", which doesn't exist.`
        : `The run is stuck at "${ended.node}": none of its edges can be taken.`;
    case "endless":
      return `The run doesn't end; it was stopped at "${ended.node}".`;
    default:
      return "";
  }
}

/** The node's name or ID, and the name of the tool that it calls. */
function nodeName({ node, at }: State, tools: KnownTools | undefined): string {
  const name = textOf(node.block.fields.get("name")?.value) ?? at;
  return [name, tools?.calledBy(node.block)?.name].filter(Boolean).join(" · ");
}

/** The instructions of a node, with the values of variables filled in. */
function instructionsOf({ node, frame }: State): string {
  return filledIn(textOf(node.block.fields.get("instructions")?.value)?.trim() ?? "", frame);
}
