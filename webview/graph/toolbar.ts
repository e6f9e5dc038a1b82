/**
 * The toolbar: search, filter, zoom, arrange, lock, coverage, legend, and export. Controls that don't fit move into a
 * menu.
 */

import type { GraphView } from "../../server/messages";
import { button, html, replaceChildren } from "../page/dom";
import { t } from "../page/l10n";
import { countInBar } from "./bar";
import { type Filter, variablesOf } from "./filter";

export interface ToolbarActions {
  fit(): void;
  zoom(factor: number): void;
  arrange(): void;
  lock(locked: boolean): void;
  search(words: string): void;
  /** Returns the keyboard focus to the graph. */
  leaveSearch(): void;
  nextMatch(words: string, step: 1 | -1): void;
  filter(filter: Filter): void;
  /** Shows or hides test coverage. */
  coverage(isShown: boolean): void;
  /** Shows or hides calls. */
  calls(isShown: boolean): void;
  /** Toggles the legend; returns whether it is shown. */
  legend(): boolean;
  export(format: "svg" | "png" | "mermaid"): void;
}

/** In pixels, matching the style sheet: padding, and the gap between controls. */
const PADDING = 8;
const GAP = 4;

/** The width that is left for the search box, in pixels: empty, and with text, so that most node IDs can be read. */
const SEARCH = { empty: 88, filled: 140 } as const;

