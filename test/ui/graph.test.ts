/** The graph page in VS Code, tested through its DOM. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { flowOf } from "../../bench/flows";
import { inProject } from "../../scripts/project";
import { whileDrawn } from "../support/calm";
import { actUntil, type Code, gone, openCode, outFolder, PATIENCE_MS } from "./harness";
import { contrast, graphControl, inEachTheme, post, saveAsOffered, script, useTheme } from "./pages";
import { graphMessage, hostileFlow, poisoned } from "./poison";
import { until } from "./sidebar";
import { Trap, watchPolicy } from "./trap";

const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");
const large = flowOf(2000).replace(/^(assistant|revision): .*\n/gm, "");

let code: Code;
let trap: Trap;
before(async () => {
  trap = await Trap.set();
  code = await openCode({
    files: {
      "billing.flow.yaml": flow,
      "support-line.flow.yaml": readFileSync(inProject("examples/support-line.flow.yaml"), "utf8"),
      "large.flow.yaml": large,
      "notes.txt": "Nothing of a flow.",
      ".vscode/settings.json": "{}",
    },
    sandbox: true,
    settings: { "files.autoSave": "off", "editor.minimap.enabled": false },
  });
  trap.watch(code.page);
  // Not in the URL of the window, which would open the file again, and nothing else, at every reload.
  await code.openFile("billing.flow.yaml");
});
after(async () => {
  await code?.close();
  trap?.close();
});

let graph: FrameLocator;
const node = (id: string) => graph.locator(`[data-node="${id}"]`);

test("the cursor selects the node and the edge, and a node moves the cursor", () =>
  look("cursor", async () => {
    await code.page.keyboard.press("Control+b");
    // Three ways to open the page: the code lens above the nodes, the button of the editor, the command.
    await code.goTo(lineOf("nodes:"));
    await code.pressLens("Show Graph", code.page.locator(".tab").filter({ hasText: "Graph:" }).first());
    graph = await code.webview("Arrange");
    await graph.locator("body").evaluate((body) => body.setAttribute("data-first", "yes"));
    await code.press(".editor-actions", "", 'a.action-label[aria-label^="Open Flow Graph"]');
    await code.palette("Assistant Flow: Open Flow Graph");
    await graph.locator("body[data-first]").waitFor();
    assert.equal(await code.page.locator(".tab").filter({ hasText: "Graph:" }).count(), 1);
    await node("greet").waitFor();
    await code.goTo(lineOf("  look_up:"), 4);
    await graph.locator('[data-node="look_up"].selected').waitFor();
    await code.goTo(lineOf("label: gave up"), 12);
    await graph.locator('.edge.selected[aria-label*="ask_account to hand_over"]').waitFor();
    await node("tell_plan").click();
    await cursorAt(lineOf("  tell_plan:"));
    await graph.locator('.edge[aria-label*="look_up to hand_over"] .grip').dispatchEvent("click");
    await cursorAt(lineOf("      - to: hand_over"));
    await node("look_up").dblclick();
    await cursorAt(lineOf("  look_up:"));
  }));

test("hover, search and filters work", () =>
  look("focus", async () => {
    await node("ask_account").hover();
    await graph.locator(".hover").filter({ hasText: "ask_account" }).waitFor();
    await node("ask_account").click({ button: "right" });
    await graph.getByRole("menuitem", { name: "Create test" }).waitFor();
    await graph.getByRole("menuitem", { name: "Set as entry" }).waitFor();
    await graph.locator(".hover").waitFor({ state: "hidden" });
    await code.page.keyboard.press("Escape");
    await node("greet").click({ button: "right" });
    await graph.getByRole("menuitem", { name: "Create test" }).waitFor();
    assert.equal(await graph.getByRole("menuitem", { name: "Set as entry" }).count(), 0, "it is the entry");
    // A right click next to the selected node only closes its menu. With the menu key, there is no mouse position.
    const empty = { button: "right", position: { x: 5, y: 5 } } as const;
    await graph.locator(".surface").click(empty);
    await graph.getByRole("menu").waitFor({ state: "hidden" });
    await code.page.keyboard.press("Shift+F10");
    await graph.getByRole("menuitem", { name: "Create test" }).waitFor();
    await code.page.keyboard.press("Escape");
    await node("hand_over").click({ button: "right" });
    await graph.getByRole("menuitem", { name: "Create test" }).waitFor();
    assert.equal(await graph.getByRole("menuitem", { name: "Add node after…" }).count(), 0, "no edge can leave it");
    await code.page.keyboard.press("Escape");
    await graph.locator(".surface:focus").waitFor();
    await code.page.keyboard.press("a");
    await graph.getByText("hand_over ends the conversation, so no edge can leave it.").waitFor();
    await graph.getByLabel("Find node").fill("plan");
    await graph.getByText("1 node", { exact: true }).waitFor();
    const find = graph.getByLabel("Find node");
    assert.ok(((await find.boundingBox())?.width ?? 0) > 120, "the number doesn't take the width of the search box");
    await shows(["tell_plan"]);
    await find.press("Enter");
    await cursorAt(lineOf("  tell_plan:"));
    // Of several matches, the next Enter goes to the next one.
    await find.fill("caller");
    for (const line of ["  goodbye:", "  greet:"]) {
      await code.page.keyboard.press("Enter");
      await cursorAt(lineOf(line));
    }
    await code.page.keyboard.press("Escape");
    await graph.locator(".surface:focus").waitFor();
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Uses of {{plan}}" });
    await shows(["look_up", "tell_plan"]);
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Unreachable" });
    await shows([]);
    await choose("tell_plan", "Show paths to this node");
    await shows(["ask_account", "greet", "look_up", "tell_plan"]);
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Everything" });
  }));

test("the cursor doesn't move a graph that is fully visible, otherwise it centers its node; dragging pans", () =>
  look("moves", async () => {
    const surface = graph.locator(".surface");
    const frame = (await surface.boundingBox()) as { x: number; y: number; width: number; height: number };
    const middleOf = async (id: string) => {
      const box = (await node(id).locator(".body").boundingBox()) as typeof frame;
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    await fitted();
    await node("greet").click();
    const before = await places();
    const start = await middleOf("tell_plan");
    await code.page.mouse.move(start.x, start.y);
    await code.page.mouse.down();
    await code.page.mouse.move(start.x + 30, start.y + 20, { steps: 4 });
    await code.page.mouse.move(start.x + 60, start.y + 40, { steps: 4 });
    await code.page.mouse.up();
    await drawn();
    const end = await middleOf("tell_plan");
    near(end, { x: start.x + 60, y: start.y + 40 });
    assert.deepEqual(moved(before, await places()), ["scene"], "the picture, not the node");
    assert.equal(
      await graph.locator("body").evaluate(script("() => String(getSelection())")),
      "",
      "no text is selected",
    );
    await graph.locator('[data-node="greet"].selected').waitFor();
    // The graph follows the editor. If everything is visible, it doesn't need to move.
    const whole = await fitted();
    for (const id of ["look_up", "goodbye"]) {
      await goToIn(lineOf(`  ${id}:`), 4);
      await graph.locator(`[data-node="${id}"].selected`).waitFor();
      assert.deepEqual(await places(), whole);
    }
    await graph.getByRole("button", { name: "Zoom in" }).click();
    await graph.getByRole("button", { name: "Zoom in" }).click();
    for (const id of ["look_up", "goodbye"]) {
      await goToIn(lineOf(`  ${id}:`), 4);
      await graph.locator(`[data-node="${id}"].selected`).waitFor();
      const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
      await until(`${id} is in the middle`, async () => isNear(await middleOf(id), middle));
    }
    // Zooming by button or key keeps the selection in place.
    await surface.evaluate(
      script(
        "(surface) => surface.dispatchEvent(new WheelEvent('wheel', { deltaX: 60, deltaY: 80, cancelable: true }))",
      ),
    );
    await drawn();
    const place = await middleOf("goodbye");
    await graph.getByRole("button", { name: "Zoom in" }).click();
    await drawn();
    near(await middleOf("goodbye"), place);
    await node("goodbye").press("-");
    await drawn();
    near(await middleOf("goodbye"), place);
  }));

test("in a narrow window, controls that don't fit are in a menu; the legend explains the symbols", () =>
  look("narrow", async () => {
    const bar = graph.getByRole("toolbar");
    const legend = graph.locator(".legend");
    await (await graphControl(graph, "Legend")).click();
    for (const words of ["collect", "missing target", "on event", "removed", "warnings"])
      await legend.getByText(words, { exact: true }).waitFor();
    await code.screenshot("graph-legend");
    const height = async () => (await bar.boundingBox())?.height ?? 0;
    const wide = await height();
    const more = graph.getByRole("button", { name: "More" });
    const arrange = graph.getByRole("button", { name: "Arrange" });
    await arrange.focus();
    await code.page.setViewportSize({ width: 800, height: 800 });
    await more.waitFor();
    await arrange.waitFor({ state: "hidden" });
    await more.and(graph.locator(":focus")).waitFor();
    assert.equal(await height(), wide, "one line");
    for (const control of ["Zoom out", "Zoom in", "Fit"]) await graph.getByRole("button", { name: control }).waitFor();
    const fit = graph.getByRole("button", { name: "Fit" });
    await fit.focus();
    const narrow = (await bar.boundingBox())?.width;
    await code.page.setViewportSize({ width: 820, height: 800 });
    await until("the toolbar has its new width", async () => (await bar.boundingBox())?.width !== narrow);
    await fit.and(graph.locator(":focus")).waitFor();
    await code.screenshot("graph-narrow");
    await more.press("Enter");
    await graph.locator(".more-controls :first-child:focus").waitFor();
    const named = await graph.locator(".more-controls button").allInnerTexts();
    assert.deepEqual(named.slice(-5), ["Arrange", "Follow", "Coverage", "Calls", "Legend"]);
    await code.screenshot("graph-narrow-menu");
    await graph.getByRole("button", { name: "Legend" }).click();
    await legend.waitFor({ state: "hidden" });
    await code.page.keyboard.press("Escape");
    await arrange.waitFor({ state: "hidden" });
    await code.page.setViewportSize({ width: 1280, height: 800 });
    await arrange.waitFor();
  }));

test("edits in the graph move no other node, and one Ctrl+Z undoes each", () =>
  look("edits", async () => {
    let before = await fitted();
    const edits: [string, () => Promise<void>, string][] = [
      ["rename", () => choose("tell_plan", "Rename…").then(() => code.answer("say_plan")), '[data-node="say_plan"]'],
      ["add", () => choose("greet", "Add node").then(() => typeOfNew("ask_name")), '[data-node="ask_name"]'],
      ["entry", () => choose("ask_account", "Set as entry"), '[data-node="ask_account"].entry'],
      ["connect", () => connect("tell_plan", "greet"), '.edge[aria-label*="tell_plan to greet"]'],
    ];
    for (const [name, edit, made] of edits) {
      await edit();
      await graph.locator(made).first().waitFor({ state: "attached" });
      await code.page.locator(".tab.dirty").waitFor();
      const now = await places();
      // A new node or edge is scrolled into view; otherwise the view doesn't move.
      const allowed = ["add", "connect"].includes(name) ? ["scene"] : [];
      assert.deepEqual(
        moved(before, now).filter((id) => !allowed.includes(id)),
        [],
        name,
      );
      if (name === "rename") assert.equal(now.get("say_plan"), before.get("tell_plan"));
      if (name === "add") {
        await graph.locator('[data-node="ask_name"].selected').waitFor();
        await cursorAt(lineOf("  ask_account:"));
        await code.screenshot("graph-added");
      }
      if (name === "connect") {
        const label = graph.locator(`${made} .label-back`);
        await until("the label of the new edge is in view", async () => {
          const [inner, outer] = await Promise.all([label.boundingBox(), graph.locator(".surface").boundingBox()]);
          return (
            inner !== null && outer !== null && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
          );
        });
        await node("tell_plan").and(graph.locator(".selected")).waitFor();
        const mark = graph.locator(".node .entry-mark");
        const bottom = await mark.evaluate(
          script("(mark) => { const { y, height } = mark.getBBox(); return y + height; }"),
        );
        assert.ok(
          Number(bottom) <= -8,
          "the arrow, which ends in the middle of the side, isn't on the mark of the entry",
        );
      }
      await undoInGraph();
      await graph.locator(made).waitFor({ state: "detached" });
      if (name === "rename") await node("tell_plan").and(graph.locator(".selected")).waitFor();
      const back = await places();
      assert.deepEqual(
        moved(before, back).filter((id) => !allowed.includes(id)),
        [],
        `${name} undone`,
      );
      before = await fitted();
    }
    await node("hand_over").click();
    await code.page.keyboard.press("Delete");
    await node("hand_over").waitFor({ state: "detached" });
    assert.equal(await graph.locator('.edge[aria-label*="to hand_over"]').count(), 0);
    await gone(code.lens("1 in · 2 out")).waitFor({ timeout: PATIENCE_MS });
    await undoInGraph();
    await node("hand_over").waitFor();
    await code.lens("1 in · 2 out").waitFor();
    await code.page.keyboard.press("Control+y");
    await node("hand_over").waitFor({ state: "detached" });
    await undoInGraph();
    await node("hand_over").waitFor();
    assert.equal((await places()).get("hand_over"), before.get("hand_over"));
  }));

test("a node renamed in the graph is renamed in its tests, too", () =>
  look("renamed", async () => {
    const tests = (id: string) => `flow: billing.flow.yaml
tests:
  - name: bye
    steps: [{take: ${id}}]
    expect: {path: [greet, ${id}]}
`;
    await code.write("billing.flowtest.yaml", tests("goodbye"));
    const rename = async (from: string, to: string) => {
      await choose(from, "Rename…");
      await code.answer(to);
      await until("the test names it", async () => (await code.read("billing.flowtest.yaml")) === tests(to));
      await node(to).and(graph.locator(".selected")).waitFor();
    };
    await rename("goodbye", "farewell");
    // VS Code saves the files of a rename, like those of Rename Symbol.
    assert.match(await code.read("billing.flow.yaml"), /farewell:/);
    await rename("farewell", "goodbye");
    assert.equal(await code.read("billing.flow.yaml"), flow);
    rmSync(path.join(code.folder, "billing.flowtest.yaml"));
    await choose("goodbye", "Go to line");
  }));

test("focus returns to the graph even if VS Code loses it", () =>
  look("focus-lost", async () => {
    // The last step of VS Code's focus navigation into a page, which VS Code sometimes skips.
    const lose = "(body) => { body.focusOfWindow = window.focus; window.focus = () => undefined; }";
    await graph.locator("body").evaluate(script(lose));
    await choose("ask_account", "Set as entry");
    await graph.locator('[data-node="ask_account"].entry').waitFor();
    await undoInGraph();
    await node("greet").and(graph.locator(".entry")).waitFor();
    await code.page.keyboard.press("Control+y");
    await graph.locator('[data-node="ask_account"].entry').waitFor();
    await undoInGraph();
    await node("greet").and(graph.locator(".entry")).waitFor();
    await graph.locator("body").evaluate(script("(body) => { window.focus = body.focusOfWindow; }"));
    // A page that was focused while it was loading has the focus already, but none of its elements has.
    await graph.locator("body").evaluate(script("() => document.activeElement.blur()"));
    await post(graph, [{ type: "focus" }]);
    await graph.locator(".surface:focus").waitFor();
  }));

test("an incomplete line leaves the graph unchanged, with the broken part marked", () =>
  look("broken", async () => {
    await focusEditor();
    await code.goTo(lineOf("  look_up:"), "  look_up:".length + 1);
    await graph.locator('[data-node="look_up"].selected').waitFor();
    const before = await places();
    await code.page.keyboard.press("Backspace");
    await graph.locator('[data-node="look_up"].unread').waitFor();
    await graph.getByText("Parts of the file can't be parsed").waitFor();
    assert.deepEqual(moved(before, await places()), []);
    assert.equal((await places()).get("look_up"), before.get("look_up"));
    await code.screenshot("graph-broken");
    await code.page.keyboard.type(":");
    await graph.locator(".unread").first().waitFor({ state: "detached" });
    assert.deepEqual(moved(before, await places()), []);
    await code.page.keyboard.press("Control+z");
    await undo();
  }));

test("the graph in each kind of theme", () =>
  look("themes", async () => {
    await graph.getByLabel("Find node").hover(); // Away from the nodes, whose hover would cover others.
    await fitted();
    assert.deepEqual(await graph.locator("body").evaluate(script(tooWideLabels)), []);
    await inEachTheme(code, "graph", graph, [
      ".node .title",
      ".node .body",
      ".node:not(.selected):not(.terminal) .body",
    ]);
  }));

test("keyboard only: every control has a name, arrow keys navigate, and results are announced", () =>
  look("keyboard", async () => {
    await graph.getByLabel("Find node").click();
    const nextName = async () => {
      await code.page.keyboard.press("Tab");
      return (await graph.locator(":focus").evaluate(script(accessibleName))) as string;
    };
    // Buttons that don't fit are in the menu, which is opened for them.
    const controls = [
      "Show",
      "Zoom out",
      "Zoom in",
      "Fit",
      "Arrange",
      "Follow",
      "Coverage",
      "Calls",
      "Legend",
      "Export",
    ];
    for (const control of controls) {
      let name = await nextName();
      if (name === "More") {
        await code.page.keyboard.press("Enter");
        name = (await graph.locator(".more-controls :focus").evaluate(script(accessibleName))) as string;
      }
      assert.equal(name, control);
    }
    assert.match(await nextName(), /^Flow graph\. Arrow keys move/);
    const said = graph.locator("[aria-live=polite]");
    await graph.locator(".surface").press("Escape");
    await node("greet").click();
    await code.page.keyboard.press("ArrowDown");
    await graph.locator('[data-node="ask_account"]:focus').waitFor();
    await said.filter({ hasText: /^(?!.*undefined).*collect/ }).waitFor();
    assert.equal(await node("ask_account").getAttribute("role"), "button");
    await code.page.keyboard.press("ArrowUp");
    await graph.locator('[data-node="greet"]:focus').waitFor();
    await said.filter({ hasText: "entry" }).waitFor();
    // The editor's cursor follows later, and doesn't move the graph back.
    const still = await fitted();
    await node("greet").focus();
    for (let step = 0; step < 6; step++) {
      await code.page.keyboard.press("ArrowDown");
      await code.page.keyboard.press("ArrowUp");
    }
    await code.page.keyboard.press("ArrowDown");
    await graph.locator('[data-node="ask_account"]:focus').waitFor();
    await cursorAt(lineOf("  ask_account:"));
    await code.page.keyboard.press("ArrowUp");
    await graph.locator('[data-node="greet"]:focus').waitFor();
    await cursorAt(lineOf("  greet:"));
    assert.deepEqual(moved(still, await places()), []);
    await code.page.keyboard.press("Shift+F10");
    const menu = graph.getByRole("menu");
    await menu.waitFor();
    await graph.locator('[role=menuitem]:focus:has-text("Go to line")').waitFor();
    await code.page.keyboard.press("ArrowDown");
    await graph.locator('[role=menuitem]:focus:has-text("Play from here")').waitFor();
    await code.page.keyboard.press("ArrowDown");
    await graph.locator('[role=menuitem]:focus:has-text("Create test")').waitFor();
    await code.page.keyboard.press("ArrowDown");
    await graph.locator('[role=menuitem]:focus:has-text("Rename")').waitFor();
    const pair = ["[role=menuitem]:focus kbd", "[role=menuitem]:focus"];
    const ratio = (await graph.locator("body").evaluate(script(contrast), pair)) as number;
    assert.ok(ratio >= 4.5, `the contrast of the key is ${ratio}`);
    await code.page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await graph.locator(".surface:focus, .surface :focus").waitFor();
    await code.page.keyboard.press("p");
    await shows(["greet"]);
    await code.page.keyboard.press("Escape");
    await graph.locator(".node.faded").first().waitFor({ state: "detached" });
    await code.page.keyboard.press("c");
    await graph.getByRole("status").filter({ hasText: "Select the target of the edge from greet" }).waitFor();
    await code.page.keyboard.press("Escape");
    await graph.getByText("Select the target").waitFor({ state: "hidden" });
    await code.page.keyboard.press("/");
    await graph.getByLabel("Find node").and(graph.locator(":focus")).waitFor();
    await code.page.keyboard.type("look");
    await code.page.keyboard.press("Enter");
    await graph.locator('[data-node="look_up"]:focus').waitFor();
    await code.page.keyboard.press("Enter");
    await code.page.locator('.monaco-editor.focused[data-uri$="billing.flow.yaml"]').waitFor();
    await cursorAt(lineOf("  look_up:"));
    await graph.getByLabel("Find node").fill("");
  }));

test("SVG, PNG and Mermaid are written to the chosen file", () =>
  look("export", async () => {
    await fitted(); // Nodes outside the visible part aren't in the page.
    const exported = async (format: string, file: string) => {
      await (await graphControl(graph, "Export")).selectOption({ label: format });
      assert.equal(await saveAsOffered(code, "graph"), file);
      return readFileSync(path.join(code.folder, file));
    };
    const svg = (await exported("SVG", "billing.svg")).toString("utf8");
    assert.match(svg, /^<svg [^>]*viewBox/);
    const read = `(body, text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? ""`;
    assert.equal(await graph.locator("body").evaluate(script(read), svg), "");
    for (const id of await ids()) assert.ok(svg.includes(`data-node="${id}"`), id);
    assert.doesNotMatch(svg, /<script|tabindex|var\(--/);
    // In the page's colors rather than as black boxes.
    const looks = (await node("tell_plan")
      .locator(".body, .title")
      .evaluateAll(script(`(parts) => parts.map((part) => getComputedStyle(part).fill)`))) as string[];
    const [box = "", title = ""] = looks;
    assert.ok(box !== title && box !== "rgb(0, 0, 0)", `${looks}`);
    const drawn = /<g data-node="tell_plan"[\s\S]*?<\/g>/.exec(svg)?.[0] ?? "";
    assert.ok(drawn.includes(`fill="${box}"`) && drawn.includes(`fill="${title}"`), drawn.slice(0, 600));
    const png = await exported("PNG", "billing.png");
    writeFileSync(path.join(outFolder, "graph-export.png"), png);
    assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    assert.ok(png.readUInt32BE(16) > 300 && png.readUInt32BE(20) > 300, "as large as the flow");
    const mermaid = (await exported("Mermaid", "billing.mmd")).toString("utf8");
    assert.match(mermaid, /^flowchart [\s\S]*look_up/);
  }));

test("a locked graph stays on its flow, an unlocked one follows; removed elements are drawn as ghosts", () =>
  look("ghosts", async () => {
    await fitted();
    await (await graphControl(graph, "Follow")).click();
    await graph.getByRole("button", { name: "Locked", pressed: true }).waitFor();
    await openFlow("support-line.flow.yaml");
    await code.statusItem("sync").filter({ hasText: "Synced v1" }).waitFor();
    await node("tell_plan").waitFor();
    await (await graphControl(graph, "Locked")).click();
    await node("tell_plan").waitFor({ state: "detached" });
    await graph.getByLabel("Find node").fill("promote_app");
    await graph.getByLabel("Find node").press("Enter");
    await graph.locator('[data-node="promote_app"].selected').waitFor();
    await cursorAt(lineOf("  promote_app:", await code.read("support-line.flow.yaml")), "support-line.flow.yaml");
    await code.page.keyboard.press("Delete");
    const ghost = graph.locator('[data-node="promote_app"].change-removed');
    await ghost.filter({ hasText: "−" }).waitFor();
    assert.match((await ghost.getAttribute("aria-label")) ?? "", /removed/);
    await graph.locator(".edge.change-removed").first().waitFor({ state: "attached" });
    await graph.getByLabel("Find node").fill("");
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Changed" });
    await shows(["promote_app", "thank_warmly"]);
    await code.screenshot("graph-ghost");
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Everything" });
    await undo("support-line.flow.yaml");
    await ghost.waitFor({ state: "detached" });
    await node("promote_app").waitFor();
    const sound = await code.read("support-line.flow.yaml");
    await code.replaceAll(
      "support-line.flow.yaml",
      sound.replace("shows what is open on account {{account_id}}", "shows what is open on account {{acount_id}}"),
    );
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "With findings" });
    await graph.locator(".node.faded").first().waitFor();
    await graph.locator(".node:not(.faded) .badge").first().waitFor();
    assert.equal(await graph.locator(".node:not(.faded):not(:has(.badge))").count(), 0);
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Everything" });
    await undo("support-line.flow.yaml");
    await openFlow("billing.flow.yaml");
    await node("tell_plan").waitFor();
  }));

test("a name is validated while it is typed in the graph, Ctrl+S saves the text, and the sync state stays visible", () =>
  look("front", async () => {
    const file = "support-line.flow.yaml";
    await openFlow(file);
    await node("tell_plan").waitFor({ state: "detached" }); // The previous flow has a "greet" node, too.
    await code.goTo(lineOf("  greet:", await code.read(file)), 4); // Its cursor was left elsewhere, and the graph follows it.
    await graph.locator('[data-node="greet"].selected').waitFor();
    await node("greet").click();
    await graph.locator(".hover").filter({ hasText: "Greeting" }).waitFor();
    await code.page.keyboard.press("F2");
    await graph.locator(".hover").waitFor({ state: "hidden" });
    await code.input.fill("ask_name");
    await code.validation.filter({ hasText: "ask_name" }).waitFor();
    await code.answer("hello");
    await node("hello").waitFor();
    await code.statusItem("sync").filter({ hasText: "Synced v1" }).waitFor();
    await graph.locator(":focus").waitFor();
    await code.save(file);
    await code.toastButton(/First push to/, "Not Now");
    // The plan next to the graph is closed with its question.
    await code.page.locator(".tab").filter({ hasText: "Plan: " }).waitFor({ state: "detached" });
    graph = await code.webview("Arrange");
    await code.focusEditor(file);
    await undoHere(file, "dirty");
    await code.save(file);
    await code.statusItem("sync").filter({ hasText: "Synced v1" }).waitFor();
    // Each flow that the graph follows opens with the element at its cursor.
    await code.goTo(lineOf("  ask_topic:", await code.read(file)));
    await graph.locator('[data-node="ask_topic"].selected').waitFor();
    await openFlow("billing.flow.yaml");
    await node("tell_plan").waitFor();
    await code.goTo(lineOf("  look_up:"));
    await openFlow(file);
    await graph.locator('[data-node="ask_topic"].selected').waitFor();
    await openFlow("billing.flow.yaml");
    await graph.locator('[data-node="look_up"].selected').waitFor();
  }));

test("the graph keeps its view behind another editor and after a window reload", () =>
  look("restored", async () => {
    await goToIn(lineOf("  ask_account:"), 4); // The editor that was followed before isn't followed any more.
    await graph.locator('[data-node="ask_account"].selected').waitFor();
    await fitted();
    await graph.getByRole("button", { name: "Zoom in" }).click();
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Uses of {{plan}}" });
    await shows(["look_up", "tell_plan"]);
    const before = await places();
    await focusGraphGroup();
    await code.openFile("notes.txt");
    const page = code.page.locator("iframe.webview.ready").first();
    await page.waitFor({ state: "hidden" });
    // The graph keeps following, without moving in front of the editor that covers it.
    for (const name of ["support-line", "billing"]) {
      await openFlow(`${name}.flow.yaml`);
      await code.page
        .locator(".tab")
        .filter({ hasText: `Graph: ${name}.flow.yaml` })
        .waitFor();
      assert.ok(await page.isHidden());
    }
    await code.page.keyboard.press("Control+2");
    await code.page.locator(".editor-group-container.active .tab.active").filter({ hasText: "notes.txt" }).waitFor();
    await code.palette("View: Revert and Close Editor");
    graph = await code.webview("Arrange");
    await shows(["look_up", "tell_plan"]);
    assert.deepEqual(await places(), before);
    await focusEditor();
    await code.reloadWindow();
    graph = await code.webview("Arrange");
    await shows(["look_up", "tell_plan"]);
    assert.deepEqual(await places(), before);
    await graph.getByLabel("Show", { exact: true }).selectOption({ label: "Everything" });
  }));

test("in the same editor group as its text, the graph stays visible or hidden", () =>
  look("one-group", async () => {
    await focusGraphGroup();
    await code.palette("View: Move Editor into Previous Group");
    graph = await code.webview("Arrange");
    await node("greet").click();
    await graph.locator('[data-node="greet"].selected').waitFor();
    await node("look_up").click();
    await graph.locator('[data-node="look_up"].selected').waitFor();
    await code.tab("billing.flow.yaml").click();
    await code.goTo(lineOf("  look_up:"), 4);
    assert.ok(await code.page.locator("iframe.webview.ready").first().isHidden());
    await code.palette("Assistant Flow: Open Flow Graph");
    graph = await code.webview("Arrange");
    await graph.locator(":focus").waitFor();
    await code.palette("View: Move Editor into Next Group");
    graph = await code.webview("Arrange");
    await node("greet").waitFor();
  }));

test("2,000 nodes: only visible ones are in the page, also while panning; zoomed out, nodes are selected on a canvas", () =>
  look("large", async () => {
    await openFlow("large.flow.yaml");
    // The element at the cursor is selected, even if the cursor moves there while the graph is arranged.
    await code.goTo(lineOf("  node_700:", large));
    await graph.locator('[data-node="node_700"].selected').waitFor({ timeout: 90_000 });
    await code.goTo(lineOf("  node_0:", large));
    await node("node_0").waitFor();
    await graph.locator("canvas.minimap").waitFor();
    const near = await graph.locator(".node").count();
    assert.ok(near > 0 && near < 200, `${near} nodes in the page`);
    const frames = await pan();
    assert.ok(frames.most > 0 && frames.most < 200, `${frames.most} nodes in the page while panning`);
    await graph.getByRole("button", { name: "Fit" }).click();
    await graph.locator("canvas.far").waitFor();
    assert.equal(await graph.locator(".node").count(), 0);
    const far = await pan();
    assert.equal(far.most, 0);
    console.log(`frames while panning 2,000 nodes: near ${median(frames.times)} ms, far ${median(far.times)} ms`);
    // The selection has a frame, and a click hits the drawn node once nodes are larger than a point.
    const scale = async () => Number(/scale\(([\d.e-]+)\)/.exec((await places()).get("scene") ?? "")?.[1]);
    const find = graph.getByLabel("Find node");
    await find.fill("node_1500");
    await find.press("Enter");
    const line = lineOf("  node_1500:", large);
    await cursorAt(line, "large.flow.yaml");
    // A search result is shown at a readable zoom.
    await graph.locator('[data-node="node_1500"].selected').waitFor();
    assert.equal(await scale(), 1);
    while ((await scale()) > 0.15) {
      await graph.getByRole("button", { name: "Zoom out" }).click();
      await drawn();
    }
    await graph.locator("canvas.far").waitFor();
    await find.fill("");
    const surface = graph.locator(".surface");
    await surface.evaluate(script(toTheMiddle), await frame());
    const there = await frame();
    const below = { x: there.x, y: there.y + 60 };
    await surface.click({ position: below });
    const other = await frame();
    assert.ok(Math.hypot(other.x - below.x, other.y - below.y) < 20, "the frame is around what was clicked");
    await surface.click({ position: there });
    assert.deepEqual(await frame(), there);
    await cursorAt(line, "large.flow.yaml");
    await code.screenshot("graph-large");
    for (const theme of ["light", "dark"] as const) {
      await useTheme(code, theme);
      await graph.locator(`body.vscode-${theme}`).waitFor();
      assert.deepEqual(await frame(), there, "the canvas has the colors of the theme");
    }
    await surface.dblclick({ position: there });
    await code.page.locator('.monaco-editor.focused[data-uri$="large.flow.yaml"]').waitFor();
  }));

test("scripts in a flow are shown as text", () =>
  look("hostile-flow", async () => {
    // Only now, because its warnings would be in every screenshot.
    await code.write("hostile.flow.yaml", hostileFlow(trap.texts));
    await openFlow("hostile.flow.yaml");
    await node("n0").waitFor();
    await watchPolicy(graph);
    await graph.getByRole("button", { name: "Fit" }).click();
    for (let step = 0; step < 12; step++) await graph.getByRole("button", { name: "Zoom in" }).click();
    await post(
      graph,
      trap.texts.map((text, index) =>
        poisoned({ ...graphMessage, view: { ...graphMessage.view, version: 9000 + index } }, text),
      ),
    );
    await trap.pageUntouched(code.page, graph);
  }));

// Shared helpers

/** The accessible name of an element. */
/** Edges whose label hides more of their line than its text needs. Widths are in graph units. */
const tooWideLabels = `() => [...document.querySelectorAll(".edge")].filter((edge) => {
  const widths = [...edge.querySelectorAll("text.label")].map((line) => line.getBBox().width);
  const back = edge.querySelector(".label-back")?.getBBox().width ?? 0;
  return widths.length > 0 && (back > Math.max(...widths) + 12 || back < Math.max(...widths));
}).map((edge) => edge.getAttribute("aria-label"))`;
const accessibleName = `(element) => element.getAttribute("aria-label") ?? element.textContent`;

