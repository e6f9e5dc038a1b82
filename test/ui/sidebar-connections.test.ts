/**
 * From no connection to several, in a light theme: the walkthrough, the welcome view, the guided input, a second key, a
 * key that is replaced, revoked and removed, a platform without the optional endpoints, one that goes offline, and the
 * bundled sandbox. All the time, the workspace tries to redirect the key.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { capture } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { actUntil, Code, openCode } from "./harness";
import { type Middle, startProxy } from "./proxy";
import { admin, counts, only, picture, until } from "./sidebar";
import { startThief, type Thief } from "./thief";

let sandbox: Sandbox;
let middle: Middle;
let code: Code;
let thief: Thief;
before(async () => {
  thief = await startThief();
  middle = await startProxy(await startSandbox({ flags: ["--admin-port", "0", "--without", "review-list,whoami"] }));
  sandbox = middle.sandbox;
  code = await openCode({
    theme: "light",
    files: thief.files,
    settings: { "assistantFlow.reviews.undoSeconds": 2 },
    size: { width: 1280, height: 900 },
  });
});
after(async () => {
  await code?.close();
  await sandbox?.stop();
  await thief?.close();
});

const step = (name: string, body: () => Promise<void>) =>
  test(name, () => code.screenshotOnFailure(`connections-${name.slice(0, 30).replace(/\W+/g, "-")}`, body));
const sidebar = () => code.page.locator(".part.sidebar");
const title = (text: string) => code.asked(text);
/** Answers the question with this step number when it is shown. */
const answer = async (number: string, text: string) => {
  await title(`(${number}`);
  await code.answer(text);
};
/** Waits until a server was asked, and only with these keys. */
const keysOf = async (family: "platform" | "calling", keys: readonly string[]) => {
  const used = () => [...new Set(middle.seen.filter((each) => each.family === family).map(({ key }) => key))];
  await until(`the ${family} address was asked`, async () => used().length > 0);
  assert.deepEqual(used(), keys);
};
const welcomeButton = (name: string) => sidebar().locator(".monaco-button").filter({ hasText: name });
/** Presses a button of the welcome view until its question is shown, because the view may just be changing. */
const fromWelcome = (name: string, question: string) =>
  actUntil(code.question(question), (patience) => welcomeButton(name).click(patience), 20_000);

step("without a connection the sidebar says how to get one, and shows no view that needs it", async () => {
  await code.view("Assistant Flow");
  await welcomeButton("Add Connection").waitFor();
  await welcomeButton("Start Local Sandbox").waitFor();
  await sidebar().locator('.pane-header[aria-label^="Reviews"]').waitFor({ state: "detached" });
  await welcomeButton("New Flow").waitFor();
  await picture(code, "welcome");
});

step("the walkthrough leads through real steps, and knows which are done", async () => {
  await code.palette("Welcome: Open Walkthrough");
  await code.pick("Get Started with Assistant Flow");
  const guide = code.page.locator(".gettingStartedContainer");
  for (const title of [
    "Connect, or start",
    "Write a flow",
    "Look at its graph",
    "Test it",
    "Save it to the platform",
    "Handle an identity review",
    "Call a lead",
  ])
    await guide.locator(".getting-started-step").filter({ hasText: title }).first().waitFor();
  const write = guide.locator(".getting-started-step").filter({ hasText: "Write a flow" }).first();
  await write.click();
  const page = await code.webview("A flow is a file");
  // Next to the sidebar, there is no room for the page of a step.
  await code.page.keyboard.press("Control+b");
  await page.getByText("It is checked while you type").waitFor();
  await code.screenshot("walkthrough");
  await code.page.keyboard.press("Control+b");
  const kind = code.picks.filter({ hasText: "Collect and answer" });
  await actUntil(kind, (patience) => write.locator(".monaco-button").filter({ hasText: "New Flow" }).click(patience));
  await code.pick("Collect and answer");
  await title("New Flow");
  await code.page.keyboard.press("Enter");
  await code.validation.filter({ hasText: "Enter a name" }).waitFor();
  await code.input.fill("--");
  await code.validation.filter({ hasText: "Use letters or digits" }).waitFor();
  await code.answer("Billing line");
  await code.editor("billing-line.flow.yaml").waitFor();
  await code.view("Assistant Flow");
  await code.row("billing-line").filter({ hasText: "unlinked" }).waitFor();
  await code.palette("Welcome: Open Walkthrough");
  await code.pick("Get Started with Assistant Flow");
  await write.locator(".codicon-getting-started-step-checked").first().waitFor();
  await code.closeEditors();
});

