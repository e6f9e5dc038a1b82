/** The Play page: a conversation with a flow, its current question, and its variables. */

import type { FromPlayPage, ToPlayPage } from "../../client/pages/messages";
import type { PlayTurn, PlayView } from "../../debug/messages";
import { button, html, replaceChildren } from "../page/dom";
import { connect } from "../page/host";
import { t } from "../page/l10n";

const host = connect<ToPlayPage, FromPlayPage, object>();
const title = html("h1");
const back = button(t("Back"), () => host.send({ type: "back" }), {
  title: t("Back to the previous question (Alt+Left)"),
});
const restart = button(t("Restart"), () => host.send({ type: "restart" }));
const save = button(t("Save as Test"), () => host.send({ type: "save" }), { class: "primary" });
const note = html("p", { class: "note", role: "status" });
const turns = html("ol", { class: "turns", "aria-label": t("Conversation") });
const question = html("section", { class: "question", "aria-label": t("Answer") });
const problem = html("p", { class: "problem", role: "alert" });
const variables = html("tbody");
const aside = html(
  "aside",
  { "aria-label": t("Variables") },
  html("h2", {}, t("Variables")),
  html(
    "table",
    {},
    html("thead", { class: "announcer" }, html("tr", {}, html("th", {}, t("Name")), html("th", {}, t("Value")))),
    variables,
  ),
);
const announcer = html("div", { class: "announcer", "aria-live": "polite" });
document.body.append(
  html(
    "header",
    {},
    title,
    html("div", { class: "tools", role: "toolbar", "aria-label": t("Conversation") }, back, restart, save),
  ),
  note,
  html("div", { class: "columns" }, html("main", {}, turns, question, problem), aside),
  announcer,
);
/** Gets the focus with the page, if no other element has it. */
let home: HTMLElement | undefined;
note.hidden = true;
problem.hidden = true;

host.onMessage((message) => {
  switch (message.type) {
    case "play":
      return show(message);
    case "problem":
      return showProblem(message.text);
    case "saved": {
      const advice = question.querySelector(".ended");
      if (advice) advice.textContent = t('Saved as test "{0}". Go back, or start again.', message.name);
      return;
    }
    case "failed":
      title.textContent = message.title;
      note.hidden = true;
      problem.hidden = true;
      aside.hidden = true;
      replaceChildren(turns);
      replaceChildren(question, html("p", {}, message.reason));
      for (const each of [back, restart, save]) each.disabled = true;
  }
});
window.addEventListener("keydown", (event) => {
  if (event.altKey && event.key === "ArrowLeft" && !back.disabled) {
    event.preventDefault();
    host.send({ type: "back" });
  }
});
window.addEventListener("focus", () => {
  if (document.activeElement === document.body) home?.focus();
});
host.send({ type: "ready" });

