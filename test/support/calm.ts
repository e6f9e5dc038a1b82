/** Settings that save processor time which no test needs: animations, the minimap, shells, and drawing. */
import type { BrowserContext, Page } from "playwright-core";

export const calmSettings = { "editor.cursorBlinking": "solid", "editor.minimap.enabled": false };

/** Arguments of VS Code's server. Without this one, each extension host waits for the environment of a login shell. */
export const calmArguments = ["--force-disable-user-env"];

/**
 * Without a graphics card, drawing takes a fifth of the processor time of a test in VS Code. Chromium doesn't draw a body
 * with opacity 0. Layout, frames, focus, clicks and what Playwright counts as visible stay the same.
 */
export async function drawNothing(context: BrowserContext): Promise<void> {
  await context.addInitScript(`if (window === window.top) {
    globalThis.drawNothing = new CSSStyleSheet();
    drawNothing.replaceSync("body { opacity: 0 !important }");
    document.adoptedStyleSheets.push(drawNothing);
  }`);
}

/** Draws the page during a function that needs it, such as a screenshot. */
export async function whileDrawn<T>(page: Page, run: () => Promise<T>): Promise<T> {
  const draw = (isDrawn: boolean) => page.evaluate(`globalThis.drawNothing && (drawNothing.disabled = ${isDrawn})`);
  await draw(true);
  try {
    return await run();
  } finally {
    await draw(false);
  }
}
