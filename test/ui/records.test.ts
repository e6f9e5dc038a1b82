/** The pages of a call, a review and the spend in VS Code, tested through their DOM. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator } from "playwright-core";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { type Code, openCode, PATIENCE_MS } from "./harness";
import { fits, inEachTheme, post, saveAsOffered, script } from "./pages";
import { callMessage, poisoned, reviewMessage, spendMessage } from "./poison";
import { admin, counts, only, until } from "./sidebar";
import { Trap, watchPolicy } from "./trap";

let code: Code;
let sandbox: Sandbox;
let trap: Trap;
before(async () => {
  trap = await Trap.set();
  // Slow, so that a running call ends when a test decides.
  sandbox = await startSandbox({ flags: ["--admin-port", "0", "--clock-speed", "0.05"] });
  code = await openCode({
    files: { ".vscode/settings.json": "{}", "notes.txt": "Nothing of a page." },
    sandbox,
    settings: { "assistantFlow.reviews.undoSeconds": 0 },
  });
  trap.watch(code.page);
});
after(async () => {
  await code?.close();
  await sandbox?.stop();
  trap?.close();
});

test("the page of a call", () =>
  look("call", async () => {
    await only(code, "Calls");
    await code.openPage(code.row("ago"), "Call: ");
    const call = await code.webview("Transcript");
    await code.page.keyboard.press("Control+b");
    assert.ok((await call.locator(".turn").count()) > 1);
    await call.locator("dt").getByText("End reason", { exact: true }).waitFor();
    const words = ((await call.locator(".turn .text").first().innerText()).split(/\s+/)[0] ?? "").toLowerCase();
    await call.getByLabel("Find in transcript").fill(words);
    await call.getByText(/^\d+ turns?$/).waitFor();
    await call.getByLabel("Find in transcript").fill("");
    const said = await code.listen();
    await call.getByRole("button", { name: "Copy as Markdown" }).click();
    await said(/Copied the call as Markdown\./).waitFor({ timeout: PATIENCE_MS });
    assert.match(
      String(await code.page.evaluate("navigator.clipboard.readText()")),
      /^# Call with [\s\S]+## Transcript/,
    );
    await call.getByRole("button", { name: "Export…" }).click();
    assert.match(await code.read(await saveAsOffered(code, "call")), /^# Call with [\s\S]+## Transcript/);
    await inEachTheme(code, "call", call, [".text", "body"]);
    await fits(call);
    await watchPolicy(call);
    // A click isn't lost if the page is redrawn before the mouse button is released.
    const main = call.locator("main");
    await main.evaluate(script("(main) => main.addEventListener('click', () => { main.dataset.isClicked = 'yes'; })"));
    const heading = call.getByRole("heading", { level: 1 });
    await call.getByRole("button", { name: "Copy as Markdown" }).hover();
    await code.page.mouse.down();
    await post(call, [callMessage]);
    assert.notEqual(await heading.innerText(), "f l");
    await code.page.mouse.up();
    await heading.filter({ hasText: "f l" }).waitFor();
    assert.equal(await main.getAttribute("data-is-clicked"), "yes");
    await post(
      call,
      trap.texts.map((text) => poisoned(callMessage, text)),
    );
    await trap.pageUntouched(code.page, call);
  }));

test("the page of a running call follows it to its end, and stays alive while hidden", () =>
  look("live", async () => {
    await code.closeEditors();
    const { data } = await ask<{ data: { id: string }[] }>("/workflows?active=true");
    const lead = { firstName: "Ida", lastName: "Jansen", primaryPhone: "+15185550107" };
    await ask(`/workflows/${data[0]?.id}/executions`, lead);
    const { advance } = admin(sandbox);
    await advance(8);
    await only(code, "Calls");
    await code.openPage(code.row("Ida Jansen"), "Call: Ida Jansen");
    let call = await code.webview("Ida Jansen");
    await call.locator(".live").waitFor();
    await call.getByText("The summary appears when the call has ended.").waitFor();
    const early = await call.locator(".turn").count();
    const refresh = call.getByRole("button", { name: "Refresh" });
    await refresh.focus();
    await advance(10);
    await call.locator(".turn").nth(early).waitFor();
    await refresh.and(call.locator(":focus")).waitFor();
    await call.getByLabel("Find in transcript").focus();
    await advance(300);
    await call.locator(".live").waitFor({ state: "detached" });
    await call.getByText("The summary appears when").waitFor({ state: "detached" });
    const turns = await call.locator(".turn").count();
    assert.ok(turns > early, `${early} turns grew to ${turns}`);
    await call.getByLabel("Find in transcript").and(call.locator(":focus")).waitFor();
    await call.getByLabel("Find in transcript").fill("Ida");
    await code.openFile("notes.txt");
    await code.palette("View: Revert and Close Editor");
    call = await code.webview("Ida Jansen");
    await filled(call.getByLabel("Find in transcript"), "Ida");
    await until("every turn is there", async () => (await call.locator(".turn").count()) === turns);
  }));

test("a review is rejected from its page with a note that survives a reload and a failure", () =>
  look("reject", async () => {
    await code.closeEditors();
    await only(code, "Reviews");
    await code.openPage(code.row("share a phone number"), "Review");
    let review = await code.webview("two people");
    const label = await code.row("share a phone number").locator(".label-name").innerText();
    await review.getByLabel("Rejection note").fill("Brothers, not one person");
    await code.reloadWindow();
    review = await code.webview("two people");
    await filled(review.getByLabel("Rejection note"), "Brothers, not one person");
    const idOf = () => review.locator("dt:text-is('ID') + dd").innerText();
    const id = await idOf();
    await admin(sandbox).fault({
      match: { method: "POST", path: "/v1/identity/review-requests/*/reject" },
      fault: { kind: "status", status: 500, error: "internal_error", message: "The disk is full." },
    });
    await review.getByRole("button", { name: "Reject" }).click();
    // The page closes, and the focus is in the list, where Ctrl+Z undoes the rejection.
    await code.page.locator('.monaco-list[aria-label="Reviews"]:focus').waitFor();
    await code.toast("wasn't rejected").waitFor();
    await code.palette("Notifications: Clear All Notifications");
    await only(code, "Reviews");
    await code.openPage(code.row("not rejected"), "Review");
    review = await code.webview("two people");
    assert.equal(await idOf(), id);
    await filled(review.getByLabel("Rejection note"), "Brothers, not one person");
    await review.getByRole("button", { name: "Reject" }).click();
    await until("the rejection was sent", async () => (await admin(sandbox).rejects()).length === 2);
    const { data } = await ask<{ data: { id: string; resolution_note?: string }[] }>("/v1/identity/review-requests");
    assert.equal(data.find((each) => each.id === id)?.resolution_note, "Brothers, not one person");
    await code.page.locator(".tab").filter({ hasText: "Review" }).waitFor({ state: "detached" });
    await counts(code, "Reviews", 9);
    await code.row(label).waitFor({ state: "detached" });
  }));

