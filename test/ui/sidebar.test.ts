/**
 * The sidebar as a user sees it, in a dark theme, on a sandbox with a fast clock, behind a proxy that returns at most
 * ten workflows per page.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { actUntil, type Code, gone, holds, openCode, PATIENCE_MS } from "./harness";
import { contrast, script } from "./pages";
import { startProxy } from "./proxy";
import { admin, counts, only, picture, reject, until } from "./sidebar";

const flow = ({ assistant, revision }: Sandbox["demo"]) => `assistant: ${assistant}
revision: ${revision}
entry: greet
nodes:
  greet: {type: message, instructions: Say hello., edges: [{to: godbye}]}
  goodbye: {type: end, instructions: Say goodbye.}
`;
const leads = "First Name,Last Name,Phone\nAnna,Berg,+15185550107\nBen,Cole,+15185550103\n";
/** A list between other lines: only the selection is used. */
const people = `{
  "campaign": "May",
  "people": [
    {"firstName": "Cora", "lastName": "Diaz", "phone": "+15185550111"},
    {"firstName": "Dan", "lastName": "Engel", "phone": "+15185550112"},
    {"firstName": "Eve", "lastName": "Falk", "phone": "12"}
  ]
}
`;

const UNDO_SECONDS = "assistantFlow.reviews.undoSeconds";

