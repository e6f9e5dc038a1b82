/** Redraws a part of a page without losing the keyboard focus or a click. */

/** Parts to draw once no mouse button is pressed: an element that is replaced while it is pressed misses the click. */
const waiting = new Map<HTMLElement, () => void>();
let isPressed = false;

window.addEventListener("pointerdown", ({ button }) => {
  // VS Code's menu takes the release of the right button.
  isPressed = button === 0;
});
for (const end of ["pointerup", "pointercancel", "blur"])
  window.addEventListener(end, () => {
    isPressed = false;
    // The click comes after the button is released.
    window.setTimeout(drawWaiting);
  });

function drawWaiting(): void {
  if (isPressed) return;
  for (const [part, draw] of waiting) {
    waiting.delete(part);
    redraw(part, draw);
  }
}

/** The control that has the focus is replaced by a new one of the same name, and the focus goes there. */
export function redraw(part: HTMLElement, draw: () => void): void {
  if (isPressed) {
    waiting.set(part, draw);
    return;
  }
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !part.contains(focused)) {
    draw();
    return;
  }
  const named = () =>
    [...part.querySelectorAll<HTMLElement>(focused.tagName)].filter((each) => nameOf(each) === nameOf(focused));
  const index = named().indexOf(focused);
  draw();
  // The page may be updated while the user types elsewhere.
  if (!document.hasFocus()) return;
  const same = part.contains(focused) ? focused : (named()[index] ?? named().at(-1));
  same?.focus({ preventScroll: true });
}

function nameOf(control: HTMLElement): string {
  return control.getAttribute("aria-label") ?? control.textContent ?? "";
}