/** The nodes in the page. */
async function ids(): Promise<string[]> {
  return [...(await places()).keys()].filter((id) => id !== "scene");
}

/**
 * Turns the wheel sixty times, once per frame. Returns the duration of each frame, and the highest number of nodes in
 * the page.
 */
function pan(): Promise<{ times: number[]; most: number }> {
  return whileDrawn(code.page, () => graph.locator(".surface").evaluate(script(panning)));
}
const panning = `async (surface) => {
  const times = [];
  let most = 0;
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step < 60; step++) {
    surface.dispatchEvent(new WheelEvent("wheel", { deltaX: step < 30 ? 8 : -8, deltaY: step < 30 ? 60 : -60, cancelable: true }));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
    most = Math.max(most, surface.querySelectorAll(".node").length);
  }
  return { times, most };
}`;

/** Pans until the given place is in the middle. */
const toTheMiddle = `(surface, { x, y }) => {
  const [deltaX, deltaY] = [x - surface.clientWidth / 2, y - surface.clientHeight / 2];
  surface.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY, cancelable: true }));
}`;

/** The middle of the area that the overview draws in the selection color. */
async function frame(): Promise<{ x: number; y: number }> {
  const found = await graph.locator("canvas.far").evaluate(script(centreOfFrame));
  assert.ok(found, "something is framed");
  return found as { x: number; y: number };
}
const centreOfFrame = `async (canvas) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const paint = document.createElement("canvas").getContext("2d");
  paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--flow-selected").trim();
  paint.fillRect(0, 0, 1, 1);
  const wanted = paint.getImageData(0, 0, 1, 1).data;
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let left = width, right = -1, top = height, bottom = -1;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ([0, 1, 2, 3].every((part) => data[4 * (y * width + x) + part] === wanted[part])) {
        left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
      }
  const ratio = canvas.width / canvas.clientWidth;
  return right < 0 ? undefined : { x: (left + right + 1) / 2 / ratio, y: (top + bottom + 1) / 2 / ratio };
}`;

