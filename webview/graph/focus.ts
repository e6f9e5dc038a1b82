/** The keys come back to the picture whenever the page gets the focus, and also where VS Code loses the focus on its way. */

/** VS Code takes 50 ms; a busy one takes longer. */
const VS_CODE_TAKES_MS = 250;

/**
 * Gives `home` the focus that comes to the page and that nothing else has. The function to call when VS Code was asked for
 * it: VS Code focuses the frame around the page and a little later the page, and drops the second step where it learns just
 * then that the page had lost the focus before. The keys would go nowhere, so the page takes what did not come. What comes
 * in time and goes on to somewhere else is left there.
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
