/** The call page: caller, times, outcome, and transcript, updated while the call runs. */
import type { CallPath, FromCallPage, ToCallPage } from "../../client/pages/messages";
import type { Call } from "../../platform";
import type { TurnLink } from "../../server/messages";
import { button, facts, html, link, replaceChildren } from "../page/dom";
import { keepFocus } from "../page/focus";
import { connect } from "../page/host";
import { t } from "../page/l10n";
import { redraw } from "../page/redraw";
import { keepScroll, type ScrollState } from "../page/scroll";
import { clock, duration, NOTHING, shown, when, words } from "../page/words";
import { toMarkdown } from "./markdown";

interface KeptState extends ScrollState {
  readonly id: string;
  readonly find: string;
}

const host = connect<ToCallPage, FromCallPage, KeptState>();
keepFocus();
const scrollBack = keepScroll(host);
const main = html("main");
const status = html("p", { class: "status", role: "status" });
document.body.append(status, main);
let latest: Extract<ToCallPage, { type: "call" }> | undefined;
let find = host.state.find ?? "";
/** Created once, because a live call is redrawn while the user types here. */
const finder = findBox();

host.onMessage((message) => {
  if (message.type === "failed") {
    replaceChildren(
      status,
      `${message.reason} `,
      latest ? undefined : button(t("Retry"), () => host.send({ type: "refresh" })),
    );
    return;
  }
  status.textContent = "";
  const grew = (message.call.transcript?.length ?? 0) > (latest?.call.transcript?.length ?? 0);
  const atEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 40;
  latest = message;
  host.keep({ id: message.call.id });
  redraw(main, () => show(message));
  scrollBack();
  // Scroll along with a live conversation, unless the user has scrolled up.
  if (message.live && grew && atEnd) window.scrollTo({ top: document.body.scrollHeight });
});
host.send({ type: "ready" });

function show({ call, workflow, live, links, path }: Extract<ToCallPage, { type: "call" }>): void {
  replaceChildren(
    main,
    html(
      "header",
      {},
      html("h1", {}, nameOf(call)),
      live && html("span", { class: "live" }, t("Live")),
      html("span", { class: "gap" }),
      button(t("Copy as Markdown"), () => host.send({ type: "copy", text: toMarkdown(call) })),
      live ? undefined : button(t("Create Test…"), () => host.send({ type: "create-test" })),
      live || path?.kind !== "path" || path.view.steps.length === 0
        ? undefined
        : button(t("Debug This Call"), () => host.send({ type: "debug" })),
      button(t("Export…"), () => host.send({ type: "export", text: toMarkdown(call) })),
      button(t("Refresh"), () => host.send({ type: "refresh" })),
    ),
    facts("facts", factsOf(call, workflow)),
    html("h2", {}, t("Summary")),
    html(
      "p",
      { class: "summary" },
      call.summary || (live ? t("The summary appears when the call has ended.") : t("No summary.")),
    ),
    html(
      "div",
      { class: "conversation" },
      html(
        "section",
        {},
        html("div", { class: "heading" }, html("h2", {}, t("Transcript")), finder),
        transcript(call, path?.kind === "path" && path.view.steps.length > 0 ? turnsOf(path) : links),
      ),
      path && pathSection(path, { isLive: live, turns: call.transcript?.length ?? 0 }, host.send),
    ),
    tableOf(t("Variables"), call.variables ?? {}),
    tableOf(t("Customer"), call.customerMetadata ?? {}),
    disclosures(call),
  );
  mark();
}

function nameOf(call: Call): string {
  return [call.firstName, call.lastName].filter(Boolean).join(" ") || call.phone || t("Call {0}", call.id);
}

function factsOf(call: Call, workflow: string | undefined): readonly [string, string | HTMLElement][] {
  return [
    [t("Status"), words(call.status)],
    [t("Phone"), shown(call.phone)],
    [t("Email"), shown(call.email)],
    [t("Direction"), call.outbound === undefined ? NOTHING : call.outbound ? t("Outbound") : t("Inbound")],
    [t("Started"), when(call.callStartedAt)],
    [t("Duration"), duration(call.callDuration)],
    [t("End reason"), words(call.callEndedReason)],
    [t("Ended by"), words(call.callEndedBy)],
    [
      t("Workflow"),
      call.workflowId
        ? button(
            workflow ?? call.workflowId,
            () => host.send({ type: "open-workflow", id: call.workflowId as string }),
            { class: "link" },
          )
        : NOTHING,
    ],
    [t("Execution"), shown(call.workflowExecutionId)],
    [t("Recording"), call.recordingUrl ? link(call.recordingUrl, call.recordingUrl) : NOTHING],
    [t("ID"), call.id],
  ];
}

