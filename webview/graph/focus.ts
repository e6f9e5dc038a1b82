/** Moves the keyboard focus to the graph when the page gets it, even if VS Code loses the focus on the way. */

/** VS Code needs 50 ms, or more when busy. */
const FOCUS_TIMEOUT_MS = 250;

/**
 * Focuses `home` when the page gets the focus and no other element has it. Call the returned function after asking VS
 * Code for the focus: VS Code focuses the frame first and the page a little later, but skips the page if it learns in
 * between that the page had lost the focus. In that case, `home` is focused after a timeout.
 */
export function watchFocus(home: HTMLElement): () => void {
  let timer = 0;
  const focusHome = () => home.focus({ preventScroll: true });
  window.addEventListener("focus", () => {
    window.clearTimeout(timer);
    if (document.activeElement === document.body) focusHome();
  });
  return () => {
    window.clearTimeout(timer);
    if (!document.hasFocus()) timer = window.setTimeout(focusHome, FOCUS_TIMEOUT_MS);
  };
}