/** The description of each event in the catalog, if the test changes it. */
let sensitivity = "";
const regraded = (catalog: unknown) =>
  JSON.parse(JSON.stringify(catalog).replaceAll(/"sensitivity":"[^"]*"/g, `"sensitivity":"${sensitivity}"`)) as unknown;

let sandbox: Sandbox;
let code: Code;
before(async () => {
  const behind = await startSandbox({ flags: ["--admin-port", "0", "--clock-speed", "40"] });
  ({ sandbox } = await startProxy(behind, {
    asked: (path) => path.replace("limit=100", "limit=10"),
    answered: (json, path) => (sensitivity !== "" && path.includes("event-catalog") ? regraded(json) : json),
  }));
  code = await openCode({
    sandbox,
    files: { "billing.flow.yaml": flow(sandbox.demo), "leads.csv": leads, "people.json": people },
    settings: { [UNDO_SECONDS]: 60, "assistantFlow.reviews.defaultNote": "Looked at by hand." },
    size: { width: 1280, height: 900 },
  });
});
after(async () => {
  await code?.close();
  await sandbox?.stop();
});

const step = (name: string, body: () => Promise<void>) =>
  test(name, () => code.screenshotOnFailure(`sidebar-${name.slice(0, 30).replace(/\W+/g, "-")}`, body));

const asked = (title: string) => code.asked(title);
/** Opens a field of a form and types into its box. */
const typeInto = async (field: string, text: string) => {
  await code.pick(field);
  await code.validation.filter({ hasText: field }).waitFor();
  await code.input.fill(text);
};
/** Accepts the input, and waits for the form. */
const accept = async (text: string) => {
  await code.answer(text);
  await code.picks.first().waitFor();
};
const countOf = (view: string) =>
  code.page.locator(`.part.sidebar .pane-header[aria-label^="${view}"] .description`).first().textContent();
const anyWorkflow = async () => {
  const headers = { "x-api-key": sandbox.apiKey };
  const { data } = (await (await fetch(`${sandbox.workflowBaseUrl}/workflows?active=true`, { headers })).json()) as {
    data: { id: string }[];
  };
  return { workflowId: data[0]?.id };
};
const clipboard = async () => String(await code.page.evaluate("navigator.clipboard.readText()"));
/** The visible review rows, by what they propose. */
const reviews = () =>
  code.page.locator('.pane:has(.pane-header[aria-label^="Reviews"]) .monaco-list-row[aria-level="2"]');
const nameOf = async (index: number) => (await reviews().nth(index).locator(".label-name").innerText()).trim();

step("every view shows what the sandbox has", async () => {
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  await code.row("Merge two people").waitFor();
  await code.page.locator(".activitybar .badge-content").getByText("10", { exact: true }).waitFor();
  await picture(code, "reviews");
  await only(code, "Calling Workflows");
  await counts(code, "Calling Workflows", 25);
  await code.expand("Welcome new customers");
  await code.row("Steps").waitFor();
  await code.row("Within calling hours").waitFor();
  await picture(code, "workflows");
  // A refresh keeps expanded and selected rows.
  const asked = async () => (await admin(sandbox).requests(/^\/workflows$/)).length;
  const before = await asked();
  await code.viewAction("Calling Workflows", "Refresh");
  await until("three pages were asked for again", async () => (await asked()) >= before + 3);
  await counts(code, "Calling Workflows", 25);
  await code.row("Steps").waitFor();
  await code.page.locator(".customview-tree .monaco-list-row.selected").filter({ hasText: "Welcome new" }).waitFor();
  await only(code, "Webhook Events");
  await counts(code, "Webhook Events", 19);
  await code.rowAction("assistant.archived", "Copy Event Type");
  await until("the type is copied", async () => (await clipboard()) === "assistant.archived");
  await picture(code, "events");
  await only(code, "Embedding Spend");
  await counts(code, "Embedding Spend", "20+");
  await code.row("top 20 knowledge bases only").waitFor();
  await picture(code, "spend");
});

step("a flow's row has its sync state, its findings and where it belongs, and is read out with them", async () => {
  await only(code, "Flows");
  await code.openFile("billing.flow.yaml");
  const row = code.row("billing").filter({ hasText: /blocked.*1 error/i });
  await row.waitFor();
  assert.match((await row.getAttribute("aria-label")) ?? "", /^billing, .*blocked.*1 error/i);
  await code.expand("billing");
  await code.row(sandbox.demo.assistant ?? "?").waitFor();
  await code.row(sandbox.demo.revision ?? "?").waitFor();
  await picture(code, "flows");
  await code.clickRow("Findings");
  await code.page.locator(".markers-panel").waitFor();
  await code.palette("View: Hide Panel");
});

step("a new flow is made from a revision of the platform", async () => {
  await code.paletteAndPick("Assistant Flow: New Flow…", "From a platform revision");
  await asked("(1/2)");
  await code.answer("no-id");
  await code.validation.filter({ hasText: "Enter an ID like" }).waitFor();
  await code.answer(sandbox.demo.revision ?? "");
  await asked("(2/2)");
  await code.answer(sandbox.demo.assistant ?? "");
  await code.validation.filter({ hasText: "Flow name" }).waitFor();
  await code.answer("Billing");
  await code.validation.filter({ hasText: "billing.flow.yaml already exists." }).waitFor();
  await code.answer("Pulled");
  await code
    .editor("pulled.flow.yaml")
    .getByText(sandbox.demo.revision ?? "?")
    .waitFor();
  await code.palette("View: Close Editor");
  await rm(path.join(code.folder, "pulled.flow.yaml"));
});

step("one click rejects, and Undo brings the row back before anything is sent", async () => {
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  const name = await nameOf(0);
  await reject(code, name);
  await counts(code, "Reviews", 9);
  await code.row(name).waitFor({ state: "detached" });
  // The countdown is visible.
  const left = async () =>
    Number(/(\d+)\ss left to undo/.exec(await code.toast(`Rejecting "${name}"`).innerText())?.[1] ?? 60);
  const first = await left();
  await until("it counts down", async () => (await left()) < Math.min(first, 58));
  await code.toastButton(`Rejecting "${name}"`, "Undo");
  await code.toast(`Rejecting "${name}"`).waitFor({ state: "detached" });
  await counts(code, "Reviews", 10);
  await code.row(name).waitFor();
  assert.deepEqual(await admin(sandbox).rejects(), []);
});

step("a double click rejects one review, not the one that moves under the pointer", async () => {
  const name = await nameOf(0);
  const row = code.row(name);
  const button = row.locator('a.action-label[aria-label^="Reject"]').first();
  await actUntil(code.toast(`Rejecting "${name}"`), async (patience) => {
    if (!(await row.isVisible())) return;
    await row.hover(patience);
    await button.dblclick(patience);
  });
  await counts(code, "Reviews", 9);
  await code.toastButton(`Rejecting "${name}"`, "Undo");
  await counts(code, "Reviews", 10);
  assert.deepEqual(await admin(sandbox).rejects(), []);
});

step("a rejection survives a reload of the window, and can still be undone there", async () => {
  const name = await nameOf(1);
  await reject(code, name);
  await counts(code, "Reviews", 9);
  await code.reload();
  await code.toastButton(`From a previous session: rejecting "${name}"`, "Undo");
  await only(code, "Reviews");
  await counts(code, "Reviews", 10);
  await code.row(name).waitFor();
  assert.deepEqual(await admin(sandbox).rejects(), []);
});

step("Delete rejects the row with the keyboard's focus, not one that was selected before", async () => {
  const [first, second] = [await nameOf(0), await nameOf(1)];
  await code.selectRow(code.row(first));
  await code.page.keyboard.press("ArrowDown");
  await code.page.keyboard.press("Delete");
  await code.toast(`Rejecting "${second}"`).waitFor();
  await code.page.keyboard.press("Control+z");
  await counts(code, "Reviews", 10);
  assert.deepEqual(await admin(sandbox).rejects(), []);
});

step("several at once with one note: a failure in the middle comes back, the others go", async () => {
  await code.setting(UNDO_SECONDS, 8);
  const names = [await nameOf(0), await nameOf(1), await nameOf(2)];
  await admin(sandbox).fault({
    match: { method: "POST", path: "/v1/identity/review-requests/*/reject" },
    skip: 1,
    fault: { kind: "status", status: 500, error: "internal_error", message: "The disk is full." },
  });
  const selected = code.page.locator(".part.sidebar .monaco-list:focus .monaco-list-row.selected");
  await actUntil(
    holds("three rows are selected", async () => (await selected.count()) === 3),
    async (patience) => {
      await code.selectRow(code.row(names[0] as string));
      await code.row(names[1] as string).click({ modifiers: ["Control"], ...patience });
      await code.row(names[2] as string).click({ modifiers: ["Control"], ...patience });
    },
  );
  await code.page.keyboard.press("Delete");
  await code.input.waitFor();
  assert.equal(await code.input.inputValue(), "Looked at by hand.");
  await code.answer("Two different people.");
  // The rows are gone, and the row in their place has the focus.
  await code.page.locator(".part.sidebar .monaco-list:focus .monaco-list-row.selected.focused").waitFor();
  await until("three rejections were sent", async () => (await admin(sandbox).rejects()).length === 3, 90);
  await code.toast("1 of 3 reviews weren't rejected").waitFor();
  await counts(code, "Reviews", 8);
  await code.row("not rejected").waitFor();
  await code.screenshot("sidebar-bulk-reject");
  const statuses = (await admin(sandbox).rejects()).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 500, 200], "each was sent once");
});

