/** The hover of a node: the text of the editor's hover, and how many calls the node has. */
import { html, replaceChildren } from "../page/dom";
import { callsTitle } from "./draw";
import { boxOf, type Point } from "./geometry";
import type { Picture } from "./picture";
import type { Viewport } from "./viewport";

export class NodeHover {
  readonly #element = html("div", { class: "hover", role: "tooltip", hidden: true });

  constructor(
    private readonly surface: HTMLElement,
    private readonly viewport: Viewport,
    private readonly picture: Picture,
  ) {
    document.body.append(this.#element);
    // Hide the hover on input: its content may be outdated, and it would cover the graph.
    for (const event of ["pointerout", "pointerdown", "contextmenu", "keydown", "wheel"])
      surface.addEventListener(event, () => {
        this.#element.hidden = true;
      });
  }

  show(id: string, text: string, place: Point | undefined): void {
    const { surface, viewport } = this;
    const element = this.#element;
    const isInTheWay = document.querySelector(".menu:not([hidden])") !== null;
    element.hidden = text === "" || !place || isInTheWay || !surface.querySelector("[data-node]:hover");
    if (element.hidden || !place) return;
    const calls = this.picture.view?.nodes.find((node) => node.id === id)?.calls;
    const numbers = calls ? `${callsTitle(calls.count, calls.share, calls.left)}\n\n` : "";
    // Removes the list markers of the editor's hover text.
    replaceChildren(element, numbers + text.replace(/^- /gm, ""));
    const { x, y, scale } = viewport.view;
    const box = boxOf(place);
    const above = box.y * scale + y + surface.offsetTop;
    const below = above + box.height * scale + 8;
    // Below the node, or above it if there is no space.
    const isBelow = below + element.offsetHeight <= surface.offsetTop + surface.clientHeight;
    const left = Math.max(8, Math.min(surface.clientWidth - element.offsetWidth - 8, box.x * scale + x));
    element.style.left = `${left}px`;
    element.style.top = `${isBelow ? below : Math.max(8, above - element.offsetHeight - 8)}px`;
  }
}
