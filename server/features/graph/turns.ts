/**
 * Links turns of a call to nodes. Only certain links are made: the assistant spoke a node's exact instructions, or the
 * caller gave the value of a variable that exactly one node collects. Ambiguous turns aren't linked.
 */
import { addTo, type FlowDocument, type NodeBlock } from "../../../flow";
import { t } from "../../../text";
import type { TurnLink } from "../../messages";

interface Place {
  readonly uri: string;
  readonly node: NodeBlock;
}

export function linkTurns(
  turns: readonly { readonly text: string }[],
  variables: Readonly<Record<string, unknown>>,
  files: Iterable<{ readonly uri: string; readonly document: FlowDocument }>,
): TurnLink[] {
  const spoken = new Map<string, Place[]>();
  const collected = new Map<string, Place[]>();
  for (const { uri, document } of files)
    for (const node of document.nodes) {
      if (node.instructions !== undefined) addTo(spoken, folded(node.instructions), { uri, node });
      for (const ref of node.refs) if (ref.kind === "collect") addTo(collected, ref.name, { uri, node });
    }
  return turns.flatMap((turn, index): TurnLink[] => {
    const text = folded(turn.text);
    const said = only(spoken.get(text));
    if (said && text.length >= 12)
      return [{ turn: index, uri: said.uri, node: said.node.id, why: t("This is the node's own text.") }];
    const given = Object.entries(variables).filter(([name, value]) => collected.has(name) && isValueOf(value, text));
    const [name] = given.length === 1 ? (given[0] as [string, unknown]) : [];
    const place = name === undefined ? undefined : only(collected.get(name));
    return place
      ? [
          {
            turn: index,
            uri: place.uri,
            node: place.node.id,
            why: t("The value of {0} was given here.", `{{${name}}}`),
          },
        ]
      : [];
  });
}

function isValueOf(value: unknown, text: string): boolean {
  const wanted = typeof value === "string" || typeof value === "number" ? folded(String(value)) : "";
  // A short value occurs in too many sentences to be evidence.
  if (wanted.length < 4) return false;
  const at = text.indexOf(wanted);
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
  return at >= 0 && !isPart(text[at - 1]) && !isPart(text[at + wanted.length]);
}

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

function only(places: readonly Place[] | undefined): Place | undefined {
  return places?.length === 1 ? places[0] : undefined;
}
