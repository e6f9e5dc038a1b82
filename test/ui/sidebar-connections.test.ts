/**
 * From no connection to several, in a light theme: the welcome, the guided input, a platform without the endpoints that
 * are only referred to, one that goes away, and the bundled sandbox. All the while the workspace tries to lead the key
 * astray.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { admin, counts, only, picture, until } from "./sidebar";

let sandbox: Sandbox;
let code: Code;
let visits = 0;
const thief = createServer((_request, response) => {
  visits++;
  response.end("{}");
});
before(async () => {
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  const evil = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  const settings = {
    "assistantFlow.connection": evil,
    "assistantFlow.baseUrl": evil,
    "assistantFlow.workflowBaseUrl": evil,
    "assistantFlow.base_url": evil,
    "assistantFlow.connections": [{ name: "Far", baseUrl: evil, workflowBaseUrl: evil }],
    "assistantFlow.reviews.undoSeconds": 0,
    "terminal.integrated.env.linux": { ASSISTANT_FLOW_BASE_URL: evil, ASSISTANT_FLOW_API_KEY: "stolen" },
  };
  const env = `ASSISTANT_FLOW_BASE_URL=${evil}\nASSISTANT_FLOW_WORKFLOW_BASE_URL=${evil}\nASSISTANT_FLOW_API_KEY=x\n`;
  sandbox = await startSandbox({ flags: ["--admin-port", "0", "--without", "review-list,whoami"] });
  code = await openCode({
    theme: "light",
    files: {
      ".vscode/settings.json": JSON.stringify(settings),
      "nested/.vscode/settings.json": JSON.stringify(settings),
      "all.code-workspace": JSON.stringify({ folders: [{ path: "." }], settings }),
      ".devcontainer/devcontainer.json": JSON.stringify({
        remoteEnv: { ASSISTANT_FLOW_BASE_URL: evil, ASSISTANT_FLOW_API_KEY: "x" },
        customizations: { vscode: { settings } },
      }),
      ".env": env,
      "nested/.env": env,
    },
    settings: { "assistantFlow.reviews.undoSeconds": 2 },
    size: { width: 1280, height: 900 },
  });
});
after(async () => {
  await code?.close();
  await sandbox?.stop();
  await new Promise((resolve) => thief.close(resolve));
});

const step = (name: string, body: () => Promise<void>) =>
  test(name, () => code.screenshotOnFailure(`connections-${name.slice(0, 30).replace(/\W+/g, "-")}`, body));
const sidebar = () => code.page.locator(".part.sidebar");
const welcomeButton = (name: string) => sidebar().locator(".monaco-button").filter({ hasText: name });

step("without a connection the sidebar says how to get one, and shows no view that needs it", async () => {
  await code.view("Assistant Flow");
  await welcomeButton("Add a Connection").waitFor();
  await welcomeButton("Try It with the Local Sandbox").waitFor();
  await sidebar().locator('.pane-header[aria-label^="Reviews"]').waitFor({ state: "detached" });
  await welcomeButton("New Flow").waitFor();
  await picture(code, "welcome");
});

step("the guided input says what is wrong while one types, tries the key, and comes back filled", async () => {
  /** Answers one of the five questions, when it is asked. */
  const answer = async (question: number, text: string) => {
    await code.page
      .locator(".quick-input-title")
      .filter({ hasText: `(${question}/5)` })
      .waitFor();
    await code.answer(text);
  };
  await welcomeButton("Add a Connection").click();
  await answer(1, "Far");
  await code.page.locator(".quick-input-title").filter({ hasText: "(2/5)" }).waitFor();
  for (const [typed, complaint] of [
    ["ftp://example.com", "begins with https"],
    ["http://example.com", "could be read on the way"],
    ["https://me:secret@example.com", "Leave name and password out"],
  ] as const) {
    await code.input.fill(typed);
    await code.validation.filter({ hasText: complaint }).waitFor();
  }
  await answer(2, sandbox.baseUrl);
  await answer(3, sandbox.workflowBaseUrl);
  await answer(4, "afk_wrong");
  await answer(5, "");
  await code.toastButton("did not accept the API key", "Change It");
  await code.validation.filter({ hasText: "did not accept the API key" }).waitFor();
  await answer(4, sandbox.apiKey);
  await answer(5, "");
  await code.statusItem("connection").filter({ hasText: "Far" }).waitFor();
});

step("a platform without a list of reviews: one's own list, pasted, rejected, and told so", async () => {
  await only(code, "Reviews");
  await sidebar().getByText("This platform has no list of reviews").waitFor();
  const review = sandbox.demo.review ?? "";
  await code.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(`${review}\nno-such-review`)})`);
  await code.palette("Assistant Flow: Add Reviews from the Clipboard");
  await counts(code, "Reviews", 2);
  await picture(code, "own-list");
  await code.rowAction(review.slice(0, 8), "Reject");
  await until("the rejection was sent", async () => (await admin(sandbox).rejects()).length === 1);
  await counts(code, "Reviews", 1);
  await code.rowAction("no-such-review", "Reject");
  await code.row("not rejected").waitFor();
  await counts(code, "Reviews", 1);
});

step("a platform that goes away leaves what was loaded, says so, and offers to try again", async () => {
  await only(code, "Calls");
  await counts(code, "Calls", 25);
  await picture(code, "calls-light");
  await sandbox.stop();
  await code.viewAction("Calls", "Refresh Calls");
  await welcomeButton("Try Again").waitFor({ timeout: 60_000 });
  await only(code, "Calls");
  await code.row("Could not load the calls").waitFor();
  await code.row("Retry").waitFor();
  await counts(code, "Calls", 25);
  await code.screenshot("sidebar-offline");
});

step("the bundled sandbox starts from inside, and every view shows it at once", async () => {
  await code.palette("Assistant Flow: Try It with the Local Sandbox");
  await code.statusItem("connection").filter({ hasText: "Local sandbox" }).waitFor();
  await welcomeButton("Try Again").waitFor({ state: "detached" });
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  await picture(code, "reviews-light");
});

step("no file of the workspace moved a request anywhere", async () => {
  assert.equal(visits, 0);
});