/** The position of every node, and the pan and zoom under the name `scene`. */
async function places(): Promise<Map<string, string>> {
  const found = (await graph
    .locator("svg.graph")
    .evaluate(
      script(
        `(svg) => [["scene", svg.querySelector(".nodes").parentElement.getAttribute("transform")], ...[...svg.querySelectorAll("[data-node]")].map((e) => [e.dataset.node, e.getAttribute("transform")])]`,
      ),
    )) as [string, string][];
  return new Map(found.sort(([a], [b]) => a.localeCompare(b)));
}

async function fitted(): Promise<Map<string, string>> {
  await graph.getByRole("button", { name: "Fit" }).click();
  await drawn();
  return places();
}

/** Waits two frames, because the graph is drawn in the next one. */
async function drawn(): Promise<void> {
  const frames = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
  await graph.locator("body").evaluate(script(frames));
}

/** Equal except for rounding. */
function near(at: { x: number; y: number }, wanted: { x: number; y: number }): void {
  assert.ok(isNear(at, wanted), `${JSON.stringify(at)} should be ${JSON.stringify(wanted)}`);
}

function isNear(at: { x: number; y: number }, wanted: { x: number; y: number }): boolean {
  return Math.hypot(at.x - wanted.x, at.y - wanted.y) < 4;
}

