/** Moves the keyboard focus to the graph when the page gets it, even if VS Code loses the focus on the way. */

/** VS Code needs 50 ms, or more when busy. */
const VS_CODE_TAKES_MS = 250;

/**
 * Focuses `home` when the page gets the focus and no other element has it. Call the returned function after asking VS
 * Code for the focus: VS Code focuses the frame first and the page a little later, but skips the page if it learns in
 * between that the page had lost the focus. In that case, `home` is focused after a timeout.
 */
export function watchFocus(home: HTMLElement): () => void {
  let waiting = 0;
  const take = () => home.focus({ preventScroll: true });
  window.addEventListener("focus", () => {
    window.clearTimeout(waiting);
    if (document.activeElement === document.body) take();
  });
  return () => {
    window.clearTimeout(waiting);
    if (!document.hasFocus()) waiting = window.setTimeout(take, VS_CODE_TAKES_MS);
  };
}
