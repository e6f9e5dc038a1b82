/** The visible part of the graph: pan and zoom by mouse, wheel, touchpad, and keys. */
import { type Box, meets, type Point } from "./geometry";
import { fitted, type Room, seenIn, type View } from "./views";

const SCALES = { least: 0.002, most: 2.5 } as const;

/** A press that moves less than this, in pixels, is a click. */
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

  /** The visible part of the graph. */
  get seen(): Box {
    return seenIn(this.#view, this.room);
  }

  get room(): Room {
    return { width: this.surface.clientWidth, height: this.surface.clientHeight };
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

  /** Zooms around a point of the screen. */
  zoom(factor: number, at: Point = { x: this.surface.clientWidth / 2, y: this.surface.clientHeight / 2 }): void {
    const { x, y, scale } = this.#view;
    const next = Math.min(SCALES.most, Math.max(SCALES.least, scale * factor));
    this.set({ x: at.x - ((at.x - x) / scale) * next, y: at.y - ((at.y - y) / scale) * next, scale: next });
  }

  fit(boxes: Iterable<Box>): void {
    this.set(fitted(boxes, this.room, SCALES.least));
  }

  /** Moves to the view that a function of views.ts returns. */
  move(place: (view: View, room: Room) => View): void {
    const view = place(this.#view, this.room);
    if (view !== this.#view) this.set(view);
  }

  /** Zooms around the center of a visible box, else around the center of the window. */
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

  /** Drags can start anywhere, even on a node, because text isn't selectable. */
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
        // Ignore the click that ends a drag.
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
