/**
 * The list of changes from another version, with both versions of the selected one. F7 and Shift+F7 step through the
 * changes from anywhere in the page, as in VS Code's diff editor; the arrow keys do in the list.
 */

import type { ComparedElement, GraphChange, GraphElement, GraphView, TextRun } from "../../../server/messages";
import { button, html, replaceChildren } from "../../page/dom";
import { t } from "../../page/l10n";
import { MARKS } from "../draw";
import { type Compared, comparisonTitle } from "./comparison-title";

/** The longest list to show; the rest is only counted. */
const MOST_ROWS = 2000;

export interface ChangeActions {
  /** Selects a change in the graph. */
  go(change: GraphChange): void;
  /** Requests both versions of an element. */
  texts(element: ComparedElement): void;
  /** Chooses another version to compare with. */
  other(): void;
  stop(): void;
}

export class ChangeList {
  readonly element = html("section", { class: "comparison", "aria-label": t("Changes"), hidden: true });
  readonly #title = html("span", { class: "compared-with", role: "status" });
  readonly #list = html("ol", { role: "listbox", tabindex: 0, "aria-label": t("Changes") });
  readonly #before = html("pre", { class: "before", tabindex: 0 });
  readonly #after = html("pre", { class: "after", tabindex: 0 });
  readonly #names = { before: html("h2"), after: html("h2") };
  readonly #steps = [
    button("↑", () => this.step(-1), {
      title: t("Previous change (Shift+F7)"),
      "aria-label": t("Previous change"),
    }),
    button("↓", () => this.step(1), { title: t("Next change (F7)"), "aria-label": t("Next change") }),
  ];
  #changes: readonly GraphChange[] = [];
  #at = -1;
  #requested: ComparedElement | undefined;

  constructor(private readonly actions: ChangeActions) {
    replaceChildren(
      this.element,
      html(
        "header",
        {},
        this.#title,
        this.#steps,
        button(t("Compare with…"), () => actions.other()),
        button("×", () => actions.stop(), { title: t("Stop comparing"), "aria-label": t("Stop comparing") }),
      ),
      html(
        "div",
        { class: "beside" },
        this.#list,
        html("div", { class: "text" }, this.#names.before, this.#before),
        html("div", { class: "text" }, this.#names.after, this.#after),
      ),
    );
    this.#list.addEventListener("click", (event) => {
      const row = (event.target as Element).closest("[data-index]")?.getAttribute("data-index");
      if (row) this.#go(Number(row));
    });
    this.#list.addEventListener("keydown", (event) => {
      const to = { ArrowDown: this.#at + 1, ArrowUp: this.#at - 1, Home: 0, End: this.#changes.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (to >= 0 && to < this.#changes.length) this.#go(to);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "F7" || this.element.hidden) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(event.shiftKey ? -1 : 1);
    });
  }

  /**
   * Shows the comparison of a view, or hides the list if there is none. `isOther`: the compared version has changed.
   */
  show(comparison: GraphView["comparison"], other: Compared | undefined, isOther: boolean): void {
    this.element.hidden = !comparison || !other;
    if (!comparison || !other) {
      this.#changes = [];
      this.#drawRows();
      return;
    }
    // The empty list and texts would take the room of the graph.
    this.element.classList.toggle("impossible", "problem" in comparison);
    const before = this.#changes;
    this.#changes = "changes" in comparison ? comparison.changes : [];
    for (const step of this.#steps) step.disabled = this.#changes.length === 0;
    const title = comparisonTitle(comparison, other);
    if (this.#title.textContent !== title) this.#title.textContent = title;
    this.#names.before.textContent = other.name;
    this.#names.after.textContent = other.shown ?? t("This file");
    // A row that is replaced while it is clicked misses the click.
    if (JSON.stringify(this.#changes) !== JSON.stringify(before)) this.#drawRows();
    const was = before[this.#at];
    this.#at = isOther ? -1 : this.#changes.findIndex((change) => was && isSame(change, was));
    if (isOther) this.#requestTexts(undefined);
    this.#mark();
    // The element may have changed.
    if (this.#requested) this.actions.texts(this.#requested);
  }

  /** Called when an element of the graph is selected: shows its change, if any, and both versions. */
  choose(element: GraphElement | undefined): void {
    if (this.element.hidden || !element) return;
    const own = this.#changes.findIndex((change) => JSON.stringify(change.element) === JSON.stringify(element));
    if (this.#changes[this.#at]?.element !== element) this.#at = own;
    this.#mark();
    this.#requestTexts({ what: "node", id: element.kind === "node" ? element.id : element.node });
  }

  /** Goes to the chosen change, or to the first one. */
  start(): void {
    this.#go(Math.max(this.#at, 0));
  }

  step(by: 1 | -1): void {
    const { length } = this.#changes;
    if (length > 0) this.#go(this.#at < 0 ? (by > 0 ? 0 : length - 1) : (this.#at + by + length) % length);
  }

  showTexts(element: ComparedElement, runs: readonly TextRun[] | undefined): void {
    if (JSON.stringify(element) !== JSON.stringify(this.#requested)) return;
    const side = (kind: "removed" | "added") => {
      const own = (runs ?? []).filter((run) => run.kind === "same" || run.kind === kind);
      const tag = kind === "removed" ? "del" : "ins";
      const isThere = own.some(({ text }) => text.trim() !== "");
      return isThere
        ? own.map((run) => (run.kind === "same" ? run.text : html(tag, {}, run.text)))
        : [html("span", { class: "nothing" }, kind === "removed" ? t("Not there yet.") : t("No longer there."))];
    };
    replaceChildren(this.#before, runs ? side("removed") : []);
    replaceChildren(this.#after, runs ? side("added") : []);
  }

  #drawRows(): void {
    const rest = this.#changes.length - MOST_ROWS;
    replaceChildren(
      this.#list,
      this.#changes.slice(0, MOST_ROWS).map(row),
      rest > 0 && html("li", { class: "rest" }, t("… and {0} more", rest)),
    );
  }

  #go(index: number): void {
    const change = this.#changes[index];
    if (!change) return;
    this.#at = index;
    this.#mark();
    const { what, id, element } = change;
    if (what === "variable") this.#requestTexts({ what, id });
    else if (what === "node" || what === "edge")
      this.#requestTexts({ what: "node", id: element?.kind === "edge" ? element.node : id });
    else this.#requestTexts({ what: "top", id });
    this.actions.go(change);
  }

  #requestTexts(element: ComparedElement | undefined): void {
    const isOther = JSON.stringify(element) !== JSON.stringify(this.#requested);
    this.#requested = element;
    if (isOther) for (const text of [this.#before, this.#after]) replaceChildren(text);
    if (element) this.actions.texts(element);
  }

  #mark(): void {
    for (const [index, item] of [...this.#list.children].entries())
      item.setAttribute("aria-selected", String(index === this.#at));
    const chosen = this.#list.querySelector('[aria-selected="true"]');
    chosen?.scrollIntoView({ block: "nearest" });
    if (chosen) this.#list.setAttribute("aria-activedescendant", chosen.id);
    else this.#list.removeAttribute("aria-activedescendant");
  }
}

function row({ kind, what, label, fields }: GraphChange, index: number): HTMLElement {
  return html(
    "li",
    { id: `change-${index}`, role: "option", "data-index": index, class: `change-${kind}`, "aria-selected": "false" },
    html("span", { class: "sign", title: kind, "aria-label": kind }, MARKS[kind]),
    html("span", {}, `${what}${label === "" ? "" : ` ${label}`}`),
    fields.length > 0 && html("span", { class: "fields" }, fields.join(", ")),
  );
}

function isSame(a: GraphChange, b: GraphChange): boolean {
  return a.kind === b.kind && a.what === b.what && a.id === b.id;
}
