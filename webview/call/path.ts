/** The path of a call through its flow, beside the transcript. */
import type { CallPath, FromCallPage } from "../../client/pages/messages";
import type { TurnLink } from "../../server/messages";
import { button, html } from "../page/dom";
import { t } from "../page/l10n";

type KnownPath = Extract<CallPath, { kind: "path" }>;

interface CallFacts {
  readonly isLive: boolean;
  /** How many turns the transcript has. */
  readonly turns: number;
}

export function pathSection(path: CallPath, call: CallFacts, send: (message: FromCallPage) => void): HTMLElement {
  const heading = html("h2", {}, t("Path"));
  if (path.kind === "unlinked") {
    const choose = button(t("Choose Flow…"), () => send({ type: "choose-flow" }));
    return html("aside", { class: "path" }, heading, html("p", {}, t("No flow belongs to this workflow.")), choose);
  }
  if (path.kind === "broken")
    return html("aside", { class: "path" }, heading, html("p", {}, t("{0} has errors, so it can't run.", path.flow)));
  const { uri, flow, view } = path;
  const steps = view.steps.map(({ node, certainty, turns }) => {
    const open = button(node, () => send({ type: "open-node", uri, node: outermost(node) }), { class: "link" });
    const item = html("li", {}, open, html("span", { class: "certainty" }, ` ${wordFor(certainty)}`));
    for (const type of ["pointerenter", "focusin"]) item.addEventListener(type, () => highlight(turns));
    for (const type of ["pointerleave", "focusout"]) item.addEventListener(type, () => highlight([]));
    return item;
  });
  return html("aside", { class: "path" }, heading, html("p", {}, summary(flow, path, call)), html("ol", {}, steps));
}

/** The first step of each turn, as a link on the turn. */
export function turnsOf({ uri, view }: KnownPath): TurnLink[] {
  const links = new Map<number, TurnLink>();
  for (const { node, certainty, turns } of view.steps)
    for (const turn of turns)
      if (!links.has(turn)) links.set(turn, { turn, uri, node: outermost(node), why: wordFor(certainty) });
  return [...links.values()];
}

function summary(flow: string, { view: { verdict, end } }: KnownPath, { isLive, turns }: CallFacts): string {
  if (verdict === "placed") return t("Through {0}, from the entry to its end.", flow);
  if (verdict === "unplaced" && isLive)
    return t("The call is in progress. Its path through {0} isn't known yet.", flow);
  if (verdict === "unplaced" && turns === 0)
    return t("The call has no transcript, so its path through {0} isn't known.", flow);
  if (verdict === "unplaced") return t("This call doesn't fit {0}.", flow);
  return end === undefined
    ? t("Through {0}. What follows isn't known.", flow)
    : t("Through {0}. It ended at {1}; the steps between aren't known.", flow, end);
}

/** The node of the flow itself: those of a component are in another file. */
function outermost(node: string): string {
  return node.split("/")[0] ?? node;
}

function wordFor(certainty: "certain" | "likely"): string {
  return certainty === "certain" ? t("certain") : t("likely");
}

function highlight(turns: readonly number[]): void {
  for (const turn of document.querySelectorAll<HTMLElement>(".turn"))
    turn.classList.toggle("of-step", turns.includes(Number(turn.dataset.turn)));
}