step(
  "a rejection's notification closes by itself, also beside a failure; what is rejected elsewhere goes from its page",
  async () => {
    const name = await nameOf(0);
    await code.palette("Notifications: Clear All Notifications");
    const said = await code.listen();
    await reject(code, name);
    await said(/Rejecting.*left to undo/).waitFor({ timeout: PATIENCE_MS });
    await said(/Rejecting.*Rejected/).waitFor({ timeout: PATIENCE_MS });
    await code.toast(`Rejecting "${name}"`).waitFor({ state: "detached" });
    await counts(code, "Reviews", 7);
    const other = await nameOf(0);
    await admin(sandbox).fault({
      match: { method: "POST", path: "/v1/identity/review-requests/*/reject" },
      fault: { kind: "status", status: 500, error: "internal_error", message: "The disk is full." },
    });
    await reject(code, other);
    await code.toast(`"${other}" wasn't rejected`).waitFor();
    await code.toast(`Rejecting "${other}"`).waitFor({ state: "detached" });
    await code.palette("Notifications: Clear All Notifications");
    await code.openPage(code.row(other), "Review: ");
    const page = await code.webview("two people");
    await page.getByRole("button", { name: "Reject" }).waitFor();
    const id = await page.locator("dt:text-is('ID') + dd").innerText();
    await fetch(`${sandbox.baseUrl}/v1/identity/review-requests/${id}/reject`, {
      method: "POST",
      headers: { "x-api-key": sandbox.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ resolution_note: "By a colleague." }),
    });
    await page.getByText(/Rejected.*By a colleague\./).waitFor({ timeout: 90_000 });
    assert.equal(await page.getByRole("button", { name: "Reject" }).count(), 0);
    await counts(code, "Reviews", 6);
    await code.closeEditors();
  },
);