function moved(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...before].filter(([id, place]) => now.has(id) && now.get(id) !== place).map(([id]) => id);
}

/** Exactly these nodes aren't faded. */
async function shows(wanted: readonly string[]): Promise<void> {
  const all = graph.locator(".node:not(.faded)");
  const end = Date.now() + PATIENCE_MS;
  let found: unknown;
  do found = await all.evaluateAll(script("(nodes) => nodes.map((node) => node.dataset.node).sort()"));
  while (JSON.stringify(found) !== JSON.stringify(wanted) && Date.now() < end);
  assert.deepEqual(found, wanted);
}

async function choose(id: string, item: string): Promise<void> {
  const choice = graph.getByRole("menuitem", { name: item });
  await actUntil(choice, (patience) => node(id).click({ button: "right", ...patience }));
  await choice.click();
}

async function typeOfNew(id: string): Promise<void> {
  await code.pick("message");
  await code.picks.first().waitFor({ state: "hidden" });
  await code.answer(id);
}

async function connect(from: string, to: string): Promise<void> {
  await choose(from, "Connect to");
  await node(to).click();
  await code.answer("the caller has another question");
}

/** One Ctrl+Z in the editor restores the text on disk. */
async function undo(name = "billing.flow.yaml"): Promise<void> {
  await focusEditor();
  await undoHere(name);
}

