/** The embedding spend page: query, chart, table, and totals per knowledge base. */

import uPlot from "uplot";
import type { FromSpendPage, SpendQuery, ToSpendPage } from "../../client/pages/messages";
import type { EmbeddingCostRow } from "../../platform";
import { button, facts, html, markInvalid, replaceChildren } from "../page/dom";
import { keepFocus } from "../page/focus";
import { connect } from "../page/host";
import { t } from "../page/l10n";
import { redraw } from "../page/redraw";
import { keepScroll, type ScrollState } from "../page/scroll";
import { onThemeChange } from "../page/theme";
import { type Column, columns, numberOf, sorted, toCsv } from "./rows";

/** A bar chart by uPlot in the theme's colors, with one bar per knowledge base. */
interface Bar {
  readonly label: string;
  readonly value: number;
}

class BarChart {
  readonly element = html("div", { class: "chart", role: "img" });
  #plot: uPlot | undefined;
  #shown: { bars: readonly Bar[]; column: Column } | undefined;

  constructor() {
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(this.element);
    onThemeChange(() => this.#shown && this.show(this.#shown.bars, this.#shown.column));
  }

  show(bars: readonly Bar[], column: Column): void {
    this.#shown = { bars, column };
    const style = getComputedStyle(document.documentElement);
    const color = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
    const text = color("--vscode-foreground", "#888");
    const axis = {
      stroke: text,
      grid: { show: false },
      ticks: { show: false },
      font: `11px ${color("--vscode-font-family", "sans-serif")}`,
    };
    this.#plot?.destroy();
    replaceChildren(this.element);
    this.element.setAttribute(
      "aria-label",
      t("{0} by knowledge base; the table below has the same figures.", column.title),
    );
    this.#plot = new uPlot(
      {
        ...this.#size(),
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: false, range: [-0.6, bars.length - 0.4] },
          y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.05 : 1] },
        },
        series: [
          {},
          {
            label: column.title,
            fill: color("--vscode-charts-blue", "#38f"),
            stroke: color("--vscode-charts-blue", "#38f"),
            paths: (uPlot.paths.bars as (options: { size: [number, number] }) => uPlot.Series.PathBuilder)({
              size: [0.7, 64],
            }),
            points: { show: false },
          },
        ],
        axes: [
          {
            ...axis,
            size: 74,
            rotate: -90,
            splits: () => bars.map((_, index) => index),
            values: (_plot, splits) => splits.map((index) => shorten(bars[index]?.label ?? "")),
          },
          {
            ...axis,
            size: 76,
            grid: { show: true, stroke: color("--vscode-panel-border", "#8884"), width: 1 },
            values: (_plot, splits) => splits.map((value) => column.format(value)),
          },
        ],
        hooks: { setCursor: [(plot) => this.#showValues(plot)] },
      },
      [bars.map((_, index) => index), bars.map((bar) => bar.value)],
      this.element,
    );
    this.element.append(html("div", { class: "pointed", "aria-hidden": "true" }));
  }

  #size(): { width: number; height: number } {
    return { width: Math.max(240, this.element.clientWidth), height: 280 };
  }

  #showValues(plot: uPlot): void {
    const label = this.element.querySelector(".pointed");
    const bar =
      plot.cursor.idx === null || plot.cursor.idx === undefined ? undefined : this.#shown?.bars[plot.cursor.idx];
    if (label) label.textContent = bar && this.#shown ? `${bar.label}: ${this.#shown.column.format(bar.value)}` : "";
  }
}

function shorten(label: string): string {
  if (/^[0-9a-f]{8}-/i.test(label)) return label.slice(0, 8);
  return label.length > 10 ? `${label.slice(0, 9)}…` : label;
}

interface KeptState extends ScrollState {
  readonly query: SpendQuery;
  readonly metric: string;
  readonly sort: { readonly column: string; readonly down: boolean };
}

const host = connect<ToSpendPage, FromSpendPage, KeptState>();
keepFocus();
const scrollBack = keepScroll(host);
const fields: readonly [keyof SpendQuery, string, string][] = [
  ["start_date", t("From"), "date"],
  ["end_date", t("To"), "date"],
  ["limit", t("Limit (1 to 100)"), "number"],
  ["source", t("Source"), "text"],
  ["embedding_type", t("Embedding type"), "text"],
];
const inputs = new Map(
  fields.map(([name, label, type]) => [
    name,
    html("input", { type, "aria-label": label, ...(type === "number" ? { min: 1, max: 100 } : {}) }),
  ]),
);
const complaints = new Map(fields.map(([name]) => [name, html("span", { class: "complaint", role: "alert" })]));
const form = html("form", { class: "query", novalidate: true });
for (const [name, label] of fields)
  form.append(
    html("label", {}, html("span", {}, label), inputs.get(name) as HTMLElement, complaints.get(name) as HTMLElement),
  );