step("calls come page after page, and are filtered by the platform", async () => {
  await only(code, "Calls");
  await counts(code, "Calls", "25+");
  await code.page.locator(".part.sidebar .codicon-thumbsdown").first().waitFor();
  await picture(code, "calls");
  const seen = (await code.page
    .locator("body")
    .evaluate(script(contrast), [".part.sidebar .codicon-thumbsdown", ".part.sidebar"])) as number;
  assert.ok(seen >= 3, `the contrast of the icon of "not interested" is ${seen}`);
  const more = code.row("Load More");
  await actUntil(more, async (patience) => {
    await code.page.locator(".part.sidebar .customview-tree .monaco-list-row:visible").first().hover(patience);
    await code.page.mouse.wheel(0, 2000);
  });
  await code.clickRow("Load More");
  await counts(code, "Calls", "50+");
  const added = '.monaco-list:focus .monaco-list-row.selected.focused[data-index="25"]';
  await code.page.locator(added).waitFor();
  await code.viewAction("Calls", "Query Calls");
  await code.pick("End reason");
  await code.pick("FRAUD");
  await typeInto("Duration (seconds)", "soon");
  await code.validation.filter({ hasText: "duration in seconds" }).waitFor();
  await accept("");
  await code.pick("Show Calls");
  await code.row("fraud").waitFor();
  await counts(code, "Calls", 1);
  await code.palette("Assistant Flow: Save Query");
  await asked("Save Query");
  await code.answer("Frauds");
  // The palette would close a box that hasn't accepted the name yet.
  await code.input.waitFor({ state: "hidden" });
  await code.palette("Assistant Flow: Save Query");
  await asked("Save Query");
  await code.input.fill("Frauds");
  await code.validation.filter({ hasText: 'replaces the saved query "Frauds"' }).waitFor();
  await code.giveUp();
  await code.viewAction("Calls", "Clear Query");
  await counts(code, "Calls", "25+");
  await code.paletteAndPick("Assistant Flow: Load Saved Query", "Frauds");
  await counts(code, "Calls", 1);
  await code.viewAction("Calls", "Clear Query");
  await counts(code, "Calls", "25+");
});

step("embedding spend is asked for by days, and a date that cannot be is refused while one types", async () => {
  await only(code, "Embedding Spend");
  await code.viewAction("Embedding Spend", "Set Period and Filters");
  await typeInto("Start date", "2026-02-30");
  await code.validation.filter({ hasText: "yyyy-mm-dd" }).waitFor();
  await code.answer("2030-01-01");
  await code.picks.filter({ hasText: "before the start date" }).waitFor();
  await typeInto("Start date", "");
  await accept("2026-01-01");
  await typeInto("Limit", "");
  await accept("5");
  await code.pick("Show Spend");
  await counts(code, "Embedding Spend", "5+");
  await code.row("top 5 knowledge bases only").waitFor();
  await code.viewAction("Embedding Spend", "Show Chart");
  const chart = await code.webview("Embedding spend");
  await chart.getByText(/start_date=2026-01-01&.*limit=5/).waitFor();
  await chart.getByText("Total (top 5 knowledge bases only)").waitFor();
  await chart.getByLabel("Limit").fill("0");
  await chart.getByRole("button", { name: "Show", exact: true }).click();
  await chart.locator(".complaint").filter({ hasText: "from 1 to 100" }).waitFor();
  await code.closeEditors();
});

step(
  "a workflow is started for a lead of a CSV file, after a look at who is called, and followed to its transcript",
  async () => {
    await code.openFile("leads.csv");
    await only(code, "Calling Workflows");
    await counts(code, "Calling Workflows", 25);
    await code.rowAction("Welcome new customers", "Start for a Lead");
    await code.pick("Anna Berg");
    await code.page.keyboard.press("Enter");
    const form = await code.webview('Start "Welcome new customers" for a lead');
    assert.deepEqual(
      await Promise.all(
        ["First name", "Last name", "Phone number"].map((label) => form.getByLabel(label).inputValue()),
      ),
      ["Anna", "Berg", "+15185550107"],
    );
    await form.getByLabel("Email").fill("anna");
    await form.getByLabel("City").focus();
    await form.getByText("Enter an email address").waitFor();
    await form.getByRole("button", { name: "Continue…" }).click();
    await form.getByText("Complete the highlighted field first.").waitFor();
    assert.equal(await form.getByLabel("Email").getAttribute("aria-invalid"), "true");
    await code.screenshot("lead-form");
    await form.getByLabel("Email").fill("anna@example.com");
    await form.getByText("Enter an email address").waitFor({ state: "hidden" });
    await form.getByText("Complete the highlighted field first.").waitFor({ state: "hidden" });
    await form.getByRole("button", { name: "Continue…" }).click();
    const question = await code.dialogText.innerText();
    assert.match(question, /Call Anna Berg at \+15185550107\?/);
    assert.match(question, /Welcome new customers.*Local sandbox.*127\.0\.0\.1/s);
    assert.match(question, /hours/);
    await code.screenshot("sidebar-call-question");
    await code.dialog("Cancel");
    await form.locator("button:focus").filter({ hasText: "Continue…" }).waitFor();
    await code.page.keyboard.press("Enter");
    await code.dialog("Call Now");
    // After sending, the form is empty: no data of this lead is used for the next one.
    await form.getByText("Started for Anna Berg.").waitFor();
    assert.equal(await form.getByLabel("Phone number").inputValue(), "");
    await code.toastButton(/call with Anna Berg ended/, "Open Call");
    await code.webview("Transcript");
    await code.screenshot("sidebar-call-page");
    await only(code, "Calls");
    await code.row("Anna Berg").waitFor();
  },
);