test("the page of a review", () =>
  look("review", async () => {
    await only(code, "Reviews");
    await code.openPage(code.row("share a phone number"), "Review");
    const review = await code.webview("Merge two people");
    await code.page.keyboard.press("Control+b");
    assert.ok((await review.locator("tr.differs").count()) > 1);
    await review.getByText("Evidence").waitFor();
    await review.locator("dt").getByText("Created", { exact: true }).waitFor();
    await review.locator(".tag").getByText("Suggested to keep", { exact: true }).waitFor();
    assert.equal(await review.locator("dt:text-is('Matching') + dd").innerText(), "Phone, Last name");
    await review.getByLabel("Rejection note").fill("Two people");
    // The message about the rejection above would be in the picture.
    await code.page.locator(".statusbar").getByText("Rejected").waitFor({ state: "detached" });
    await inEachTheme(code, "review", review, ["td", "body"]);
    await fits(review);
    await watchPolicy(review);
    await post(review, [{ type: "review", review: { id: "review-7" }, standing: "open", note: "" }]);
    await review.getByRole("heading", { name: "Review review-7" }).waitFor();
    assert.equal(await review.locator("table").count(), 0);
    assert.deepEqual(await review.locator("dd").allInnerTexts(), ["review-7"]);
    await review.getByRole("button", { name: "Reject" }).waitFor();
    const kinds = ["merge", "update", "other"].map((request_type) => ({
      ...reviewMessage,
      review: { ...reviewMessage.review, request_type },
    }));
    await post(
      review,
      trap.texts.flatMap((text) => kinds.map((message) => poisoned(message, text))),
    );
    await trap.pageUntouched(code.page, review);
    await code.closeEditors();
  }));

