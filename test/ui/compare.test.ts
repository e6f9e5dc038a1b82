/** Compare Graphs during a review: in a repository, with a branch, and from the plan of a push. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { inProject, temporaryFolder } from "../../scripts/project";
import type { Sandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { inEachTheme, script } from "./pages";

const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8").replace(/^(assistant|revision): .*\n/gm, "");
const edited = flow
  .replace("ask how you can help", "ask what you can do for them")
  .replace(
    '      - {to: look_up, when: "{{account_id}} is known"}\n      - {to: hand_over, label: gave up}\n',
    ["      - {to: hand_over, label: gave up}\n", '      - {to: look_up, when: "{{account_id}} is known"}\n'].join(""),
  )
  .replace("      - to: tell_plan\n", "      - to: tell_plan\n        label: found\n")
  .replace(
    "    edges:\n      - to: goodbye\n  hand_over",
    "    edges:\n      - to: more\n  more:\n    type: message\n    instructions: Ask whether there is more.\n    edges:\n      - to: goodbye\n  hand_over",
  );
const LINKED = "support-line.flow.yaml";
const CHANGES = [
  "~node greetinstructions",
  "+node more",
  "−edge tell_plan → goodbye",
  "↕edge ask_account → hand_over",
  "~edge look_up → tell_planlabel",
  "+edge tell_plan → more",
];

let code: Code;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
before(async () => {
  folder = await temporaryFolder();
  const repository = path.join(folder.path, "flows");
  mkdirSync(path.join(repository, ".vscode"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(repository, name), text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: repository });
  write("billing.flow.yaml", flow.replace("Thank the caller", "Thank them"));
  write(LINKED, readFileSync(inProject(`examples/${LINKED}`), "utf8"));
  write("notes.txt", "Nothing of a flow.\n");
  write(".vscode/settings.json", "{}");
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "First");
  git("branch", "earlier");
  write("billing.flow.yaml", flow);
  git("commit", "-q", "-a", "-m", "Second");
  code = await openCode({
    folder: repository,
    open: "billing.flow.yaml",
    sandbox: true,
    settings: {
      "files.autoSave": "off",
      "git.enabled": true,
      "git.autofetch": false,
      "git.openRepositoryInParentFolders": "never",
    },
  });
});
after(async () => {
  await code?.close();
  await folder?.remove();
});

let graph: FrameLocator;
const rows = () => graph.getByRole("listbox", { name: "Changes" }).getByRole("option");
const look = (name: string, body: () => Promise<void>) => () => code.screenshotOnFailure(`compare-${name}`, body);
const chosen = () => graph.locator('[role=option][aria-selected="true"]');

test(
  "an edited flow over its last commit: each change is drawn, listed and walked to, with both texts",
  look("head", async () => {
    await code.page.keyboard.press("Control+b");
    await code.replaceAll("billing.flow.yaml", edited);
    await code.paletteAndPick("Assistant Flow: Compare Graphs", "HEAD");
    graph = await code.webview("Compare with…");
    await graph.getByText("Compared with HEAD: 6 changes").waitFor();
    assert.deepEqual(await rows().allTextContents(), CHANGES);
    // On a slow machine the list appears before the graph, which then starts at its entry and draws only the visible
    // part.
    await graph.getByRole("button", { name: "Fit" }).click();
    for (const mark of [
      '[data-node="greet"].change-changed',
      '[data-node="more"].change-added',
      '.edge.change-removed[aria-label*="tell_plan to goodbye"]',
      '.edge.change-moved[aria-label*="ask_account to hand_over"]',
      '.edge.change-changed[aria-label*="look_up to tell_plan"]',
      '.edge.change-added[aria-label*="tell_plan to more"]',
    ])
      await graph.locator(mark).waitFor();
    // The first change is selected initially.
    await graph.locator('[data-node="greet"].selected').waitFor();
    await graph.locator(".before del").getByText("how", { exact: true }).waitFor();
    await graph.locator(".after ins").getByText("what", { exact: true }).waitFor();
    // With the keyboard: F7 from anywhere, arrow keys in the list.
    await graph.locator(".surface").press("F7");
    await chosen().filter({ hasText: "node more" }).waitFor();
    await graph.locator('[data-node="more"].selected').waitFor();
    await graph.locator(".before").getByText("Not there yet.").waitFor();
    await graph.locator(".after ins").filter({ hasText: "Ask whether there is more." }).waitFor();
    await graph.getByRole("listbox").press("ArrowDown");
    await graph.locator('.edge.selected.change-removed[aria-label*="tell_plan to goodbye"]').waitFor();
    await graph.getByRole("listbox").press("Shift+F7");
    await graph.locator('[data-node="more"].selected').waitFor();
    await graph.getByRole("button", { name: "Next change" }).click();
    await graph.getByRole("button", { name: "Next change" }).click();
    await graph.locator('.edge.selected.change-moved[aria-label*="ask_account to hand_over"]').waitFor();
    await graph.getByRole("button", { name: "Fit" }).click();
    // Selecting a node in the graph also shows its texts and its change.
    await graph.locator('[data-node="greet"]').click();
    await chosen().filter({ hasText: "node greet" }).waitFor();
    await graph.locator(".after ins").getByText("what", { exact: true }).waitFor();
    // A tooltip under the mouse would cover the graph.
    await graph.getByRole("button", { name: "Fit" }).hover();
    await graph.locator(".hover").waitFor({ state: "hidden" });
    await inEachTheme(code, "compare", graph, [".comparison pre", "body", ".node.change-changed .body"]);
  }),
);

test(
  "the comparison follows the text, and another version can be chosen",
  look("versions", async () => {
    await code.replaceAll("billing.flow.yaml", flow.replace("Thank the caller", "Thank everybody"));
    await graph.getByText("Compared with HEAD: 1 change", { exact: true }).waitFor();
    await graph.getByRole("button", { name: "Compare with…" }).click();
    await code.pick("earlier");
    await graph.getByText("Compared with earlier: 1 change", { exact: true }).waitFor();
    await graph.locator(".before del").getByText("them", { exact: true }).waitFor();
    await graph.locator(".after ins").getByText("everybody", { exact: true }).waitFor();
    // A missing revision is reported in place of the list.
    await graph.getByRole("button", { name: "Compare with…" }).click();
    await code.answer("no-such-branch");
    await graph.getByText(/Can't compare with no-such-branch\. There is no revision "no-such-branch" here/).waitFor();
    assert.ok(await graph.getByRole("button", { name: "Next change" }).isDisabled(), "there are no changes");
    // Without a comparison, the graph has the room of the list and of both texts.
    await graph.locator(".comparison .beside").waitFor({ state: "hidden" });
    await graph.getByRole("button", { name: "Stop comparing" }).press("Enter");
    await graph.locator(".surface:focus").waitFor();
    await graph.getByRole("listbox").waitFor({ state: "hidden" });
    await graph.locator(".node.change-changed").waitFor({ state: "detached" });
  }),
);

test(
  "from the source control view, for a flow; a file that is none has no graph",
  look("scm", async () => {
    await code.save("billing.flow.yaml");
    await code.write("notes.txt", "Something else.\n");
    await code.view("Source Control");
    const changed = (name: string) => code.page.locator(".scm-view .monaco-list-row").filter({ hasText: name }).first();
    const compare = (name: string) => code.menu(changed(name), "Compare Graphs…");
    await compare("notes.txt");
    await code.page.locator(".notification-list-item").filter({ hasText: "isn't a flow" }).waitFor();
    await compare("billing.flow.yaml");
    await code.pick("HEAD");
    await graph.getByText("Compared with HEAD: 1 change", { exact: true }).waitFor();
  }),
);

test(
  "from the plan of a push: what it would change",
  look("plan", async () => {
    await code.openFile(LINKED);
    await code.statusItem("sync").filter({ hasText: "Synced" }).waitFor();
    const text = await code.read(LINKED);
    await code.replaceAll(LINKED, text.replace("type: message\n", "type: message\n    description: First words.\n"));
    await code.palette("Assistant Flow: Show Plan");
    const plan = await code.webview("Compare with Platform");
    await plan.getByText("1 node changed").first().waitFor();
    await plan.getByRole("button", { name: "Compare Graphs" }).click();
    graph = await code.webview(/Compared with the platform's version: 1 change/);
    await graph.locator(".after ins").filter({ hasText: "First words." }).waitFor();
  }),
);

test(
  "with the last sync, and with what a colleague has pushed since",
  look("sync", async () => {
    const { baseUrl, apiKey, demo } = code.sandbox as Sandbox;
    const body = { ops: [{ op: "update_node_fields", node_id: "goodbye", fields: { name: "Farewell" } }] };
    const answer = await fetch(`${baseUrl}/v1/assistants/${demo.assistant}/revisions/${demo.revision}/graph/ops`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    await code.openFile(LINKED);
    await code.palette("Assistant Flow: Check for Platform Changes");
    await code.statusItem("sync").filter({ hasText: /newer/i }).waitFor();
    await code.paletteAndPick("Assistant Flow: Compare Graphs", "Last Sync");
    graph = await code.webview(/Compared with the last synced version/);
    await graph.getByText("Compared with the last synced version: 1 change", { exact: true }).waitFor();
    // A change that is chosen while the graph is still arranged stays chosen.
    await graph.locator("body").evaluate(
      script(`() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (...all) { setTimeout(() => postMessage.apply(this, all), 2000); };
      }`),
    );
    await graph.getByRole("button", { name: "Compare with…" }).click();
    await code.pick("Platform");
    await graph.getByText("Compared with the platform's version: 2 changes", { exact: true }).waitFor();
    await rows().filter({ hasText: "node goodbye" }).click();
    await graph.locator('.node.change-changed[data-node="goodbye"]').waitFor();
    await chosen().filter({ hasText: "node goodbye" }).waitFor();
    await graph.locator('[data-node="goodbye"].selected').waitFor();
    await graph.locator(".before del").filter({ hasText: "Farewell" }).waitFor();
    assert.deepEqual(await graph.locator(".comparison h2").allInnerTexts(), ["Platform", "This file"]);
  }),
);