/** The same, where an edit keeps the focus, and where undo moves it. */
async function undoInGraph(): Promise<void> {
  await graph.locator(":focus").waitFor();
  await undoHere("billing.flow.yaml");
  await graph.locator(":focus").waitFor();
}

async function undoHere(name: string, becomes: "clean" | "dirty" = "clean"): Promise<void> {
  await code.page.keyboard.press("Control+z");
  const state = becomes === "clean" ? "detached" : "attached";
  await code.page.locator(`.tab.dirty[data-resource-name="${name}"]`).waitFor({ state });
}

async function cursorAt(line: number, file = "billing.flow.yaml"): Promise<void> {
  const number = code.editor(file).locator(".line-numbers.active-line-number");
  await number.filter({ hasText: new RegExp(`^${line}$`) }).waitFor();
}

function lineOf(text: string, file = flow): number {
  const index = file.split("\n").findIndex((line) => line.includes(text));
  assert.ok(index >= 0, text);
  return index + 1;
}

/**
 * The first group of editors. A click in the graph reaches the workbench a little later, and until then the editor that
 * had the focus still seems to have it.
 */
async function focusEditor(): Promise<void> {
  const focused = code.page.locator('.editor-group-container.active .monaco-editor.focused[data-uri$=".flow.yaml"]');
  const page = graph.locator("body");
  if ((await page.isVisible()) && (await page.evaluate(script("() => document.hasFocus()"))))
    await focused.waitFor({ state: "hidden" });
  await code.page.keyboard.press("Control+1");
  await focused.waitFor();
}

/** The second group of editors, with the graph. */
async function focusGraphGroup(): Promise<void> {
  await code.page.keyboard.press("Control+2");
  await code.page.locator(".editor-group-container.active .tab.active").filter({ hasText: "Graph: " }).waitFor();
}

async function goToIn(line: number, column: number): Promise<void> {
  await focusEditor();
  await code.goTo(line, column);
}

/** In the first group of editors, next to the graph. */
async function openFlow(name: string): Promise<void> {
  await focusEditor();
  await code.openFile(name);
}

function look<T>(name: string, body: () => Promise<T>): Promise<T> {
  return code.screenshotOnFailure(`pages-${name}`, body);
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
}