step("several leads of a selection: each is checked before anything is sent, one question names them all", async () => {
  const { fault, requests } = admin(sandbox);
  await code.openFile("people.json");
  await only(code, "Calling Workflows");
  await counts(code, "Calling Workflows", 25);
  /** Selects the list in the file, starts, and ticks these. */
  const begin = async (...names: string[]) => {
    await code.focusEditor("people.json");
    await code.goTo(3, 13);
    for (let line = 0; line < 4; line++) await code.page.keyboard.press("Shift+ArrowDown");
    await code.rowAction("A payment plan", "Start for a Lead");
    await asked("3 Leads in people.json");
    for (const name of names) await code.pick(name);
  };
  await begin("Cora Diaz", "Eve Falk");
  await code.page.keyboard.press("Enter");
  await code.toast(/Nothing was sent\. Eve Falk: Too short/).waitFor();
  await begin("Cora Diaz", "Dan Engel");
  await fault({
    match: { family: "calling", method: "POST", path: "/workflows/*/executions" },
    fault: { kind: "status", status: 500, error: "internal_error", message: "The line is down." },
  });
  const before = (await requests(/executions$/)).length;
  await code.page.keyboard.press("Enter");
  const question = await code.dialogText.innerText();
  assert.match(question, /Call 2 people\?/);
  assert.match(question, /Cora Diaz at \+15185550111\nDan Engel at \+15185550112/);
  assert.equal((await requests(/executions$/)).length, before, "nothing is sent before the answer");
  await code.dialog("Call All 2");
  await code.toastButton(/Cora Diaz wasn't started.*The line is down/, "Continue with 1 Lead");
  await until("both were sent, each once", async () => (await requests(/executions$/)).length === before + 2);
  await only(code, "Calls");
  await code.row("Dan Engel").waitFor();
});

step("a call made elsewhere appears by itself while the view is in sight", async () => {
  await only(code, "Calls");
  const before = Number.parseInt((await countOf("Calls")) ?? "", 10);
  await fetch(`${sandbox.workflowBaseUrl}/call`, {
    method: "POST",
    headers: { "x-api-key": sandbox.apiKey, "content-type": "application/json" },
    body: JSON.stringify({
      ...(await anyWorkflow()),
      firstName: "Gus",
      lastName: "Holm",
      primaryPhone: "+15185550113",
    }),
  });
  await code.row("Gus Holm").waitFor();
  assert.ok(Number.parseInt((await countOf("Calls")) ?? "", 10) > before);
});

step("a view that fails says why and offers to try again; the others are not affected", async () => {
  const fail = async () => {
    await admin(sandbox).fault({
      match: { path: "/v1/webhooks/event-catalog" },
      fault: { kind: "status", status: 400, error: "bad_request", message: "The catalog is being moved." },
    });
    await code.viewAction("Webhook Events", "Refresh");
    await code.page.locator(".part.sidebar").getByText("Out of date: last refresh failed.").waitFor();
  };
  await only(code, "Webhook Events");
  await counts(code, "Webhook Events", 19);
  await fail();
  await code.row("Couldn't").waitFor();
  await code.row("The catalog is being moved").waitFor();
  await counts(code, "Webhook Events", 19);
  await code.screenshot("sidebar-one-fails");
  await actUntil(gone(code.row("Couldn't")), async () => {
    if (!(await code.row("Couldn't").isVisible())) return;
    await code.expand("Couldn't");
    await code.clickRow("Retry");
  });
  await fail();
  await only(code, "Calls");
  await code.viewAction("Calls", "Refresh");
  await code.row("Gus Holm").waitFor();
  assert.equal(await code.row("Couldn't").isVisible(), false);
  await code.palette("Assistant Flow: Refresh");
});

step(
  "a call inquiry that the platform refuses comes back as it was filled, with the complaint at its field",
  async () => {
    await admin(sandbox).fault({
      match: { family: "calling", method: "POST", path: "/call" },
      fault: {
        kind: "body",
        status: 422,
        body: JSON.stringify({ detail: [{ loc: ["body", "zipcode"], msg: "Not a zip code.", type: "value_error" }] }),
      },
    });
    await code.closeEditors();
    await only(code, "Calling Workflows");
    await counts(code, "Calling Workflows", 25);
    await code.rowMenu("A late payment", "Create Call Inquiry");
    const form = await code.webview('Call inquiry for "A late payment"');
    const phone = form.getByLabel("Phone number");
    assert.equal(await phone.inputValue(), "", "started for another workflow, it has nothing of the lead before");
    await form.getByRole("button", { name: "Repeat Last Lead (Anna Berg)" }).click();
    await until("the last lead is filled in", async () => (await phone.inputValue()) === "+15185550107");
    await form.getByLabel("Zip code").fill("none");
    await form.getByRole("button", { name: "Continue…" }).click();
    await code.dialog("Call Now");
    await form.getByText("The platform says: Not a zip code.").waitFor();
    assert.equal(await form.getByLabel("Email").inputValue(), "anna@example.com");
    await code.screenshot("sidebar-form-back");
    // Leaving fields checks them again, which knows nothing of what the platform said.
    await form.getByLabel("Email").fill("anna");
    await form.getByLabel("City").focus();
    await form.getByText("Enter an email address").waitFor();
    assert.ok(await form.getByText("The platform says: Not a zip code.").isVisible());
    await form.getByLabel("Email").fill("anna@example.com");
    await form.getByLabel("Zip code").fill("12207");
    // When its row disappears, the button of the next row moves up.
    await form.getByText("The platform says: Not a zip code.").waitFor({ state: "hidden" });
    await form.getByRole("button", { name: "Continue…" }).click();
    await code.dialog("Call Now");
    await code.toast("Created the call inquiry for Anna Berg").waitFor();
    await code.closeEditors();
  },
);

step("a key is created, kept as a connection, used, and revoked while in use", async () => {
  await only(code, "API Keys");
  await code.viewAction("API Keys", "Create API Key");
  await asked("(1/3)");
  await code.answer("CI key");
  await asked("(2/3)");
  // The access of a key must be chosen explicitly and is shown; there is no default.
  for (const [name, words] of [
    ["Read only", "See everything, change nothing."],
    ["Choose scopes", "Select exactly what the key can do."],
    ["Full access", "All permissions of your role"],
  ] as const)
    await code.picks.filter({ hasText: name }).filter({ hasText: words }).waitFor();
  await code.screenshot("key-access");
  await code.pick("Choose scopes");
  await asked("(3/4)");
  await code.page.keyboard.press("Enter");
  await code.page.locator('.quick-input-widget:visible input[placeholder="Select at least one."]').waitFor();
  await code.input.fill("agents");
  await code.picks.filter({ hasText: "isn't a valid scope" }).first().waitFor();
  await code.page
    .locator(
      ".quick-input-widget:visible .quick-input-back-button, .quick-input-widget:visible .codicon-quick-input-back",
    )
    .first()
    .click();
  await asked("(2/4)");
  await code.pick("Full access");
  await code.pick("In 30 days");
  await code.dialogText.filter({ hasText: "afk_" }).waitFor();
  const secret = /afk_\S+/.exec(await code.dialogText.innerText())?.[0] ?? "";
  // The dialog stays open until the key is stored.
  const button = (name: string) => code.page.locator(".monaco-dialog-box .monaco-button").filter({ hasText: name });
  assert.equal(await button("Cancel").count(), 0, "there is nothing to cancel any more");
  await button("Done").click();
  await code.dialogText.filter({ hasText: "wasn't copied or saved" }).waitFor();
  await code.screenshot("key-not-saved");
  assert.equal(await code.page.locator(".monaco-dialog-box .monaco-button:not(.secondary)").innerText(), "Copy Key");
  await button("Go Back").click();
  await button("Copy Key").click();
  await code.dialogText.filter({ hasText: "Copied to clipboard" }).waitFor();
  assert.equal(await clipboard(), secret);
  await code.dialog("Save as Connection");
  await asked("Save as Connection");
  await code.answer("Kept");
  await code.toastButton('Saved as connection "Kept"', "Use Now");
  await code.statusItem("connection").filter({ hasText: "Kept" }).waitFor();
  await only(code, "API Keys");
  await code.row(/CI key.*in use/).waitFor();
  await picture(code, "keys");
  assert.ok(!(await code.page.locator("body").innerText()).includes(secret), "the secret is nowhere on the screen");
  await code.rowAction("CI key", "Revoke");
  assert.match(await code.dialogText.innerText(), /Revoke "CI key", the key in use\?/);
  await code.dialog("Revoke");
  const welcome = code.page.locator(".part.sidebar").getByText("The platform rejected the API key");
  await welcome.waitFor();
  await code.expand("Couldn't load API keys");
  await code.row("Enter API Key").waitFor();
  await code.screenshot("sidebar-unauthorized");
  await code.statusMenu("connection", "Local sandbox");
  await welcome.waitFor({ state: "detached" });
});

step("a view that is opened by its command has the focus", async () => {
  await only(code, "Flows");
  // A new flow loads the list before the view is shown.
  await code.write("other.flow.yaml", `assistant: ${randomUUID()}\nentry: bye\nnodes:\n  bye: {type: end}\n`);
  await code.page.locator('.pane-header[aria-label^="Assistants - "]').waitFor();
  await code.palette("Assistant Flow: Focus on Assistants View");
  const list = code.page.locator('.pane:has(.pane-header[aria-label^="Assistants"]) .monaco-list');
  await list.locator(".monaco-list-row").first().waitFor();
  await list.and(code.page.locator(":focus")).waitFor({ timeout: 10_000 });
  await rm(path.join(code.folder, "other.flow.yaml"));
  await code.row("other.flow.yaml").waitFor({ state: "detached" });
});

step("an archived assistant is restored, and shown as the platform returned it", async () => {
  await only(code, "Assistants");
  await code.viewAction("Assistants", "Restore Archived Assistant");
  await asked("Restore Archived Assistant");
  assert.equal(await code.question("Restore").innerText(), "Restore Archived Assistant", "one step needs no number");
  await code.answer("not-an-id");
  await code.validation.filter({ hasText: "Enter an ID like" }).waitFor();
  await code.answer(sandbox.demo.archived_assistant ?? "");
  await code.row(/Holiday hotline.*restored/).waitFor();
  await picture(code, "assistants");
});

step("a flow's assistant is restored from its row; what the platform refuses is said beside the id", async () => {
  await only(code, "Flows");
  await code.rowMenu("billing", "Restore Archived Assistant");
  await code.validation.filter({ hasText: "This assistant isn't archived" }).waitFor();
  assert.equal(await code.input.inputValue(), sandbox.demo.assistant);
  await code.giveUp();
  const asked = await admin(sandbox).requests(new RegExp(`assistants/${sandbox.demo.assistant}/restore$`));
  assert.equal(asked.length, 1);
});

step("a double click restores an assistant once", async () => {
  await only(code, "Assistants");
  const pattern = new RegExp(`assistants/${sandbox.demo.assistant}/restore$`);
  const before = (await admin(sandbox).requests(pattern)).length;
  const row = code.row("billing.flow.yaml");
  const button = row.locator('a.action-label[aria-label^="Restore"]').first();
  await actUntil(code.input, async (patience) => {
    if (await code.input.isVisible()) return;
    await row.hover(patience);
    await button.dblclick(patience);
  });
  await code.validation.filter({ hasText: "This assistant isn't archived" }).waitFor();
  await code.giveUp();
  assert.equal((await admin(sandbox).requests(pattern)).length, before + 1);
});

step("the assistant that a flow names is one click away", async () => {
  await only(code, "Flows");
  await code.expand("billing");
  const pane = code.page.locator('.part.sidebar .pane:has(.pane-header[aria-label^="Assistants"])');
  await actUntil(pane.locator(".monaco-list-row.selected").filter({ hasText: "billing.flow.yaml" }), (patience) =>
    code.row(/Assistant.*-/).click(patience),
  );
  // The files of an assistant open like those of the Flows view.
  await code.closeEditors();
  const file = pane.locator('.monaco-list-row[aria-level="2"]').filter({ hasText: "billing.flow.yaml" });
  await code.expand("billing.flow.yaml");
  await actUntil(code.editor("billing.flow.yaml"), (patience) => file.click(patience));
  await code.closeEditors();
});

step("in every view the id of a row is copied by the keyboard, and the row opens as JSON", async () => {
  for (const view of [
    "Flows",
    "Reviews",
    "Calling Workflows",
    "Calls",
    "API Keys",
    "Embedding Spend",
    "Assistants",
    "Webhook Events",
  ]) {
    await only(code, view);
    // Embedding Spend is a list without levels.
    await code.page
      .locator(`.pane-header[aria-label^="${view}"] a.action-label[aria-label^="Collapse All"]`)
      .waitFor({ state: view === "Embedding Spend" ? "detached" : "attached" });
    const pane = code.page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${view}"])`);
    const grouped = ["Reviews", "Calling Workflows", "Webhook Events"].includes(view);
    const row = pane
      .locator(`.monaco-list-row[aria-level="${grouped ? 2 : 1}"]`)
      .filter({ hasNotText: "Loading" })
      .nth(view === "Embedding Spend" ? 1 : 0);
    await code.page.evaluate("navigator.clipboard.writeText('')");
    const copied = holds(`${view}: an id is copied`, async () => /^[\w.-]{8,}$/.test(await clipboard()));
    await actUntil(copied, async () => {
      await code.selectRow(row);
      await code.page.keyboard.press("Control+c");
    });
    const id = await clipboard();
    await code.menu(row, "Open as JSON");
    await code.page
      .locator(".tab.active")
      .filter({ hasText: `${id}.json` })
      .waitFor();
    await code.closeEditors();
  }
});

step("VS Code's own find narrows a view; the row it leaves opens as JSON, and its type is copied", async () => {
  await only(code, "Webhook Events");
  await counts(code, "Webhook Events", 19);
  const pane = code.page.locator('.part.sidebar .pane:has(.pane-header[aria-label^="Webhook Events"])');
  const widget = pane.locator(".monaco-tree-type-filter");
  await actUntil(widget.locator("input"), async () => {
    await code.selectRow(code.row("assistant.archived"));
    await code.page.keyboard.press("Control+f");
  });
  await widget.locator("input").fill("archived");
  await widget.locator(".codicon-list-filter").click();
  await code.row("assistant.revision.published").waitFor({ state: "detached" });
  await code.rowMenu("assistant.archived", "Open as JSON");
  await code.page.locator(".tab.active").getByText("assistant.archived.json").waitFor();
  await code.page.evaluate("navigator.clipboard.writeText('')");
  const copied = holds("the type is copied", async () => (await clipboard()) === "assistant.archived");
  await actUntil(copied, async () => {
    await code.selectRow(code.row("assistant.archived"));
    await code.page.keyboard.press("Control+c");
  });
  await widget.locator("input").press("Escape");
  await code.row("assistant.revision.published").waitFor();
});

step("a row's button acts on its row, however often its list is loaded and drawn anew", async () => {
  await only(code, "Webhook Events");
  await counts(code, "Webhook Events", 19);
  const button = 'a.action-label[aria-label^="Copy Event Type"]';
  for (let round = 0; round < 12; round++) {
    const type = ["assistant.archived", "assistant.revision.published"][round % 2] as string;
    // A catalog that changes each time, loaded at the moment of the click.
    sensitivity = `grade ${round}`;
    await code.viewAction("Webhook Events", "Refresh");
    for (let press = 0; press < 4; press++) {
      await code.page.evaluate("navigator.clipboard.writeText('')");
      await code.press(".customview-tree .monaco-list-row", type, button);
      await until(`${type} is copied`, async () => (await clipboard()) === type);
    }
    assert.equal(await code.page.locator(".quick-input-widget:visible").count(), 0);
    await code.row(`grade ${round}`).waitFor();
  }
  sensitivity = "";
});
