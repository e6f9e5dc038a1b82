/** A bar chart by uPlot in the theme's colors, with one bar per knowledge base. */

import uPlot from "uplot";
import { html, replaceChildren } from "../page/dom";
import { t } from "../page/l10n";
import type { Column } from "./rows";

export interface Bar {
  readonly label: string;
  readonly value: number;
}

export class BarChart {
  readonly element = html("div", { class: "chart", role: "img" });
  #plot: uPlot | undefined;
  #shown: { bars: readonly Bar[]; column: Column } | undefined;

  constructor() {
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(this.element);
    // Colors are painted on a canvas, so a theme change requires repainting.
    new MutationObserver(() => this.#shown && this.show(this.#shown.bars, this.#shown.column)).observe(document.body, {
      attributes: true,
      attributeFilter: ["class"],
    });
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
