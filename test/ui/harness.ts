/**
 * A running VS Code with the packed extension, for tests that use it as a person would. One call opens it:
 *
 *     const code = await openCode({ files: { "a.flow.yaml": "entry: …" }, open: "a.flow.yaml", sandbox: true });
 *     await code.palette("Assistant Flow: Show Log");
 *     await code.close();
 *
 * The VSIX is packed and installed once a run (`extensionsFolder`); each `openCode` has a server, a workspace, settings
 * and a browser page of its own, about three seconds in all, so tests of one file do well to share one.
 */
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type FrameLocator,
  type Locator,
  type Page,
} from "playwright-core";
import { packageExtension } from "../../scripts/package";
import { inProject, temporaryFolder } from "../../scripts/project";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { browserSwitches } from "../../scripts/vscode/browser";
import { ensureBrowser, ensureCodeHost } from "../../scripts/vscode/install";
import { type CodeServer, installExtension, startCodeServer } from "../../scripts/vscode/server";

const themes = {
  dark: "Dark Modern",
  light: "Light Modern",
  "high-contrast": "Default High Contrast",
  "high-contrast-light": "Default High Contrast Light",
} as const;
export type Theme = keyof typeof themes;

export interface CodeOptions {
  /** The workspace, by path inside it. A new folder, removed at the end. */
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of `files`: a folder that is there, and stays. */
  readonly folder?: string;
  /** The file to open at the start. */
  readonly open?: string;
  /** The user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: Theme;
  /** True starts a sandbox with demo data and connects to it; or one that the test started itself. */
  readonly sandbox?: boolean | Sandbox;
  readonly env?: Readonly<Record<string, string>>;
  /** In restricted mode, as a folder that nobody has trusted yet. */
  readonly untrusted?: boolean;
  /** As somebody who develops extensions has it: ours is not installed, and one may be started from its folder. */
  readonly development?: boolean;
  /** The .code-workspace file of the workspace to open instead of its folder. */
  readonly workspace?: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** In a language of its own, into which every text of ours is translated so. */
  readonly translate?: (text: string) => string;
}

/** What moves by itself, or is drawn for nobody, costs time that two processors do not have. */
const calm = { "editor.cursorBlinking": "solid", "editor.minimap.enabled": false };

/** How long anything is waited for; slow machines may need more, whoever writes a test wants less. */
const PATIENCE_MS = Number(process.env.ASSISTANT_FLOW_TEST_PATIENCE_MS ?? 30_000);

export const outFolder = inProject("test/out");

