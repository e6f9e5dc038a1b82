/** The lead form: all fields with their errors, and a summary of the call before anything is sent. */

import type { FromLeadPage, LeadFormField, ToLeadPage } from "../../client/pages/messages";
import { button, html, markInvalid, replaceChildren } from "../page/dom";
import { keepFocus } from "../page/focus";
import { connect } from "../page/host";
import { t } from "../page/l10n";

type Form = Extract<ToLeadPage, { type: "form" }>;
interface KeptState {
  /** Identifies the page when VS Code restores it. */
  readonly key: unknown;
  readonly values: Readonly<Record<string, string>>;
}

const host = connect<ToLeadPage, FromLeadPage, KeptState>();
const focusAgain = keepFocus();
const title = html("h1");
const notes = html("div", { class: "notes" });
const form = html("form", { novalidate: true, autocomplete: "off" });
const status = html("p", { class: "status", role: "status" });
const repeat = button(t("Repeat Last Lead"), () => host.send({ type: "repeat" }));
document.body.append(html("main", {}, title, notes, form, status));

type Input = HTMLInputElement | HTMLTextAreaElement;
const inputs = new Map<string, Input>();
const complaints = new Map<string, HTMLElement>();
/** Fields the user has left. Others show no errors yet. */
const visited = new Set<string>();
/** The errors of the last submit. Each stays until its field is edited. */
const reported = new Map<string, string>();

host.onMessage((message) => {
  switch (message.type) {
    case "form":
      return show(message);
    case "fill":
      fill(message.values);
      inputs.get("primaryPhone")?.focus();
      return check();
    case "notes":
      return showNotes(message.notes);
    case "problems":
      return showProblems(message.problems, message.isFinal, message.message);
    case "sent":
      fill({});
      visited.clear();
      showProblems({}, true, message.text);
      allowRepeat(message.last);
      return inputs.values().next().value?.focus();
    case "focus":
      focusAgain();
  }
});
host.send({ type: "ready" });

function show(message: Form): void {
  const typed = message.values ?? host.state.values ?? {};
  host.keep({ key: message.key });
  document.title = message.title;
  title.textContent = message.title;
  showNotes(message.notes);
  inputs.clear();
  complaints.clear();
  const groups = [...new Set(message.fields.map(({ group }) => group))];
  replaceChildren(
    form,
    groups.map((group) =>
      html(
        "fieldset",
        {},
        html("legend", {}, group),
        message.fields.filter((field) => field.group === group).map(control),
      ),
    ),
    html(
      "div",
      { class: "actions" },
      html("button", { type: "submit", class: "primary" }, t("Continue…")),
      repeat,
      button(t("Clear"), () => {
        fill({});
        visited.clear();
        showProblems({}, true);
      }),
    ),
  );
  allowRepeat(message.last);
  fill(typed);
  check();
  inputs.values().next().value?.focus();
}

function showNotes(texts: readonly string[]): void {
  replaceChildren(
    notes,
    texts.map((note) => html("p", {}, note)),
  );
}

function control({ name, label, placeholder, required, isLong }: LeadFormField): HTMLElement {
  const about = `about-${name}`;
  const attributes = {
    id: name,
    name,
    placeholder,
    "aria-describedby": about,
    "aria-required": required ? "true" : undefined,
    maxlength: 2000,
  };
  const input: Input = isLong
    ? html("textarea", { rows: 3, ...attributes })
    : html("input", { type: "text", ...attributes });
  const complaint = html("span", { class: "complaint", id: about, role: "alert" });
  inputs.set(name, input);
  complaints.set(name, complaint);
  input.addEventListener("input", () => {
    host.keep({ values: values() });
    if (reported.delete(name) && reported.size === 0) status.textContent = "";
    // Update the errors of a field while typing only after it was left once.
    if (visited.has(name)) check();
  });
  input.addEventListener("blur", () => {
    if (input.value !== "") visited.add(name);
    check();
  });
  return html(
    "label",
    { class: isLong ? "field long" : "field", for: name },
    html("span", {}, required ? t("{0} (required)", label) : label),
    input,
    complaint,
  );
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  status.textContent = "";
  host.send({ type: "submit", values: values() });
});

function values(): Record<string, string> {
  return Object.fromEntries(
    [...inputs].flatMap(([name, { value }]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
}

function fill(lead: Readonly<Record<string, string>>): void {
  for (const [name, input] of inputs) input.value = lead[name] ?? "";
  status.textContent = "";
  reported.clear();
  host.keep({ values: values() });
}

function check(): void {
  host.send({ type: "check", values: values() });
}

/** Shows errors. Before the user submits, only for fields with input. */
function showProblems(problems: Readonly<Record<string, string>>, isFinal: boolean, message?: string): void {
  if (isFinal) reported.clear();
  for (const [name, element] of complaints) {
    const input = inputs.get(name);
    const found = problems[name] ?? "";
    if (isFinal && found) {
      reported.set(name, found);
      visited.add(name);
    }
    const problem = reported.get(name) ?? (visited.has(name) && input?.value !== "" ? found : "");
    element.textContent = problem;
    if (input) markInvalid(input, problem !== "");
  }
  if (message !== undefined) status.textContent = message;
  const [, first] = (isFinal && [...inputs].find(([name]) => problems[name])) || [];
  if (first) first.focus();
  else if (isFinal) focusAgain();
}

function allowRepeat(last: string | undefined): void {
  repeat.hidden = last === undefined;
  repeat.textContent = last === undefined ? "" : t("Repeat Last Lead ({0})", last);
}