export class Toolbar {
  readonly element = html("header", { class: "toolbar", role: "toolbar", "aria-label": t("Flow graph") });
  readonly #search = html("input", { type: "search", placeholder: t("Find"), "aria-label": t("Find node") });
  readonly #matches = html("span", { class: "matches", role: "status" });
  readonly #filter = html("select", { "aria-label": t("Show") });
  readonly #lock: HTMLButtonElement;
  readonly #coverage: HTMLButtonElement;
  readonly #calls: HTMLButtonElement;
  readonly #export = html("select", { "aria-label": t("Export") });
  readonly #controls: readonly HTMLElement[];
  readonly #menu = html("div", {
    class: "more-controls",
    id: "controls",
    role: "group",
    "aria-label": t("Graph controls"),
  });
  readonly #more = button("⋯", () => this.#open(!this.#isOpen), {
    class: "more",
    title: t("More"),
    "aria-label": t("More"),
    "aria-controls": "controls",
  });
  #filters: readonly Filter[] = [];

  constructor(actions: ToolbarActions) {
    this.#search.addEventListener("input", () => actions.search(this.#search.value));
    this.#search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") actions.nextMatch(this.#search.value, event.shiftKey ? -1 : 1);
      if (event.key === "Escape") {
        this.clearSearch();
        actions.search("");
        actions.leaveSearch();
      }
    });
    this.#filter.addEventListener("change", () =>
      actions.filter(this.#filters[this.#filter.selectedIndex] ?? { kind: "all" }),
    );
    this.#lock = toggle(t("Follow"), actions.lock, { class: "lock" });
    this.#coverage = toggle(t("Coverage"), actions.coverage, { title: t("Show what tests cover") });
    this.#calls = toggle(t("Calls"), actions.calls, { title: t("Show where callers go") });
    replaceChildren(
      this.#export,
      html("option", { value: "" }, t("Export")),
      [
        ["svg", "SVG"],
        ["png", "PNG"],
        ["mermaid", "Mermaid"],
      ].map(([value, label]) => html("option", { value }, label)),
    );
    this.#export.addEventListener("change", () => {
      const format = this.#export.value;
      this.#export.selectedIndex = 0;
      this.#open(false);
      if (format === "svg" || format === "png" || format === "mermaid") actions.export(format);
    });
    const showLegend = () => press(legend, actions.legend());
    const legend = toggle(t("Legend"), showLegend, { title: t("Show what colors, lines and marks mean") });
    // The last controls move into the menu first.
    this.#controls = [
      this.#filter,
      button("−", () => actions.zoom(1 / 1.25), { title: t("Zoom out (-)"), "aria-label": t("Zoom out") }),
      button("+", () => actions.zoom(1.25), { title: t("Zoom in (+)"), "aria-label": t("Zoom in") }),
      button(t("Fit"), actions.fit, { title: t("Fit graph to window (0)") }),
      button(t("Arrange"), actions.arrange, { title: t("Lay out the whole graph again") }),
      this.#lock,
      this.#coverage,
      this.#calls,
      legend,
      this.#export,
    ];
    replaceChildren(this.element, this.#search, this.#matches, this.#controls, this.#more, this.#menu);
    new ResizeObserver(() => this.#fold()).observe(this.element);
    window.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target as Node)) this.#open(false);
    });
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !this.element.contains(relatedTarget as Node)) this.#open(false);
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#isOpen) return;
      this.#open(false);
      this.#more.focus();
    });
  }

  get #isOpen(): boolean {
    return this.element.hasAttribute("data-open");
  }

  #open(open: boolean): void {
    this.element.toggleAttribute("data-open", open);
    this.#more.setAttribute("aria-expanded", String(open));
    if (open) (this.#menu.firstElementChild as HTMLElement | null)?.focus();
  }

  /** Measures all controls, and moves those that don't fit into the menu. */
  #fold(): void {
    const focused = document.activeElement;
    this.#open(false);
    this.#more.hidden = false;
    this.#more.before(...this.#controls);
    const width = (element: HTMLElement) => element.offsetWidth + GAP;
    const room = this.element.clientWidth - 2 * PADDING;
    const search = this.#search.value === "" ? SEARCH.empty : SEARCH.filled;
    const widths = this.#controls.map(width);
    const more = width(this.#more);
    // The filter, which comes first, doesn't move into the menu because of its number of nodes.
    const withoutMatches = Math.min(1, countInBar(widths, room - SEARCH.empty, more));
    const count = Math.max(withoutMatches, countInBar(widths, room - search - width(this.#matches), more));
    this.#more.hidden = count === this.#controls.length;
    this.#menu.append(...this.#controls.slice(count));
    if (!document.hasFocus() || !(focused instanceof HTMLElement)) return;
    // Moving an element drops its focus, and a hidden element can't have it.
    if (this.#menu.contains(focused)) this.#more.focus();
    else if (this.#controls.includes(focused)) focused.focus();
    else if (focused === this.#more && this.#more.hidden) this.#controls.at(-1)?.focus();
  }

  update(view: GraphView, { locked, filter }: { locked: boolean; filter: Filter }): void {
    this.#lock.textContent = locked ? t("Locked") : t("Follow");
    this.#lock.title = locked
      ? t("Locked to this file. Click to follow the active flow.")
      : t("Follows the active flow. Click to lock to this file.");
    press(this.#lock, locked);
    const chosen = JSON.stringify(filter);
    this.#filters = [
      { kind: "all" },
      { kind: "findings" },
      ...(view.compared ? [{ kind: "changes" } as const] : []),
      { kind: "unreachable" },
      ...(filter.kind === "paths" ? [filter] : []),
      ...variablesOf(view).map((name) => ({ kind: "variable" as const, name })),
    ];
    replaceChildren(
      this.#filter,
      this.#filters.map((one) => html("option", { selected: JSON.stringify(one) === chosen }, describe(one))),
    );
  }

  showFilter(filter: Filter, count: number | undefined): void {
    const chosen = JSON.stringify(filter);
    if (!this.#filters.some((one) => JSON.stringify(one) === chosen)) {
      this.#filters = [...this.#filters, filter];
      this.#filter.append(html("option", {}, describe(filter)));
    }
    this.#filter.selectedIndex = this.#filters.findIndex((one) => JSON.stringify(one) === chosen);
    this.showMatches(count);
  }

  showMatches(count: number | undefined): void {
    this.#matches.textContent = count === undefined ? "" : count === 1 ? t("1 node") : t("{0} nodes", count);
    // Without closing the menu while its filter is used.
    if (!this.#isOpen) this.#fold();
  }

  showCoverage(isShown: boolean): void {
    press(this.#coverage, isShown);
  }

  showCalls(isShown: boolean): void {
    press(this.#calls, isShown);
  }

  focusSearch(): void {
    this.#search.focus();
    this.#search.select();
  }

  clearSearch(): void {
    this.#search.value = "";
    this.showMatches(undefined);
  }
}

/** A button that is pressed or not. A click asks for the other state, which `press` then shows. */
function toggle(
  label: string,
  ask: (isPressed: boolean) => void,
  attributes: Readonly<Record<string, string>>,
): HTMLButtonElement {
  const element = button(label, () => ask(element.getAttribute("aria-pressed") !== "true"), {
    ...attributes,
    "aria-pressed": "false",
  });
  return element;
}

function press(element: HTMLElement, isPressed: boolean): void {
  element.setAttribute("aria-pressed", String(isPressed));
}

function describe(filter: Filter): string {
  switch (filter.kind) {
    case "all":
      return t("Everything");
    case "findings":
      return t("With findings");
    case "changes":
      return t("Changed");
    case "unreachable":
      return t("Unreachable");
    case "paths":
      return t("Paths to {0}", filter.id);
    case "variable":
      return t("Uses of {0}", `{{${filter.name}}}`);
  }
}
