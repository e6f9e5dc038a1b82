/**
 * Shared by the tests of pages: themes and their contrast, overflow, functions inside a page, and messages as if from
 * its host.
 */
import assert from "node:assert/strict";
import type { FrameLocator, Locator } from "playwright-core";
import { type Code, takesScreenshots } from "./harness";

const settings = { dark: "Dark Modern", light: "Light Modern", "high-contrast": "Default High Contrast" } as const;
const workbench = { dark: "vs-dark", light: "vs", "high-contrast": "hc-black" } as const;
export type Theme = keyof typeof settings;
export const themes = Object.keys(settings) as readonly Theme[];

/** Changes the theme of the window in the workspace settings. */
export async function useTheme(code: Code, theme: Theme): Promise<void> {
  await code.write(".vscode/settings.json", JSON.stringify({ "workbench.colorTheme": settings[theme] }));
  await code.page.locator(`.monaco-workbench.${workbench[theme]}`).waitFor();
}

/** Screenshots of the window in each kind of theme. */
export async function screenshotInEachTheme(code: Code, name: string): Promise<void> {
  if (!takesScreenshots) return;
  for (const theme of themes) {
    await useTheme(code, theme);
    await code.screenshot(`${name}-${theme}`);
  }
  await useTheme(code, "dark");
}

/** Shows the page in each kind of theme, with readable text. */
export async function inEachTheme(
  code: Code,
  name: string,
  frame: FrameLocator,
  [text, ground, line]: [text: string, ground: string, line?: string],
): Promise<void> {
  await code.palette("Notifications: Clear All Notifications"); // Messages of earlier tests would be in the screenshots.
  for (const theme of themes) {
    await useTheme(code, theme);
    await frame.locator(`body.vscode-${theme}`).waitFor();
    const ratio = (await frame.locator("body").evaluate(script(contrast), [text, ground])) as number;
    assert.ok(ratio >= 4.5, `${name}, ${theme}: the contrast of ${text} is ${ratio}`);
    if (line) {
      const seen = (await frame.locator("body").evaluate(script(contrast), [line, "body"])) as number;
      assert.ok(seen >= 3, `${name}, ${theme}: the contrast of the line of ${line} is ${seen}`);
    }
    await code.screenshot(`${name}-${theme}`);
  }
  await code.write(".vscode/settings.json", "{}");
  await frame.locator("body.vscode-dark").waitFor();
}

export const contrast = `(body, [text, ground]) => {
  const numbers = (color) => (color.match(/[\\d.]+/g) ?? [0, 0, 0]).slice(0, 3).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const of = (selector) => { const element = document.querySelector(selector); return [element, getComputedStyle(element)]; };
  const [element, style] = of(text);
  const [back, under] = of(ground);
  const one = light(element.matches(".body") ? style.stroke : element.ownerSVGElement ? style.fill : style.color);
  const two = light(back.ownerSVGElement ? under.fill : under.backgroundColor);
  return Math.round(10 * (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)) / 10;
}`;

/** No part of a page is outside the window. */
export async function fits(frame: FrameLocator): Promise<void> {
  const [content, room] = (await frame
    .locator("html")
    .evaluate(script("(html) => [html.scrollWidth, html.clientWidth]"))) as number[];
  assert.ok((content ?? 0) <= (room ?? 0), `${content} pixels of content in ${room}`);
}

/** A control of the graph's toolbar, or its item in the overflow menu. */
export async function graphControl(graph: FrameLocator, name: string): Promise<Locator> {
  const control = graph.locator(".toolbar").locator(`button:text-is("${name}"), [aria-label="${name}"]`);
  if (!(await control.isVisible())) await graph.getByRole("button", { name: "More" }).click();
  return control;
}

/** A function that runs in the page, whose types the tests don't have. */
export function script<Result>(text: string): (element: unknown, argument?: unknown) => Result {
  return new Function("element", "argument", `return (${text})(element, argument)`) as never;
}

/** Sends each message to the page as if from its host, and waits until it is drawn. */
export async function post(frame: FrameLocator, messages: readonly unknown[]): Promise<void> {
  await frame.locator("body").evaluate(
    script(`async (body, all) => {
      for (const data of all) {
        window.dispatchEvent(new MessageEvent("message", { data, origin: window.origin }));
        for (let n = 0; n < 100 && (n === 0 || (data.view && body.dataset.version !== String(data.view.version))); n++)
          await new Promise(requestAnimationFrame);
      }
    }`),
    messages,
  );
}

/** Accepts the proposed path of a file, and returns the file's name once it is written. */
export async function saveAsOffered(code: Code, what: string): Promise<string> {
  await code.page
    .locator(".quick-input-title")
    .filter({ hasText: /^Save / })
    .waitFor();
  await code.page.locator(".quick-input-widget:visible .monaco-button").filter({ hasText: "OK" }).click();
  const toast = code.toast(`Saved the ${what} as`);
  const [, file = ""] = /as (\S+)\./.exec(await toast.innerText()) ?? [];
  await code.palette("Notifications: Clear All Notifications");
  await toast.waitFor({ state: "hidden" });
  return file;
}
