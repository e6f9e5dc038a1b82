/** Calls `redraw` when the theme changes: a canvas keeps the colors it was painted in. */
export function onThemeChange(redraw: () => void): void {
  new MutationObserver(redraw).observe(document.body, { attributes: true, attributeFilter: ["class"] });
}