form.append(html("button", { type: "submit", class: "primary" }, t("Show")));
const metric = html(
  "select",
  { "aria-label": t("Chart metric") },
  columns.slice(1).map((column) => html("option", { value: column.key }, column.title)),
);
const status = html("p", { class: "status", role: "status" });
const request = html("code", { class: "request" });
const chart = new BarChart();
const table = html("table", { class: "rows" });
const covers = html("h2", { class: "covers" });
const totals = html("div");
const results = html(
  "section",
  { hidden: true },
  html(
    "div",
    { class: "bar" },
    html("label", {}, html("span", {}, t("Chart ")), metric),
    html("span", { class: "gap" }),
    button(t("Export CSV…"), () => host.send({ type: "export", csv: toCsv(rows) })),
  ),
  covers,
  totals,
  chart.element,
  table,
);
/** Visible after the first request, even if it fails. */
const asked = html("p", { class: "asked", hidden: true }, t("Request: "), request);
document.body.append(html("main", {}, html("h1", {}, t("Embedding spend")), form, status, results, asked));
let rows: readonly EmbeddingCostRow[] = [];
let sort = host.state.sort ?? { column: "total_cost_usd", down: true };
if (host.state.metric) metric.value = host.state.metric;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  askNow();
});
metric.addEventListener("change", () => {
  host.keep({ metric: metric.value });
  show();
});
host.onMessage((message) => {
  if (message.type === "query") {
    fill(message.isRequested ? message.query : (host.state.query ?? message.query));
    askNow();
  } else if (message.type === "rows") {
    rows = message.rows;
    covers.textContent = t("Total ({0})", message.covers);
    showRequest(message.request);
    status.textContent = rows.length === 0 ? noSpend() : "";
    complain({});
    show();
    scrollBack();
  } else {
    status.textContent = message.reason;
    complain(message.fields);
    if (message.request !== undefined) showRequest(message.request);
  }
});
host.send({ type: "ready" });

function noSpend(): string {
  const { source, embedding_type } = host.state.query ?? {};
  return source || embedding_type
    ? t("No embedding spend matches these filters.")
    : t("No embedding spend in this period.");
}

function showRequest(text: string): void {
  request.textContent = text;
  asked.hidden = false;
}

function fill(query: SpendQuery): void {
  for (const [name, input] of inputs) input.value = query[name];
}

function askNow(): void {
  const query = Object.fromEntries(
    [...inputs].map(([name, input]) => [name, input.value.trim()]),
  ) as unknown as SpendQuery;
  host.keep({ query });
  status.textContent = t("Loading…");
  host.send({ type: "ask", query });
}

function complain(problems: Readonly<Record<string, string>>): void {
  for (const [name, element] of complaints) {
    element.textContent = problems[name] ?? "";
    markInvalid(inputs.get(name) as HTMLElement, problems[name] !== undefined);
  }
}

function show(): void {
  results.hidden = rows.length === 0;
  if (rows.length === 0) return;
  const column = columns.find((candidate) => candidate.key === metric.value) ?? (columns[1] as Column);
  const ordered = sorted(rows, sort.column, sort.down);
  chart.show(
    ordered.map((row) => ({ label: row.kb_id, value: numberOf(row, column.key) })),
    column,
  );
  redraw(table, () => showTable(ordered));
  const sum = ({ key }: Column) => rows.reduce((total, row) => total + numberOf(row, key), 0);
  replaceChildren(
    totals,
    facts(
      "totals",
      columns.slice(1).map((one) => [one.title, one.format(sum(one))]),
    ),
  );
}

function showTable(ordered: readonly EmbeddingCostRow[]): void {
  const head = columns.map((column) => {
    const current = sort.column === column.key;
    const cell = html("th", {
      scope: "col",
      "aria-sort": current ? (sort.down ? "descending" : "ascending") : "none",
      class: column.numeric ? "number" : "",
    });
    cell.append(
      button(
        `${column.title}${current ? (sort.down ? " ↓" : " ↑") : ""}`,
        () => {
          sort = { column: column.key, down: current ? !sort.down : column.numeric };
          host.keep({ sort });
          show();
        },
        { "aria-label": column.title },
      ),
    );
    return cell;
  });
  const body = ordered.map((row) =>
    html(
      "tr",
      {},
      columns.map((column) =>
        html(
          "td",
          { class: column.numeric ? "number" : "" },
          column.numeric ? column.format(numberOf(row, column.key)) : String(row.kb_id),
        ),
      ),
    ),
  );
  replaceChildren(table, html("thead", {}, html("tr", {}, head)), html("tbody", {}, body));
}
