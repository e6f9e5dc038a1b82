/** Moves the keyboard focus to the graph when the page gets it, even if VS Code loses the focus on the way. */

/** VS Code needs 50 ms, or more when busy. */
const FOCUS_TIMEOUT_MS = 250;

/**
 * Focuses `home` when the page has the focus and no other element has it, and calls `focused`. Call the returned
 * function after asking VS Code for the focus: VS Code focuses the frame first and the page a little later, but skips
 * the page if it learns in between that the page had lost the focus. In that case, `home` is focused after a timeout.
 */
export function watchFocus(home: HTMLElement, focused: () => void): () => void {
  let timer = 0;
  const focusHome = () => home.focus({ preventScroll: true });
  const check = () => {
    window.clearTimeout(timer);
    if (document.hasFocus() && document.activeElement === document.body) focusHome();
  };
  window.addEventListener("focus", () => {
    check();
    focused();
  });
  // The page may have been focused while it was loading.
  check();
  return () => {
    check();
    if (!document.hasFocus()) timer = window.setTimeout(focusHome, FOCUS_TIMEOUT_MS);
  };
}
