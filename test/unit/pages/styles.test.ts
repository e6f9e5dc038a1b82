/** The styles that all pages share. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inProject } from "../../../scripts/project";

test("buttons have the border of the theme: in Dark Modern, it's all that distinguishes one from text", () => {
  const css = readFileSync(inProject("webview/page/page.css"), "utf8");
  const border = (selector: string) =>
    new RegExp(`^${selector} \\{[^}]*border-color: var\\((--vscode-[\\w-]+)`, "m").exec(css)?.[1];
  assert.equal(border("button"), "--vscode-button-secondaryBorder");
  assert.equal(border("button\\.primary"), "--vscode-button-border");
});
