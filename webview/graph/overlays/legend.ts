/** The legend of colors, lines, and marks, drawn like the graph itself. */

import { html, replaceChildren, svg } from "../../page/dom";
import { t } from "../../page/l10n";
import { COVERS, coverMark, MARKS, NODE_TYPES, withTypeColor } from "../draw";

export class Legend {
  readonly element = html("aside", { class: "legend floating graph", "aria-label": t("Legend"), hidden: true });

  constructor() {
    replaceChildren(
      this.element,
      column(section(t("Nodes"), NODE_TYPES.map(typeOf))),
      column(
        section(t("Edges"), [
          [edge("edge-default"), t("default")],
          [edge("edge-when"), t("condition")],
          [edge("edge-on"), t("on event")],
          [edge("edge-when dangling"), t("missing target")],
        ]),
        section(t("Shapes"), [
          [sample("", svg("path", { class: "entry-mark", d: "M8,1l12,6l-12,6z" })), "entry"],
          [
            withTypeColor(sample("", svg("rect", { class: "body", x: 3, y: 2, width: 22, height: 10, rx: 5 })), "end"),
            "end",
          ],
        ]),
        section(t("Calls"), [
          [edge("edge-default calls-share-5"), t("many calls")],
          [edge("edge-default calls-share-3 calls-untested"), t("calls but no test (○)")],
          [edge("edge-default calls-none"), t("no calls")],
        ]),
      ),
      column(
        section(t("Changes"), [
          [mark("added"), t("added")],
          [mark("changed"), t("changed")],
          [mark("removed"), t("removed")],
          [mark("moved"), t("moved")],
        ]),
        section(t("Problems"), [
          [badge("error"), t("errors")],
          [badge("warning"), t("warnings")],
          [badge("hint"), t("hints")],
        ]),
        section(
          t("Coverage"),
          (["covered", "missing", "unreachable"] as const).map((cover) => [
            sample("", coverMark(cover, 14, 7)),
            COVERS[cover],
          ]),
        ),
      ),
    );
  }

  toggle(): boolean {
    this.element.hidden = !this.element.hidden;
    return !this.element.hidden;
  }
}

type Entry = readonly [sample: SVGElement, meaning: string];

function column(...sections: HTMLElement[]): HTMLElement {
  return html("div", {}, sections);
}

function typeOf(type: string): Entry {
  return [withTypeColor(sample("", svg("path", { class: "stripe", d: "M8,1h12v12h-12z" })), type), type];
}

function section(title: string, entries: readonly Entry[]): HTMLElement {
  return html(
    "section",
    {},
    html("h2", {}, title),
    html(
      "ul",
      {},
      entries.map(([picture, meaning]) => html("li", {}, picture, html("span", {}, meaning))),
    ),
  );
}

function sample(kind: string, shape: SVGElement): SVGElement {
  const size = { width: 28, height: 14, viewBox: "0 0 28 14" };
  return svg("svg", { ...size, "aria-hidden": "true" }, svg("g", { class: kind }, shape));
}

function edge(kind: string): SVGElement {
  return sample(`edge ${kind}`, svg("path", { class: "line", d: "M1,7H27" }));
}

function mark(change: keyof typeof MARKS): SVGElement {
  const words = svg("text", { class: "change-mark", x: 14, y: 12 }, MARKS[change]);
  return sample(`change-${change}`, words);
}

function badge(kind: string): SVGElement {
  return sample("", svg("circle", { class: `badge ${kind}`, cx: 14, cy: 7, r: 6 }));
}
