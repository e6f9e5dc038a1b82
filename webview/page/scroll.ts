/** Restores the scroll position when a hidden page is shown again. */

export interface ScrollState {
  readonly scroll: number;
}

interface Keeper {
  readonly state: Partial<ScrollState>;
  keep(state: Partial<ScrollState>): void;
}

/** Call the returned function when the page has its content for the first time. */
export function keepScroll(host: Keeper): () => void {
  const before = host.state.scroll ?? 0;
  let restored = before === 0;
  let timer = 0;
  window.addEventListener("scroll", () => {
    window.clearTimeout(timer);
    if (restored) timer = window.setTimeout(() => host.keep({ scroll: window.scrollY }), 150);
  });
  return () => {
    if (restored) return;
    restored = true;
    window.scrollTo({ top: before });
  };
}
