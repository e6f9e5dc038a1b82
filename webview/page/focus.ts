/** Keeps the keyboard focus of a page with fields or buttons while the focus is elsewhere in VS Code. */

/**
 * Focuses the last focused element when the page gets the focus back, since the browser forgets it. After a dialog, VS
 * Code gives the focus to the frame around the page; call the returned function then.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  const focusAgain = () => {
    if (document.activeElement === document.body && last?.isConnected) last.focus({ preventScroll: true });
  };
  window.addEventListener("focus", focusAgain);
  return focusAgain;
}