step("the guided input says what is wrong while one types, tries the key, and comes back filled", async () => {
  await fromWelcome("Add Connection", "(1/5");
  await answer("1/5", "Far");
  await title("(2/5)");
  for (const [typed, complaint] of [
    ["ftp://example.com", "starts with https"],
    ["http://example.com", "others could read the API key"],
    ["https://me:secret@example.com", "Remove the user name and password"],
  ] as const) {
    await code.input.fill(typed);
    await code.validation.filter({ hasText: complaint }).waitFor();
  }
  await answer("2/5", sandbox.baseUrl);
  await answer("3/5", sandbox.workflowBaseUrl);
  await answer("4/5", "afk_wrong");
  await answer("5/5", "");
  await code.toastButton("API key was rejected", "Edit");
  await code.validation.filter({ hasText: "API key was rejected" }).waitFor();
  await answer("4/5", sandbox.apiKey);
  await answer("5/5", "");
  await code.statusItem("connection").filter({ hasText: "Far" }).waitFor();
});

step("a second key goes to the calling address alone, and another key takes effect everywhere at once", async () => {
  const [second, third] = [await makeKey("Second"), await makeKey("Third")];
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
  await code.palette("Assistant Flow: Enter API Key");
  await answer("1/2", sandbox.apiKey);
  await answer("2/2", second.secret);
  // Until then the views continue to use the old key. The request that tries the new key doesn't count.
  await until("the second key is in use", async () =>
    middle.seen.some(({ key, path }) => key === second.secret && path.startsWith("/calls")),
  );
  middle.seen.length = 0;
  await code.viewAction("Calls", "Refresh Calls");
  await keysOf("calling", [second.secret]);
  await only(code, "Webhook Events");
  await counts(code, "Webhook Events", 19);
  await keysOf("platform", [sandbox.apiKey]);
  // Rotated: the views refresh automatically, and the old key isn't sent any more.
  await code.palette("Assistant Flow: Enter API Key");
  await answer("1/2", third.secret);
  await answer("2/2", "");
  // One request to try the key, and one more by the visible view.
  await until("the new key is in use", async () => {
    const asked = middle.seen.filter(({ key, path }) => key === third.secret && path.includes("event-catalog"));
    return asked.length > 1;
  });
  middle.seen.length = 0;
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
  await keysOf("calling", [third.secret]);
  // Revoked by another user: reported and replaced at once.
  await revokeKey(third.id);
  await code.viewAction("Calls", "Refresh Calls");
  await sidebar().getByText("The platform rejected the API key").waitFor();
  await code.statusItem("connection").filter({ hasText: "Far" }).waitFor();
  await picture(code, "unauthorized-light");
  await fromWelcome("Enter API Key", "(1/2");
  await answer("1/2", second.secret);
  await answer("2/2", "");
  await welcomeButton("Enter API Key").waitFor({ state: "detached" });
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
});

step("a connection is renamed with its key kept; another address needs the key anew", async () => {
  await code.palette("Assistant Flow: Edit Connection");
  await answer("1/", "Farther");
  await title("(2/");
  await code.page.keyboard.press("Enter");
  await title("(3/");
  await code.page.keyboard.press("Enter");
  await answer("4/4", "");
  await code.statusItem("connection").filter({ hasText: "Farther" }).waitFor();
  await code.palette("Assistant Flow: Edit Connection");
  await title("(1/");
  await code.page.keyboard.press("Enter");
  await answer("2/", sandbox.baseUrl.replace("127.0.0.1", "localhost"));
  await title("(3/");
  await code.page.keyboard.press("Enter");
  await answer("4/5", "");
  await code.validation.filter({ hasText: "is required" }).waitFor();
  await code.giveUp();
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
});

step("signing out removes the key and asks nothing more; entering it brings everything back", async () => {
  await code.statusMenu("connection", "Sign Out of Farther");
  await sidebar().getByText("Signed out").waitFor();
  middle.seen.length = 0;
  await code.palette("Assistant Flow: Refresh");
  await picture(code, "signed-out-light");
  assert.deepEqual(middle.seen, []);
  await fromWelcome("Enter API Key", "(1/2");
  await answer("1/2", sandbox.apiKey);
  await answer("2/2", "");
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
});

