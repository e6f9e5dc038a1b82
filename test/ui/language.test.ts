/**
 * A translation consists of two files: with them the manifest, the extension and its pages use another language, and
 * still work.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Code, openCode } from "./harness";

const FILE = "hello.flow.yaml";
const flow = `entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges:
      - to: bye
  bye:
    type: end
    instructions: Say goodbye.
# A shorter flow has no lenses.
#
#
`;

/** Longer than English, like most languages, and with a mark that reveals untranslated strings. */
const translate = (text: string) => `⟦${text} ~~⟧`;

let code: Code;
before(async () => {
  code = await openCode({ files: { [FILE]: flow }, open: FILE, translate });
});
after(() => code?.close());

test("commands, views, the status bar, a page and a question are translated", () =>
  code.screenshotOnFailure("language", async () => {
    await code
      .statusItem("connection")
      .filter({ hasText: translate("Not connected") })
      .waitFor();
    // The server speaks, too: it has the translations from the extension.
    await code.lens(translate("{0} in · {1} out").replace("{0}", "1").replace("{1}", "0")).waitFor();
    await code.palette(`Assistant Flow: ${translate("Open Flow Graph")}`);
    await code.page
      .locator(".tab")
      .filter({ hasText: translate("Graph: {0}").replace("{0}", FILE) })
      .first()
      .waitFor();
    const page = await code.webview(/⋯/);
    await page.getByPlaceholder(translate("Find")).waitFor();
    // With longer labels the toolbar has less space, and most of it is in a menu.
    await page.getByRole("button", { name: translate("More") }).click();
    const fit = page
      .getByRole("button", { name: translate("Fit") })
      .or(page.getByTitle(translate("Fit graph to window (0)")));
    await fit.first().waitFor();
    const buttons = await page.locator("button:visible").allInnerTexts();
    const bare = buttons.filter((text) => /[a-z]{2}/i.test(text) && !text.includes("⟦"));
    assert.deepEqual(bare, [], "every button of the page is translated");
    await code.view("Assistant Flow");
    const headers = code.page.locator(".sidebar .pane-header .title:visible");
    await headers
      .filter({ hasText: translate("Flows") })
      .first()
      .waitFor();
    for (const title of await headers.allInnerTexts()) assert.match(title, /⟦.*~~⟧/i);
    await code.screenshot("language");
    await code.palette(`Assistant Flow: ${translate("New Flow…")}`);
    await code.pick(translate("Minimal flow"));
    await code.page
      .locator(".quick-input-title")
      .filter({ hasText: translate("New Flow") })
      .waitFor();
    await code.page.keyboard.press("Escape");
  }));
