/** Redraws a part of a page without losing the keyboard focus. */

/** The control that has the focus is replaced by a new one of the same name, and the focus goes there. */
export function redraw(part: HTMLElement, draw: () => void): void {
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