function showProblem(text: string): void {
  problem.textContent = text;
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

function show({ title: name, view, isRepeated }: Extract<ToPlayPage, { type: "play" }>): void {
  title.textContent = name;
  back.disabled = !view.canGoBack;
  restart.disabled = false;
  save.disabled = view.ended === undefined;
  save.title = view.ended === undefined ? t("Play the conversation to its end first.") : "";
  note.textContent = view.note ?? "";
  note.hidden = view.note === undefined;
  problem.hidden = true;
  aside.hidden = view.variables.length === 0;
  replaceChildren(turns, view.turns.map(turn));
  replaceChildren(
    variables,
    view.variables.map(({ name: each, value, isSet }) =>
      html("tr", { class: isSet ? "" : "unset" }, html("th", { scope: "row" }, each), html("td", {}, value)),
    ),
  );
  const next = ask(view);
  home = next;
  if (!isRepeated || document.hasFocus()) next?.focus();
  const last = view.turns.at(-1);
  const sentence = (text: string | undefined) => (!text || /[.?!…]$/.test(text) ? text : `${text}.`);
  announcer.textContent = [last?.title, last?.text?.trim(), view.asks?.title].map(sentence).filter(Boolean).join(" ");
  question.scrollIntoView({ block: "end" });
}

const SPEAKERS = {
  node: t("Assistant"),
  choice: t("Chosen"),
  value: t("Caller"),
  call: t("Tool"),
  set: t("Changed"),
  end: t("End"),
} as const;

function turn({ kind, at, title: heading, text, unset }: PlayTurn): HTMLElement {
  const place = button(at, () => host.send({ type: "open", at }), { class: "place", title: t("Show in the flow") });
  return html(
    "li",
    { class: `turn ${kind}` },
    html("span", { class: "speaker" }, SPEAKERS[kind], " ", kind === "node" && place),
    kind === "node" && heading !== at && html("strong", {}, heading),
    text !== "" && html("p", {}, text),
    unset.length > 0 && html("p", { class: "problem" }, t("Unset here: {0}", unset.join(", "))),
  );
}

/** Answers by question, offered again after going back. */
const answered = new Map<string, string>();

/** Shows the question, and returns the element that gets the focus. */
function ask({ asks, ended }: PlayView): HTMLElement | undefined {
  if (!asks) {
    const advice = t("Save it as a test, go back, or start again.");
    replaceChildren(question, ended !== undefined && html("p", { class: "ended" }, advice));
    return ended === undefined ? undefined : save;
  }
  const answer = (text: string) => {
    answered.set(asks.title, text);
    host.send({ type: "answer", text });
  };
  const chip = (words: string, text: string, options: { class: string; title?: string }) =>
    button(words, () => answer(text), { ...options, "data-answer": text });
  const heading = html("h2", { id: "asked" }, asks.title);
  const chips = html("div", { class: "chips", role: "group", "aria-labelledby": "asked" });
  if (asks.kind === "choice")
    for (const { id, words, to, isDefault } of asks.choices)
      chips.append(
        chip(isDefault ? t("otherwise: {0}", words) : words, `take ${id}`, { class: "chip", title: `→ ${to}` }),
      );
  if (asks.kind === "value") {
    for (const value of asks.values)
      chips.append(chip(value, `give ${asks.variable} ${JSON.stringify(value)}`, { class: "chip" }));
    chips.append(chip(t("Gives up"), `give ${asks.variable} null`, { class: "chip quiet" }));
  }
  if (asks.kind === "call")
    for (const event of asks.events)
      chips.append(
        chip(t("Fail: {0}", event), event === "error" ? "fail error" : `event ${event}`, { class: "chip quiet" }),
      );
  const field = fieldFor(asks, answer);
  replaceChildren(question, heading, field, chips);
  const earlier = answered.get(asks.title);
  const chosen = [...chips.querySelectorAll<HTMLElement>("button")].find((each) => each.dataset.answer === earlier);
  return chosen ?? question.querySelector<HTMLElement>("input, textarea, button") ?? undefined;
}

function fieldFor(asks: NonNullable<PlayView["asks"]>, answer: (text: string) => void): HTMLElement | undefined {
  if (asks.kind === "choice" || (asks.kind === "value" && asks.values.length > 0)) return undefined;
  const isCall = asks.kind === "call";
  const label = isCall ? t("Answer as JSON or YAML") : t("Value of {0}", asks.variable);
  const input = isCall
    ? html("textarea", { id: "field", rows: 3 })
    : html("input", { id: "field", type: "text", autocomplete: "off" });
  const verb = isCall ? "return " : `give ${asks.variable} `;
  const earlier = answered.get(asks.title);
  input.value =
    earlier?.startsWith(verb) && earlier !== `${verb}null` ? earlier.slice(verb.length) : (asks.answer ?? "");
  if (isCall && input.value === "") input.value = "{}";
  const form = html(
    "form",
    {},
    html("label", { for: "field" }, label),
    input,
    html(
      "button",
      { type: "submit", class: "primary", title: isCall ? t("Return this answer (Ctrl+Enter)") : "" },
      isCall ? t("Return") : t("Give"),
    ),
  );
  // Enter starts a new line in the answer of a tool, so Ctrl+Enter sends it, and a value, too.
  input.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event as KeyboardEvent;
    if (key === "Enter" && (ctrlKey || metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isCall || input.value.trim() !== "") answer(`${verb}${input.value}`);
    else showProblem(t("Enter a value."));
  });
  return form;
}
