/** The styles that all pages share. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inProject } from "../../../scripts/project";

/** The declarations of a rule. */
function rule(file: string, selector: string): string {
  const css = readFileSync(inProject(file), "utf8");
  return css.split(`\n${selector} {`)[1]?.split("}")[0] ?? "";
}

test("placeholders have the color of the theme's fields; the browser's own is hard to read on a dark one", () => {
  const placeholder = rule("webview/page/page.css", "::placeholder");
  assert.match(placeholder, /color: var\(--vscode-input-placeholderForeground\)/);
  assert.match(placeholder, /opacity: 1;/);
});

test("in high contrast, a field with an error differs from others, whose borders have the color of its border", () => {
  const field = rule("webview/page/article.css", "body.vscode-high-contrast [aria-invalid]");
  assert.match(field, /border: 2px solid var\(--vscode-errorForeground\)/);
});

test("faded nodes stay readable, and edges without calls visible", () => {
  const opacity = (selector: string) =>
    Number(/opacity: ([\d.]+)/.exec(rule("webview/graph/styles/drawing.css", selector))?.[1]);
  assert.ok(opacity(".edge.faded") >= 0.45);
  assert.ok(opacity("body.vscode-high-contrast .edge.faded") >= 0.6);
  assert.ok(opacity(".edge.calls-none .line") >= 0.8);
  assert.equal(opacity('body.vscode-high-contrast .edge[class*="calls-"] .line'), 1);
});

test("the heading of the transcript is as high as its search field", () => {
  assert.match(rule("webview/call/call.css", ".heading h2"), /margin: 0;/);
});

test("buttons have the border of the theme: in Dark Modern, it's all that distinguishes one from text", () => {
  const css = readFileSync(inProject("webview/page/page.css"), "utf8");
  const border = (selector: string) =>
    new RegExp(`^${selector} \\{[^}]*border-color: var\\((--vscode-[\\w-]+)`, "m").exec(css)?.[1];
  assert.equal(border("button"), "--vscode-button-secondaryBorder");
  assert.equal(border("button\\.primary"), "--vscode-button-border");
});