test("the page of embedding spend", () =>
  look("spend", async () => {
    await code.palette("Assistant Flow: Show Embedding Spend");
    const spend = await code.webview("Embedding spend");
    await spend.locator("tbody tr").first().waitFor();
    await spend.getByText(/GET \/v1\/analytics\/.*start_date=/).waitFor();
    await spend.locator(".chart canvas").waitFor();
    const byName = spend.getByRole("button", { name: "Knowledge base" });
    await byName.press("Enter");
    await byName.and(spend.locator(":focus")).waitFor();
    const names = await spend.locator("tbody td:first-child").allInnerTexts();
    assert.deepEqual(
      names,
      [...names].sort((a, b) => a.localeCompare(b)),
    );
    await spend.getByLabel("From").fill("2030-01-01");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.getByText("The end date is before the start date.").waitFor();
    await spend.locator('[aria-invalid="true"]').first().waitFor();
    await spend.getByLabel("From").fill("2026-01-01");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.getByText("The end date is before the start date.").waitFor({ state: "detached" });
    await admin(sandbox).fault({
      match: { path: "/v1/analytics/*" },
      fault: {
        kind: "body",
        status: 422,
        body: JSON.stringify({ detail: [{ loc: ["query", "source"], msg: "No such source.", type: "value_error" }] }),
      },
    });
    await spend.getByLabel("Source").fill("nowhere");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.locator("label").filter({ hasText: "Source" }).getByText("No such source.").waitFor();
    assert.equal(await spend.getByLabel("Source").inputValue(), "nowhere", "what was typed stays");
    await spend.getByText(/GET .*source=nowhere/).waitFor();
    await spend.getByLabel("Source").fill("nothing-of-this-name");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.getByText("No embedding spend matches these filters.").waitFor();
    await spend.getByText(/GET .*source=nothing-of-this-name/).waitFor();
    await spend.getByLabel("Source").fill("");
    await spend.getByRole("button", { name: "Show", exact: true }).click();
    await spend.locator("tbody tr").first().waitFor();
    await spend.getByRole("button", { name: "Cost" }).click();
    const costs = (await spend.locator("tbody td:nth-child(2)").allInnerTexts()).map((text) => Number(text.slice(1)));
    assert.deepEqual(
      costs,
      [...costs].sort((a, b) => b - a),
    );
    await spend.locator("th[aria-sort=descending]").filter({ hasText: "Cost" }).waitFor();
    for (const metric of ["Input tokens", "Invocations", "Failed", "Cost"]) {
      await spend.getByLabel("Chart metric").selectOption({ label: metric });
      await spend.getByRole("img", { name: `${metric} by knowledge base` }).waitFor();
    }
    await spend.getByRole("button", { name: "Export CSV…" }).click();
    assert.equal(await saveAsOffered(code, "spend"), "embedding-spend.csv");
    const csv = (await code.read("embedding-spend.csv")).trimEnd().split("\r\n");
    assert.equal(csv[0], "kb_id,total_cost_usd,input_tokens,invocations,failed");
    assert.equal(csv.length, costs.length + 1);
    await inEachTheme(code, "spend", spend, ["td", "body"]);
    await fits(spend);
    await watchPolicy(spend);
    await post(
      spend,
      trap.texts.map((text) => poisoned(spendMessage, text)),
    );
    await trap.pageUntouched(code.page, spend);
  }));

// Shared helpers

/** Waits until a field has this value: a page that is shown again is drawn first, and restores its input then. */
async function filled(field: Locator, text: string): Promise<void> {
  await until(`"${text}" is filled in`, async () => (await field.inputValue()) === text);
}

/** Sends a request to the platform itself; with a body it is a POST. */
async function ask<Answer>(address: string, body?: object): Promise<Answer> {
  const base = address.startsWith("/v1") ? sandbox.baseUrl : sandbox.workflowBaseUrl;
  const headers = { "x-api-key": sandbox.apiKey, "content-type": "application/json" };
  const answer = await fetch(base + address, {
    headers,
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as Answer;
}

function look<T>(name: string, body: () => Promise<T>): Promise<T> {
  return code.screenshotOnFailure(`pages-${name}`, body);
}