function transcript(call: Call, links: readonly TurnLink[]): HTMLElement {
  const turns = call.transcript ?? [];
  if (turns.length === 0) return html("p", { class: "empty" }, t("No transcript yet."));
  const linkOf = new Map(links.map((each) => [each.turn, each]));
  return html(
    "ol",
    { class: "transcript" },
    turns.map((turn, index) => {
      const tied = linkOf.get(index);
      const side = /^(agent|assistant|ai|bot)$/i.test(turn.user ?? "")
        ? "turn assistant"
        : /^system$/i.test(turn.user ?? "")
          ? "turn system"
          : "turn";
      return html(
        "li",
        { class: side, "data-turn": index },
        html("div", { class: "who" }, `${words(turn.user)} · ${clock(turn.created_at)}`),
        html("p", { class: "text" }, turn.text ?? ""),
        tied &&
          button(`→ ${tied.node}`, () => host.send({ type: "open-node", uri: tied.uri, node: tied.node }), {
            class: "link",
            title: tied.why,
          }),
      );
    }),
  );
}

function tableOf(title: string, values: Readonly<Record<string, unknown>>): HTMLElement[] {
  const rows = Object.entries(values).map(([name, value]) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, shown(value))),
  );
  return rows.length === 0 ? [] : [html("h2", {}, title), html("table", {}, html("tbody", {}, rows))];
}

function disclosures(call: Call): HTMLElement[] {
  const said = call.disclosures ?? [];
  return said.length === 0
    ? []
    : [
        html("h2", {}, t("Disclosures")),
        html(
          "ul",
          {},
          said.map((text) => html("li", {}, String(text))),
        ),
      ];
}

function findBox(): HTMLElement {
  const box = html("input", {
    type: "search",
    placeholder: t("Find in transcript"),
    "aria-label": t("Find in transcript"),
    value: find,
  });
  const count = html("span", { class: "matches", role: "status" });
  box.addEventListener("input", () => {
    find = box.value;
    host.keep({ find });
    mark();
  });
  return html("span", { class: "find" }, box, count);
}

/** Fades the turns that don't match the search. */
function mark(): void {
  const query = find.trim().toLowerCase();
  let count = 0;
  for (const turn of main.querySelectorAll<HTMLElement>(".turn")) {
    const hit = query === "" || (turn.querySelector(".text")?.textContent ?? "").toLowerCase().includes(query);
    turn.classList.toggle("faded", !hit);
    if (hit) count++;
  }
  const label = main.querySelector(".find .matches");
  if (label) label.textContent = query === "" ? "" : count === 1 ? t("1 turn") : t("{0} turns", count);
}

type KnownPath = Extract<CallPath, { kind: "path" }>;

interface CallFacts {
  readonly isLive: boolean;
  /** How many turns the transcript has. */
  readonly turns: number;
}

/** The path of a call through its flow, beside the transcript. */
function pathSection(path: CallPath, call: CallFacts, send: (message: FromCallPage) => void): HTMLElement {
  const heading = html("h2", {}, t("Path"));
  const choose = button(t("Choose Flow…"), () => send({ type: "choose-flow" }));
  if (path.kind === "unlinked")
    return html("aside", { class: "path" }, heading, html("p", {}, t("No flow belongs to this workflow.")), choose);
  if (path.kind === "broken")
    return html(
      "aside",
      { class: "path" },
      heading,
      html("p", {}, t("{0} has errors, so it can't run.", path.flow)),
      choose,
    );
  const { uri, flow, view } = path;
  const steps = view.steps.map(({ node, certainty, turns }) => {
    const open = button(node, () => send({ type: "open-node", uri, node: outermost(node) }), { class: "link" });
    const item = html("li", {}, open, html("span", { class: "certainty" }, ` ${wordFor(certainty)}`));
    for (const type of ["pointerenter", "focusin"]) item.addEventListener(type, () => highlight(turns));
    for (const type of ["pointerleave", "focusout"]) item.addEventListener(type, () => highlight([]));
    return item;
  });
  // The flow may be the wrong one, and the choice is stored.
  const other = view.verdict === "unplaced" && !call.isLive && call.turns > 0 ? choose : undefined;
  return html(
    "aside",
    { class: "path" },
    heading,
    html("p", {}, summary(flow, path, call)),
    html("ol", {}, steps),
    other,
  );
}

/** The first step of each turn, as a link on the turn. */
function turnsOf({ uri, view }: KnownPath): TurnLink[] {
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