step("a platform without a list of reviews: one's own list, pasted, rejected, and told so", async () => {
  await only(code, "Reviews");
  await sidebar().getByText("This platform can't list reviews").waitFor();
  const review = sandbox.demo.review ?? "";
  await code.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(`${review}\nno-such-review`)})`);
  await code.palette("Assistant Flow: Add Reviews from Clipboard");
  await counts(code, "Reviews", 2);
  await code.row(review.slice(0, 8)).waitFor();
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
  await counts(code, "Calls", "25+");
  await picture(code, "calls-light");
  await sandbox.stop();
  await code.viewAction("Calls", "Refresh Calls");
  await welcomeButton("Retry").waitFor();
  await only(code, "Calls");
  await code.row("Couldn't load calls").waitFor();
  await code.row("Leo Vargas").waitFor();
  await code.expand("Couldn't load calls");
  await code.row("Retry").waitFor();
  await counts(code, "Calls", "25+");
  await code.screenshot("sidebar-offline");
});

step("the bundled sandbox starts from inside, and every view shows it at once", async () => {
  // "Restart Local Sandbox" would be listed first.
  await actUntil(code.picks.filter({ hasText: /Start Local Sandbox/ }), async (patience) => {
    await code.page.keyboard.press("F1");
    await code.input.fill(">start local sandbox", patience);
  });
  assert.equal(await code.picks.filter({ hasText: /(Restart|Stop) Local Sandbox/ }).count(), 0);
  await code.giveUp();
  await code.palette("Assistant Flow: Start Local Sandbox");
  await code.statusItem("connection").filter({ hasText: "Local sandbox" }).waitFor();
  await welcomeButton("Retry").waitFor({ state: "detached" });
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  await picture(code, "reviews-light");
});

step("after a reload the same sandbox is there again: its data, its address, its key, and no other", async () => {
  assert.equal((await sandboxes()).length, 1);
  const shown = await code.statusItem("connection").innerText();
  assert.match(shown, /Local sandbox :\d+/);
  await code.reload();
  await code.statusItem("connection").filter({ hasText: shown.trim() }).waitFor();
  await only(code, "API Keys");
  await counts(code, "API Keys", 1);
  await until("one runs", async () => (await sandboxes()).length === 1);
});

step("another window, and starting it once more, use the one that runs", async () => {
  const shown = (await code.statusItem("connection").innerText()).trim();
  await code.palette("Assistant Flow: Start Local Sandbox");
  await code.toast(/Using the local sandbox at http:\/\/127\.0\.0\.1:/).waitFor();
  const page = await code.context.newPage();
  const second = new Code(page, code.context, code.server, code.folder, code.sandbox, () => page.close());
  try {
    await page.goto(code.server.address(code.folder));
    await second.started();
    await second.statusItem("connection").filter({ hasText: shown }).waitFor();
    assert.equal((await sandboxes()).length, 1);
  } finally {
    // Closes the window like a user. If only its page is closed, the window stays alive for a while, and would start
    // the sandbox again.
    await page.goto("about:blank");
    await second.close();
  }
});

step("a sandbox that is gone is missed, and started again as it was", async () => {
  const shown = (await code.statusItem("connection").innerText()).trim();
  const [pid] = await sandboxPids();
  assert.ok(pid, "it runs");
  process.kill(pid, "SIGKILL");
  await code.toast("The sandbox stopped.").waitFor();
  await code.screenshot("sandbox-stopped");
  await code.toastButton("The sandbox stopped.", "Restart");
  await until("it runs", async () => (await sandboxes()).length === 1);
  await code.statusItem("connection").filter({ hasText: shown }).waitFor();
});

step("where the connection is shown the sandbox is restarted and stopped", async () => {
  const before = await sandboxPids();
  await code.palette("Assistant Flow: Restart Local Sandbox");
  await until("another process", async () => {
    const now = await sandboxPids();
    return now.length === 1 && now[0] !== before[0];
  });
  await code.statusItem("connection").filter({ hasText: "Local sandbox" }).waitFor();
  await code.statusMenu("connection", "Stop Local Sandbox");
  await code.statusItem("connection").filter({ hasText: "Farther" }).waitFor();
  await until("it has ended", async () => (await sandboxes()).length === 0);
});

step("a connection is removed after a question that names it", async () => {
  await code.palette("Assistant Flow: Remove Connection");
  await code.pick("Farther");
  assert.match(await code.dialogText.innerText(), /Remove the connection "Farther" and its key/);
  await code.dialog("Remove");
  await code.statusItem("connection").filter({ hasText: "Not connected" }).waitFor();
  await only(code, "Connection");
  await welcomeButton("Add Connection").waitFor();
});

step("the focus stays in the sidebar if its view closes with the start of the sandbox", async () => {
  await welcomeButton("Start Local Sandbox").press("Enter");
  await sidebar().locator('[role=tree][aria-label="Flows"]:focus').waitFor();
  await code.palette("Assistant Flow: Stop Local Sandbox");
  await until("it has ended", async () => (await sandboxes()).length === 0);
});

step("no file of the workspace moved a request anywhere", async () => {
  assert.equal(thief.visits, 0);
});

async function makeKey(name: string): Promise<{ id: string; secret: string }> {
  const answer = await fetch(`${sandbox.baseUrl}/v1/identity/api-keys`, {
    method: "POST",
    headers: { "x-api-key": sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const { id, plain_text_key } = (await answer.json()) as { id: string; plain_text_key: string };
  return { id, secret: plain_text_key };
}

async function revokeKey(id: string): Promise<void> {
  const headers = { "x-api-key": sandbox.apiKey };
  await fetch(`${sandbox.baseUrl}/v1/identity/api-keys/${id}`, { method: "DELETE", headers });
}

/** The sandboxes that this VS Code has started. */
async function sandboxes(): Promise<readonly string[]> {
  const { output } = await capture("ps", ["-eo", "pid=,args="]);
  return output
    .split("\n")
    .filter((line) => line.includes(" sandbox --demo") && line.includes(code.server.userDataDir));
}

async function sandboxPids(): Promise<readonly number[]> {
  return (await sandboxes()).map((line) => Number(line.trim().split(" ")[0]));
}
