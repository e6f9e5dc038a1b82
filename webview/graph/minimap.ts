/**
 * The minimap: the whole flow with a frame around the visible part. Shown for large flows that don't fit the window.
 */
import { html } from "../page/dom";
import { onThemeChange } from "../page/theme";
import { around, type Box, holds } from "./geometry";
import { paintGraph } from "./overview";
import type { Picture } from "./picture";
import type { Room } from "./views";

const FROM_NODES = 40;

/** In pixels, matching the style sheet. */
const MARGIN = 12;

export class Minimap {
  readonly element = html("canvas", { class: "minimap", "aria-hidden": "true", hidden: true });
  #map = { scale: 1, x: 0, y: 0 };
  #whole: Box | undefined;
  /** The boxes, painted once per view; panning only moves the frame. */
  readonly #boxes = html("canvas");

  constructor(private readonly picture: Picture) {
    picture.viewport.onChange(() => this.#drawFrame());
    onThemeChange(() => this.draw());
    const move = (event: PointerEvent) => {
      const box = this.element.getBoundingClientRect();
      const at = {
        x: (event.clientX - box.left - this.#map.x) / this.#map.scale,
        y: (event.clientY - box.top - this.#map.y) / this.#map.scale,
      };
      const { viewport, surface } = this.picture;
      const { scale } = viewport.view;
      viewport.set({ x: surface.clientWidth / 2 - at.x * scale, y: surface.clientHeight / 2 - at.y * scale, scale });
    };
    this.element.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.element.setPointerCapture(event.pointerId);
      move(event);
      this.element.addEventListener("pointermove", move);
      this.element.addEventListener("pointerup", () => this.element.removeEventListener("pointermove", move), {
        once: true,
      });
    });
  }

  /** The part of the lower right corner that the minimap covers. */
  get covered(): Room {
    const { hidden, offsetWidth, offsetHeight } = this.element;
    return hidden ? { width: 0, height: 0 } : { width: offsetWidth + MARGIN, height: offsetHeight + MARGIN };
  }

  draw(): void {
    const { view, placing } = this.picture;
    this.#whole = view.nodes.length >= FROM_NODES ? around(this.picture.boxes()) : undefined;
    const whole = this.#whole;
    const context = whole ? this.#boxes.getContext("2d") : null;
    this.element.hidden = !whole;
    if (!whole || !context) return;
    const ratio = window.devicePixelRatio || 1;
    const width = 180;
    const height = 130;
    for (const canvas of [this.element, this.#boxes]) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const scale = Math.min((width - 12) / whole.width, (height - 12) / whole.height);
    this.#map = {
      scale,
      x: (width - whole.width * scale) / 2 - whole.x * scale,
      y: (height - whole.height * scale) / 2 - whole.y * scale,
    };
    context.setTransform(scale * ratio, 0, 0, scale * ratio, this.#map.x * ratio, this.#map.y * ratio);
    paintGraph(context, view, placing, { least: 1.5 / scale });
    this.#drawFrame();
  }

  #drawFrame(): void {
    const seen = this.picture.viewport.seen;
    this.element.hidden = !this.#whole || holds(seen, this.#whole);
    const context = this.element.hidden ? null : this.element.getContext("2d");
    if (!context) return;
    const { width, height } = this.element;
    const ratio = window.devicePixelRatio || 1;
    const { scale, x, y } = this.#map;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#boxes, 0, 0);
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    context.strokeStyle =
      getComputedStyle(document.documentElement).getPropertyValue("--flow-selected").trim() || "#08f";
    context.lineWidth = 1.5 / scale;
    context.strokeRect(seen.x, seen.y, seen.width, seen.height);
  }
}
