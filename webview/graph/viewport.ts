/** What part of the picture is seen: panning and zooming by mouse, wheel, touchpad and keys. Never moves by itself. */
import { around, type Box, meets, type Point } from "./geometry";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export const SCALES = { least: 0.002, most: 2.5 } as const;

/** Text in the picture can still be read at this zoom. */
const READABLE = 0.6;

/** A press that moves by less than this many pixels is a click. */
const DRAG = 4;

export class Viewport {
  #view: View;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly surface: HTMLElement,
    start: View | undefined,
  ) {
    this.#view = start ?? { x: 0, y: 0, scale: 1 };
    this.#watchWheel();
    this.#watchDrag();
  }

  get view(): View {
    return this.#view;
  }

  /** The part of the picture that is on the screen. */
  get seen(): Box {
    const { x, y, scale } = this.#view;
    return {
      x: -x / scale,
      y: -y / scale,
      width: this.surface.clientWidth / scale,
      height: this.surface.clientHeight / scale,
    };
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  set(view: View): void {
    const scale = Math.min(SCALES.most, Math.max(SCALES.least, view.scale));
    this.#view = { x: view.x, y: view.y, scale };
    for (const listener of this.#listeners) listener();
  }

  pan(dx: number, dy: number): void {
    this.set({ ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy });
  }

  /** Zooms and keeps the point of the screen where it is. */
  zoom(factor: number, at: Point = { x: this.surface.clientWidth / 2, y: this.surface.clientHeight / 2 }): void {
    const { x, y, scale } = this.#view;
    const next = Math.min(SCALES.most, Math.max(SCALES.least, scale * factor));
    this.set({ x: at.x - ((at.x - x) / scale) * next, y: at.y - ((at.y - y) / scale) * next, scale: next });
  }

  fit(boxes: Iterable<Box>): void {
    const whole = around(boxes);
    const { clientWidth: width, clientHeight: height } = this.surface;
    const scale = Math.min(1, (width - 48) / whole.width, (height - 48) / whole.height);
    const used = Math.max(SCALES.least, scale);
    this.set({
      x: (width - whole.width * used) / 2 - whole.x * used,
      y: Math.max(24, (height - whole.height * used) / 2) - whole.y * used,
      scale: used,
    });
  }

  /** Shows as much as can be read, beginning at this point, in the middle of the upper edge. */
  startAt(point: Point, boxes: Iterable<Box>): void {
    this.fit(boxes);
    if (this.#view.scale >= READABLE) return;
    this.set({ x: this.surface.clientWidth / 2 - point.x * READABLE, y: 64 - point.y * READABLE, scale: READABLE });
  }

  /** Brings a box into sight, moving no more than that needs. */
  reveal(box: Box): void {
    const { x, y, scale } = this.#view;
    const { clientWidth: width, clientHeight: height } = this.surface;
    const nearer = (low: number, high: number, size: number) =>
      low < 24 ? 24 - low : high > size - 24 ? size - 24 - high : 0;
    const left = box.x * scale + x;
    const top = box.y * scale + y;
    const dx = nearer(left, left + box.width * scale, width);
    const dy = nearer(top, top + box.height * scale, height);
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  /** Brings a box to the middle; one that is larger than the window begins at its upper left. */
  center(box: Box): void {
    const { scale } = this.#view;
    const { clientWidth: width, clientHeight: height } = this.surface;
    const start = (room: number, from: number, size: number) =>
      size * scale > room - 48 ? 24 - from * scale : (room - size * scale) / 2 - from * scale;
    this.set({ x: start(width, box.x, box.width), y: start(height, box.y, box.height), scale });
  }

  /** Zooms around the middle of a box that is in sight, else around the middle of the window. */
  zoomAround(factor: number, box: Box | undefined): void {
    const { x, y, scale } = this.#view;
    const at = box && { x: (box.x + box.width / 2) * scale + x, y: (box.y + box.height / 2) * scale + y };
    this.zoom(factor, box && meets(box, this.seen) ? at : undefined);
  }

  #watchWheel(): void {
    this.surface.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = this.surface.getBoundingClientRect();
        const at = { x: event.clientX - box.left, y: event.clientY - box.top };
        if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 200), at);
        else this.pan(event.shiftKey ? -event.deltaY : -event.deltaX, event.shiftKey ? 0 : -event.deltaY);
      },
      { passive: false },
    );
  }

  /** From anywhere, also from a node: text is never selected, and less than a few pixels is a click. */
  #watchDrag(): void {
    this.surface.addEventListener("pointerdown", (down) => {
      if (down.button !== 0 || (down.target as Element).closest("[data-port], .floating")) return;
      let last = { x: down.clientX, y: down.clientY };
      let isDragging = false;
      const move = (event: PointerEvent) => {
        const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
        if (!isDragging && Math.hypot(dx, dy) < DRAG) return;
        if (!isDragging) {
          isDragging = true;
          this.surface.setPointerCapture(down.pointerId);
          this.surface.toggleAttribute("data-dragging", true);
        }
        this.pan(dx, dy);
        last = { x: event.clientX, y: event.clientY };
      };
      const end = () => {
        this.surface.removeEventListener("pointermove", move);
        this.surface.removeEventListener("pointerup", end);
        this.surface.removeEventListener("pointercancel", end);
        if (!isDragging) return;
        // The click that ends a drag chooses nothing.
        const swallow = (event: Event) => event.stopPropagation();
        this.surface.addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => {
          this.surface.removeEventListener("click", swallow, { capture: true });
          this.surface.toggleAttribute("data-dragging", false);
        });
      };
      this.surface.addEventListener("pointermove", move);
      this.surface.addEventListener("pointerup", end);
      this.surface.addEventListener("pointercancel", end);
    });
  }
}