export async function openCode(options: CodeOptions = {}): Promise<Code> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const host = await ensureCodeHost();
    const workspace = await temporaryFolder();
    closing.unshift(workspace.remove);
    const folder = options.folder ?? path.join(workspace.path, "flows");
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(options.files ?? {})) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const own = options.sandbox === true ? await startSandbox() : undefined;
    if (own) closing.unshift(own.stop);
    const sandbox = own ?? (typeof options.sandbox === "object" ? options.sandbox : undefined);
    const installed = async () => {
      const extensions = await extensionsFolder();
      const { translate } = options;
      return translate ? translated(extensions, path.join(workspace.path, "extensions"), translate) : extensions;
    };
    const server = await startCodeServer(host, {
      // In a browser the workbench starts an extension from its folder only with this switch; it shows no toasts then.
      ...(options.development ? { args: ["--enable-smoke-test-driver"] } : { extensionsDir: await installed() }),
      settings: { ...calm, "workbench.colorTheme": themes[options.theme ?? "dark"], ...options.settings },
      env: { ...sandbox?.env, ...options.env },
      trust: options.untrusted ? "refused" : "given",
    });
    closing.unshift(server.stop);
    const browser = await launchBrowser(await ensureBrowser());
    closing.unshift(() => browser.close());
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
      locale: "en-US",
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    if (options.translate) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = "${PRETENDED_LANGUAGE}"`);
    const code = new Code(page, context, server, folder, sandbox, async () => {
      for (const close of closing) await close();
    });
    await page.goto(
      server.address(path.join(folder, options.workspace ?? ""), options.open && path.join(folder, options.open)),
    );
    await code.ready();
    if (options.open) await code.editor(options.open).waitFor();
    return code;
  } catch (error) {
    for (const close of closing) await close();
    throw error;
  }
}

function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: browserSwitches });
}

/** The folder with our packed extension installed. `npm run test:ui` makes it once and hands it to every test file. */
export async function extensionsFolder(): Promise<string> {
  const made = process.env.ASSISTANT_FLOW_TEST_EXTENSIONS;
  if (made && existsSync(made)) return made;
  const folder = path.join(outFolder, `extensions-${process.pid}`);
  await packAndInstall(folder);
  process.env.ASSISTANT_FLOW_TEST_EXTENSIONS = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const PRETENDED_LANGUAGE = "qps-ploc";

/** A copy of the installed extension with a translation, as a translator would add it: two files. */
async function translated(from: string, to: string, translate: (text: string) => string): Promise<string> {
  await cp(from, to, { recursive: true });
  // The list of what is installed has the whole path of each.
  const list = path.join(to, "extensions.json");
  await writeFile(list, (await readFile(list, "utf8")).replaceAll(from, to));
  const extension = (await readdir(to)).find((name) => name.startsWith("assistant-flow."));
  for (const file of ["package.nls.json", "l10n/bundle.l10n.json"]) {
    const source = path.join(to, extension ?? "", file);
    const words = Object.entries(JSON.parse(await readFile(source, "utf8")) as Record<string, string>);
    const translation = Object.fromEntries(words.map(([name, text]) => [name, translate(text)]));
    await writeFile(source.replace(/json$/, `${PRETENDED_LANGUAGE}.json`), JSON.stringify(translation));
  }
  return to;
}

export async function packAndInstall(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const vsix = path.join(outFolder, "assistant-flow.vsix");
  await packageExtension(vsix);
  await installExtension(await ensureCodeHost(), vsix, folder);
}

/** Whether something comes into sight within a second. */
async function isThere(locator: Locator): Promise<boolean> {
  return locator.waitFor({ timeout: 1000 }).then(
    () => true,
    () => false,
  );
}

/** VS Code as a person sees it. Everything waits until it is there, and fails after 30 s. */
export class Code {
  constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly server: CodeServer,
    /** The workspace folder on disk. */
    readonly folder: string,
    readonly sandbox: Sandbox | undefined,
    readonly close: () => Promise<void>,
  ) {}

  /** The workbench stands. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.editor").waitFor();
    await this.page.locator(".part.statusbar").waitFor();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** As a person reloads the window: VS Code first writes down what is open. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await this.palette("Developer: Reload Window");
    await loaded;
    await this.ready();
  }

  // Files

  async read(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), "utf8");
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
  }

  /** Changes one of the user's settings while VS Code runs. */
  async setting(name: string, value: unknown): Promise<void> {
    const file = path.join(this.server.userDataDir, "User/settings.json");
    const settings = JSON.parse(await readFile(file, "utf8")) as object;
    await this.palette("Preferences: Open User Settings (JSON)");
    // In front of the editors, where the status bar tells of the cursor in the editor behind.
    await this.paste("settings.json", JSON.stringify({ ...settings, [name]: value }, null, 2));
    await this.save("settings.json");
    await this.palette("View: Close All Editors");
  }

  // Commands and questions

  /** Runs a command by its title in the palette. */
  async palette(title: string): Promise<void> {
    const any = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`);
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${title}"]`);
    // The palette lists what is registered when it opens: right after the start that may not be everything yet.
    for (let round = 0; ; round++) {
      await this.page.keyboard.press("F1");
      try {
        // Something that just closed may take the focus back, and with it the palette.
        await this.input.fill(`>${title}`, { timeout: 3000 });
        await any.first().waitFor({ timeout: 6000 });
        // A title that holds the same words may stand above it.
        for (let down = 0; down < 3 && !(await isThere(row)); down++) await this.page.keyboard.press("ArrowDown");
        await row.waitFor({ timeout: 1000 });
        break;
      } catch (error) {
        if (round === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
    await this.page.keyboard.press("Enter");
    await row.waitFor({ state: "hidden" });
  }

  /** The text box of the palette, of a quick pick or of an input box. */
  get input(): Locator {
    return this.page.locator(".quick-input-widget:visible .quick-input-box input");
  }

  get picks(): Locator {
    return this.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
  }

  /** Chooses the row of a quick pick that has this text. */
  async pick(text: string | RegExp): Promise<void> {
    await this.picks.filter({ hasText: text, visible: true }).first().click();
  }

  /** Runs a command and chooses from what it offers, by the keys; a question that was closed by something else is put again. */
  async paletteAndPick(title: string, choice: string): Promise<void> {
    const row = this.page.locator(".quick-input-widget:visible .monaco-list-row.focused").filter({ hasText: choice });
    for (let round = 0; ; round++) {
      await this.palette(title);
      try {
        await this.input.fill(choice, { timeout: 8000 });
        await row.waitFor({ timeout: 8000 });
        await this.page.keyboard.press("Enter");
        return await row.waitFor({ state: "hidden", timeout: 8000 });
      } catch (error) {
        if (round === 2) throw error;
      }
    }
  }

  /** Waits until a question with this in its title is put. */
  async asked(title: string): Promise<void> {
    await this.page.locator(".quick-input-title:visible").filter({ hasText: title }).waitFor();
  }

  /** Types into the open input box and accepts it; of several questions in a row each is named, for they share one box. */
  async answer(text: string, title?: string): Promise<void> {
    if (title) await this.asked(title);
    await this.input.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Leaves the open question without an answer. */
  async giveUp(): Promise<void> {
    await this.input.press("Escape");
    await this.input.waitFor({ state: "hidden" });
  }

  /** What an input box says about its value. */
  get validation(): Locator {
    return this.page.locator(".quick-input-widget:visible .quick-input-message");
  }

  // Editors

  editor(name: string): Locator {
    return this.page.locator(`.monaco-editor[data-uri$="/${name}"]`).first();
  }

  tab(name: string): Locator {
    return this.page.locator(`.tab[data-resource-name="${path.basename(name)}"]`);
  }

  /** Opens a file of the workspace by name, by the keys: rows move while what is found comes in, and a click would hit another. */
  async openFile(name: string): Promise<Locator> {
    const label = this.page.locator(".label-name").getByText(path.basename(name), { exact: true });
    const row = this.page.locator(".quick-input-widget:visible .monaco-list-row.focused").filter({ has: label });
    for (let round = 0; ; round++) {
      await this.page.keyboard.press("Control+p");
      try {
        await this.input.fill(name, { timeout: 8000 });
        for (let down = 0; down < 5 && !(await isThere(row)); down++) await this.page.keyboard.press("ArrowDown");
        await row.waitFor({ timeout: 8000 });
        await this.page.keyboard.press("Enter");
        await this.editor(name).waitFor({ timeout: 8000 });
        return this.editor(name);
      } catch (error) {
        if (round === 3) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Puts the cursor at a line and column, both counted from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.page.keyboard.press("Control+g");
    await this.answer(`:${line}:${column}`);
    await this.input.waitFor({ state: "hidden" });
  }

  /** Types at the cursor; auto-closing and suggestions act as they do for a person. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Puts the keyboard into an editor. No click: wherever it went, a code lens may stand there, and would be run. */
  async focusEditor(name: string): Promise<void> {
    await this.editor(name).locator(".native-edit-context, textarea.inputarea").first().focus();
    await this.page.locator(`.monaco-editor.focused[data-uri$="/${name}"]`).first().waitFor();
  }

  /** Replaces the whole text of the editor with one paste, which a browser takes its time for: then the cursor is at its end. */
  async replaceAll(name: string, text: string): Promise<void> {
    await this.paste(name, text);
    const lines = text.split("\n");
    await this.cursorAt(lines.length, (lines.at(-1) ?? "").length + 1);
  }

  private async paste(name: string, text: string): Promise<void> {
    await this.focusEditor(name);
    await this.page.keyboard.press("Control+a");
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.page.keyboard.press("Control+v");
  }

  /** Waits until the cursor is at a line and column, both counted from 1, and nothing is selected. */
  async cursorAt(line: number, column: number): Promise<void> {
    const cursor = this.page.locator('[id="status.editor.selection"]');
    await cursor.getByText(`Ln ${line}, Col ${column}`, { exact: true }).waitFor();
  }

  async save(name?: string): Promise<void> {
    await this.page.keyboard.press("Control+s");
    if (name)
      await this.page.locator(`.tab.dirty[data-resource-name="${path.basename(name)}"]`).waitFor({ state: "detached" });
  }

  /** The wavy lines of an editor. */
  squiggles(severity: "error" | "warning" | "info" | "hint" = "error"): Locator {
    return this.page.locator(`.monaco-editor .squiggly-${severity}`);
  }

  /** Shows the list of problems and gives its rows. */
  async problems(): Promise<Locator> {
    const rows = this.page.locator(".markers-panel .monaco-list-row");
    if (!(await this.page.locator(".markers-panel").isVisible()))
      await this.palette("Problems: Focus on Problems View");
    await this.page.locator(".markers-panel").waitFor();
    return rows;
  }

  /** Puts the cursor at a place and gives the hover shown there. */
  async hover(line: number, column: number): Promise<Locator> {
    await this.goTo(line, column);
    await this.palette("Show or Focus Hover");
    const hover = this.page.locator(".monaco-hover:visible");
    await hover.first().waitFor();
    return hover;
  }

  /** The fixes offered at the cursor. */
  async fixes(): Promise<Locator> {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    for (let round = 0; ; round++) {
      await this.page.keyboard.press("Control+.");
      try {
        await rows.first().waitFor({ timeout: 6000 });
        return rows;
      } catch (error) {
        // A list without an action, or none: the findings were not there yet when it was asked for.
        if (round === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** Takes a fix by the keys: the list looks at what lies under the mouse as it comes up, and a click may only do that. */
  async quickFix(title: string | RegExp): Promise<void> {
    const rows = await this.fixes();
    const wanted = rows.and(this.page.locator(".focused")).filter({ hasText: title });
    for (let left = await rows.count(); left > 0 && (await wanted.count()) === 0; left--)
      await this.page.keyboard.press("ArrowDown");
    await wanted.waitFor();
    await this.page.keyboard.press("Enter");
    await rows.first().waitFor({ state: "hidden" });
  }

  get suggestions(): Locator {
    return this.page.locator(".suggest-widget.visible .monaco-list-row");
  }

  // Sidebar

  /** Opens a container of the activity bar by its title. */
  async view(title: string): Promise<void> {
    const tab = this.page.locator(`.activitybar [role=tab]:has(a.action-label[aria-label^="${title}"])`);
    const open = this.page.locator(".part.sidebar .composite.title").filter({ hasText: title });
    // A click on the tab of what is open closes it, and after a reload it may just be opening.
    for (let round = 0; ; round++) {
      try {
        await open.waitFor({ timeout: round === 0 ? 300 : 3000 });
        break;
      } catch (error) {
        if (round === 5) throw error;
        if ((await tab.getAttribute("aria-expanded")) !== "true") await tab.click();
      }
    }
    await this.page.locator(".part.sidebar .pane").first().waitFor();
  }

  /** A row of a tree, by text. */
  row(text: string | RegExp): Locator {
    return this.page.locator(".customview-tree .monaco-list-row").filter({ hasText: text }).first();
  }

  /** Opens a row to what is below it, by the keys; while a view is filled its rows are drawn anew, and a key may be lost. */
  async expand(text: string | RegExp): Promise<void> {
    const open = this.page.locator('.customview-tree .monaco-list-row[aria-expanded="true"]').filter({ hasText: text });
    for (let round = 0; ; round++) {
      await this.clickRow(text);
      if (!(await open.first().isVisible())) await this.page.keyboard.press("ArrowRight");
      try {
        return await open.first().waitFor({ timeout: 4000 });
      } catch (error) {
        if (round === 4) throw error;
      }
    }
  }

  /** Clicks a row; the tooltip of whatever the mouse was on last may cover it until the mouse is elsewhere. */
  async clickRow(text: string | RegExp): Promise<void> {
    await this.page.mouse.move(900, 600);
    await this.row(text).click();
  }

  /** Clicks a row until its page is there: while a view is filled its rows move, and a click may hit nothing. */
  async openPage(row: Locator, tab: string | RegExp): Promise<void> {
    const opened = this.page.locator(".tab").filter({ hasText: tab }).first();
    for (let round = 0; ; round++) {
      await this.page.mouse.move(900, 600);
      try {
        await row.click({ timeout: 8000 });
        return await opened.waitFor({ timeout: 4000 });
      } catch (error) {
        if (round === 4) throw error;
        // The click hit the group above the row and folded it.
        const folded = this.page.locator('.customview-tree .monaco-list-row.selected[aria-expanded="false"]').first();
        if (!(await row.isVisible()) && (await folded.isVisible())) await folded.click();
      }
    }
  }

  /** The button of a row; `rows` for those of one kind. */
  rowAction(text: string | RegExp, action: string, rows = ""): Promise<void> {
    const button = `a.action-label[aria-label^="${action}"]`;
    return this.press(`.customview-tree .monaco-list-row${rows}`, text, button);
  }

  async rowMenu(text: string | RegExp, item: string): Promise<void> {
    await this.row(text).click({ button: "right" });
    await this.choose(item);
  }

  /** Takes an item of the open menu. */
  async choose(item: string): Promise<void> {
    const choice = this.page.locator(".monaco-menu .action-item").filter({ hasText: item }).first();
    await choice.click();
    // A menu that has just opened takes no click yet, lest the one that opened it chooses something.
    for (let round = 0; round < 15 && (await choice.isVisible()); round++) {
      await this.page.waitForTimeout(100);
      if (await choice.isVisible()) await choice.click({ timeout: 1000 }).catch(() => undefined);
    }
  }

  /** What is shown while the mouse rests on a row. A row that is drawn anew meanwhile takes its tooltip with it. */
  async tooltip(row: Locator): Promise<Locator> {
    const tooltip = this.page.locator(".workbench-hover-container:visible").last();
    for (let round = 0; ; round++) {
      await this.page.mouse.move(900, 600);
      try {
        // The tooltip of what the mouse was on last may lie over the row.
        await row.hover({ position: { x: 60, y: 8 }, timeout: 5000 });
        await row.hover({ position: { x: 70, y: 9 }, timeout: 5000 });
        await tooltip.waitFor({ timeout: 1500 });
        return tooltip;
      } catch (error) {
        if (round === 4) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  viewAction(view: string, action: string): Promise<void> {
    return this.press(`.pane-header[aria-label^="${view}"]`, "", `a.action-label[aria-label^="${action}"]`);
  }

  /**
   * Clicks the first button that fits, inside the first place that is shown and has the text. It is found and clicked in
   * one step: what VS Code draws anew in between would take the click with it.
   */
  async press(places: string, text: string | RegExp, button: string, label = ""): Promise<void> {
    const words = typeof text === "string" ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i") : text;
    await this.page.waitForFunction(`(() => {
      const words = (element) => element.textContent.replace(/\\s+/g, " ");
      const place = [...document.querySelectorAll(${JSON.stringify(places)})]
        .find((each) => each.getClientRects().length > 0 && ${words}.test(words(each)));
      const button = place && [...place.querySelectorAll(${JSON.stringify(button)})]
        .find((each) => words(each).includes(${JSON.stringify(label)}));
      return button?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })) !== undefined;
    })()`);
  }

  lens(title: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration a").filter({ hasText: title, visible: true }).first();
  }

  /** Clicks a lens and waits for what comes of it. */
  pressLens(title: string | RegExp, effect: Locator): Promise<void> {
    return this.#untilFound(() => this.lens(title).click(), effect);
  }

  /** Takes an action at the cursor that runs a command, and waits for what comes of it. */
  runAction(title: string | RegExp, effect: Locator): Promise<void> {
    return this.#untilFound(() => this.quickFix(title), effect);
  }

  /**
   * VS Code forgets the command of a lens or an action as soon as it has asked for newer ones, also while the old one is
   * still shown or being taken; it says so and does nothing, and a person tries again.
   */
  async #untilFound(take: () => Promise<void>, effect: Locator): Promise<void> {
    const lost = this.toast("Actual command not found");
    for (let round = 0; ; round++) {
      await take();
      await effect.or(lost).first().waitFor();
      if (!(await lost.isVisible()) || round === 3) return effect.waitFor();
      await this.palette("Notifications: Clear All Notifications");
    }
  }

  // What VS Code says

  statusItem(id: string): Locator {
    return this.page.locator(`[id="assistant-flow.assistant-flow.${id}"]`);
  }

  toast(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text }).first();
  }

  /**
   * Looks behind the bell for what was said: a toast goes after ten seconds, and of several within 0.8 s three are shown. While
   * this is open there are no toasts; clearing all notifications closes it.
   */
  async said(text: string | RegExp): Promise<void> {
    await this.palette("Notifications: Show Notifications");
    const all = this.page.locator(".notifications-center .notification-list-item");
    await all.filter({ hasText: text }).first().waitFor();
  }

  toastButton(text: string | RegExp, button: string): Promise<void> {
    return this.press(".notifications-toasts .notification-list-item", text, ".monaco-button", button);
  }

  /** Answers a modal dialog. */
  async dialog(button: string | RegExp): Promise<void> {
    await this.page.locator(".monaco-dialog-box .monaco-button").filter({ hasText: button }).first().click();
    await this.page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
  }

  get dialogText(): Locator {
    return this.page.locator(".monaco-dialog-box .dialog-message-container");
  }

  /** The page inside the webview that shows this text. */
  async webview(text: string | RegExp): Promise<FrameLocator> {
    const frames = this.page.locator("iframe.webview.ready");
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      for (let index = 0; index < (await frames.count()); index += 1) {
        const frame = this.page.frameLocator("iframe.webview.ready").nth(index).frameLocator("iframe#active-frame");
        const body = await frame
          .locator("body")
          .innerText({ timeout: 1000 })
          .catch(() => "");
        if (typeof text === "string" ? body.includes(text) : text.test(body)) return frame;
      }
      await this.page.waitForTimeout(100);
    }
    return assert.fail(`No webview shows ${text}.`);
  }

  /** A picture for people to look at, in test/out/. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(outFolder, `${name}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  /** The picture of what was on the screen when a test failed. */
  async screenshotOnFailure<T>(name: string, body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      await this.screenshot(`failed-${name}`).catch(() => undefined);
      throw error;
    }
  }
}
