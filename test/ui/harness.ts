/**
 * A running VS Code with the packaged extension, for tests that use it like a user. To open it:
 *
 *     const code = await openCode({ files: { "a.flow.yaml": "entry: …" }, open: "a.flow.yaml", sandbox: true });
 *     await code.palette("Assistant Flow: Show Log");
 *     await code.close();
 *
 * The VSIX is packaged and installed once per run (`extensionsFolder`). Each `openCode` has its own server, workspace,
 * settings and browser page, and takes about three seconds, so the tests of one file should share one.
 */
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type FrameLocator,
  type Locator,
  type Page,
} from "playwright-core";
import { isFlowFile } from "../../flow/file-kind";
import { build } from "../../scripts/build";
import { inProject, manifest, temporaryFolder } from "../../scripts/project";
import { writeRelease } from "../../scripts/release";
import { type Sandbox, startSandbox } from "../../scripts/sandbox";
import { browserSwitches } from "../../scripts/vscode/browser";
import { ensureBrowser, ensureCodeHost } from "../../scripts/vscode/install";
import { type CodeServer, installExtension, startCodeServer } from "../../scripts/vscode/server";
import { builtIn } from "../support/built-in";
import { calmArguments, calmSettings, drawNothing, whileDrawn } from "../support/calm";

const themes = {
  dark: "Dark Modern",
  light: "Light Modern",
  "high-contrast": "Default High Contrast",
  "high-contrast-light": "Default High Contrast Light",
} as const;
export type Theme = keyof typeof themes;

export interface CodeOptions {
  /** The files of the workspace, by path. They are in a new folder, which is removed at the end. */
  readonly files?: Readonly<Record<string, string>>;
  /** Replaces `files`: an existing folder, which is kept. */
  readonly folder?: string;
  /** The file to open at the start. */
  readonly open?: string;
  /** The user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: Theme;
  /** True starts a sandbox with demo data and connects to it; a test can also pass its own sandbox. */
  readonly sandbox?: boolean | Sandbox;
  readonly env?: Readonly<Record<string, string>>;
  /** In restricted mode: the folder isn't trusted. */
  readonly untrusted?: boolean;
  /** For extension development: our extension isn't installed, and one can be started from its folder. */
  readonly development?: boolean;
  /** The .code-workspace file to open instead of the folder. */
  readonly workspace?: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** Runs in a language of its own, which translates each of our strings with this function. */
  readonly translate?: (text: string) => string;
}

/** The time limit of a wait. On a busy machine, the start of VS Code alone may take most of it. */
export const PATIENCE_MS = Number(process.env.ASSISTANT_FLOW_TEST_PATIENCE_MS ?? 90_000);

/** How long to wait before checking whether an action had an effect. */
const FIRST_LOOK_MS = 5000;

/** Long enough to see an element that is already there. */
const GLANCE_MS = 1000;

/** By then VS Code has given up on an extension host that hasn't started. */
export const EXTENSION_HOST_MS = 75_000;

/** After this time a toast is hidden, and its notification is in the notification center. */
const TOAST_MS = 20_000;

/** How long a new menu ignores clicks. */
const MENU_OPENS_MS = 200;

/** The expected effect of an action: a visible element, or anything else that can be awaited. */
export interface Outcome {
  waitFor(options: { readonly timeout: number }): Promise<void>;
}

/** The element is no longer visible. */
export function gone(locator: Locator): Outcome {
  return { waitFor: ({ timeout }) => locator.waitFor({ state: "hidden", timeout }) };
}

/** A condition outside the DOM is true. */
export function holds(what: string, look: () => Promise<boolean>): Outcome {
  return {
    async waitFor({ timeout }) {
      const end = Date.now() + timeout;
      while (!(await look())) {
        if (Date.now() > end) throw new Error(`Waited ${timeout / 1000} s in vain: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/**
 * Repeats an action until its effect is visible, with more patience each time: a click may hit an element that is being
 * redrawn, and a key may go to one that is about to close. Only for actions that may be repeated; if repeating would
 * undo the action or send something, `act` checks first.
 */
export async function actUntil(
  outcome: Outcome,
  act: (patience: { timeout: number }, again: boolean) => Promise<unknown>,
  firstLook = FIRST_LOOK_MS,
): Promise<void> {
  for (let timeout = firstLook; ; timeout *= 2) {
    // The late effect may be what prevents the repetition, so check for it once more.
    const failure = await act({ timeout }, timeout > firstLook).then(
      () => undefined,
      (error: Error) => error,
    );
    try {
      return await outcome.waitFor({ timeout: failure ? Math.min(timeout, GLANCE_MS) : timeout });
    } catch (error) {
      if (timeout >= PATIENCE_MS) throw failure ?? error;
    }
  }
}

export const outFolder = inProject("test/out");

/** Screenshots are only taken on request, because drawing one takes as long as several clicks. */
export const takesScreenshots = Boolean(process.env.SCREENSHOTS || process.env.UPDATE);

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
      // In a browser, the workbench starts an extension from its folder only with this switch; it then shows no toasts.
      args: [...calmArguments, ...(options.development ? ["--enable-smoke-test-driver"] : [])],
      ...(options.development ? {} : { extensionsDir: await installed(), builtIn }),
      settings: { ...calmSettings, "workbench.colorTheme": themes[options.theme ?? "dark"], ...options.settings },
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
    await drawNothing(context);
    const page = await context.newPage();
    if (options.translate) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = "${PRETENDED_LANGUAGE}"`);
    const code = new Code(page, context, server, folder, sandbox, async () => {
      for (const close of closing) await close();
    });
    await page.goto(
      server.address(path.join(folder, options.workspace ?? ""), options.open && path.join(folder, options.open)),
    );
    await (options.development ? code.ready() : code.started());
    if (options.open) await code.editor(options.open).waitFor();
    return code;
  } catch (error) {
    for (const close of closing) await close();
    throw error;
  }
}

/** The browser that was started for this file (browsers.ts), or a new one. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  const running = process.env.ASSISTANT_FLOW_TEST_BROWSER;
  if (running) return chromium.connect(running, { timeout: PATIENCE_MS });
  return chromium.launch({ executablePath, args: browserSwitches, timeout: PATIENCE_MS });
}

/**
 * The folder in which the packaged extension is installed. `npm run test:ui` creates it once and passes it to every
 * test file.
 */
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
  // The list of installed extensions has the full path of each.
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

/** Returns the path of the VSIX: that of a release built for it, or an existing one. */
export async function packAndInstall(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const built = process.env.ASSISTANT_FLOW_TEST_VSIX;
  const vsix = built ?? (await releasedExtension());
  await installExtension(await ensureCodeHost(), vsix, folder);
  return vsix;
}

/** UI tests run on the VSIX of a release, so that what is published is what was tested. */
async function releasedExtension(): Promise<string> {
  await build({ quiet: true });
  process.env.ASSISTANT_FLOW_BUILT = "1"; // The packer's own build step has nothing to do.
  const release = path.join(outFolder, "release");
  await writeRelease(release);
  return path.join(release, `${manifest.name}-${manifest.version}.vsix`);
}

/** Whether an element becomes visible within a second. */
async function isThere(locator: Locator): Promise<boolean> {
  return locator.waitFor({ timeout: 1000 }).then(
    () => true,
    () => false,
  );
}

/** VS Code as a user sees it. Every method waits for its element, and fails after a time limit. */
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

  /** The workbench is ready. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.editor").waitFor();
    await this.page.locator(".part.statusbar").waitFor();
  }

  /**
   * The workbench is ready, and our extension runs. VS Code waits a minute for its extension host and then continues
   * without it until the window is reloaded, so the window is reloaded. It may take longer on a busy machine.
   */
  async started(): Promise<void> {
    await this.ready();
    // Without flows in the folder, only its own views and commands activate the extension.
    const hasFlows = (await readdir(this.folder, { recursive: true })).some((name) => isFlowFile(name));
    const activate = async () => {
      if (hasFlows) return;
      await this.view("Assistant Flow");
      // The hover of the activity bar would cover what opens next.
      await this.page.mouse.move(700, 450);
    };
    await activate();
    const reloadIfLost = async (_patience: object, again: boolean) => {
      if (!again) return;
      await this.page.reload();
      await this.ready();
      await activate();
    };
    await actUntil(this.statusItem("connection"), reloadIfLost, EXTENSION_HOST_MS);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.started();
  }

  /** Reloads the window like a user: VS Code first stores the open editors. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    await this.palette("Developer: Reload Window");
    await loaded;
    await this.started();
  }

  // Files

  async read(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), "utf8");
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
  }

  /** Changes a user setting while VS Code runs. */
  async setting(name: string, value: unknown): Promise<void> {
    const file = path.join(this.server.userDataDir, "User/settings.json");
    const settings = JSON.parse(await readFile(file, "utf8")) as object;
    const text = JSON.stringify({ ...settings, [name]: value }, null, 2);
    const saved = holds(`${name} is saved`, async () => (await readFile(file, "utf8")) === text);
    await actUntil(saved, async () => {
      await this.palette("Preferences: Open User Settings (JSON)");
      // In front of the editors, where the status bar shows the cursor of the editor below.
      await this.#paste("settings.json", text, this.editor("settings.json").locator(".selected-text").first());
      await this.save("settings.json");
    });
    await this.closeEditors();
  }

  // Commands and questions

  /** Runs a command by its title in the palette. */
  async palette(title: string): Promise<void> {
    const any = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`);
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${title}"]`);
    // The palette lists the commands that are registered when it opens: right after the start, some may be missing.
    await actUntil(row, async (patience, again) => {
      if (again) await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      // An element that has just closed may take the focus back, which closes the palette.
      await this.input.fill(`>${title}`, patience);
      await any.first().waitFor(patience);
      // Another title with the same text may be above it.
      for (let down = 0; down < 3 && !(await isThere(row)); down++) await this.page.keyboard.press("ArrowDown");
    });
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

  /** Chooses the row of a quick pick with this text. */
  async pick(text: string | RegExp): Promise<void> {
    // A tooltip under the mouse may cover the row. It closes when the mouse moves away.
    await this.page.mouse.move(900, 500);
    await this.page.mouse.move(905, 505);
    await this.picks.filter({ hasText: text, visible: true }).first().click();
  }

  /**
   * Runs a command and chooses a row of its quick pick with the keyboard. If the quick pick was closed by something
   * else, it is opened again.
   */
  async paletteAndPick(title: string, choice: string): Promise<void> {
    const row = this.page.locator(".quick-input-widget:visible .monaco-list-row.focused").filter({ hasText: choice });
    await actUntil(row, async (patience) => {
      await this.palette(title);
      await this.input.fill(choice, patience);
    });
    await this.page.keyboard.press("Enter");
    await row.waitFor({ state: "hidden" });
  }

  /** The question with this text in its title. */
  question(title: string): Locator {
    return this.page.locator(".quick-input-title:visible").filter({ hasText: title });
  }

  /** Waits until a question with this text in its title is shown. */
  async asked(title: string): Promise<void> {
    await this.question(title).waitFor();
  }

  /**
   * Types into the open input box and accepts it. Name each of several questions in a row, because they share one box.
   */
  async answer(text: string, title?: string): Promise<void> {
    if (title) await this.asked(title);
    await this.input.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Dismisses the open question without an answer. */
  async giveUp(): Promise<void> {
    await this.input.press("Escape");
    await this.input.waitFor({ state: "hidden" });
  }

  /** The validation message of an input box. */
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

  /**
   * Opens a file of the workspace by name with the keyboard: rows move while results arrive, and a click would hit
   * another one.
   */
  async openFile(name: string): Promise<Locator> {
    const label = this.page.locator(".label-name").getByText(path.basename(name), { exact: true });
    const row = this.page.locator(".quick-input-widget:visible .monaco-list-row.focused").filter({ has: label });
    await actUntil(this.#focused(name), async (patience, again) => {
      if (again) await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+p");
      await this.input.fill(name, patience);
      for (let down = 0; down < 5 && !(await isThere(row)); down++) await this.page.keyboard.press("ArrowDown");
      await row.waitFor(patience);
      await this.page.keyboard.press("Enter");
    });
    return this.editor(name);
  }

  /** Closes every editor. Until the last one is closed, any of them may still take the keyboard focus. */
  async closeEditors(): Promise<void> {
    await actUntil(gone(this.page.locator(".tab").first()), (_patience, again) =>
      again ? this.palette("View: Close All Editors") : this.#keys("Control+k", "Control+w"),
    );
  }

  /**
   * Runs a command of VS Code with its keybinding, which takes less processor time than the palette. Keys may be lost.
   */
  async #keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Moves the cursor to a 1-based line and column. */
  async goTo(line: number, column = 1): Promise<void> {
    await actUntil(this.#cursor(line, column), async (patience, again) => {
      if (again) await this.page.keyboard.press("Escape"); // Closes a question that doesn't know the line.
      await this.page.keyboard.press("Control+g");
      await this.input.fill(`:${line}:${column}`, patience);
      await this.page.keyboard.press("Enter");
      await this.input.waitFor({ state: "hidden", ...patience });
    });
    await this.page.locator(".monaco-editor.focused").first().waitFor();
  }

  /** Types at the cursor, with auto-closing and suggestions as for a user. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Focuses an editor by keyboard: a click could hit a code lens and run it. */
  async focusEditor(name: string): Promise<void> {
    const keyboard = this.editor(name).locator(".native-edit-context, textarea.inputarea").first();
    await actUntil(this.#focused(name), (patience) => keyboard.focus(patience));
  }

  #focused(name: string): Locator {
    return this.page.locator(`.monaco-editor.focused[data-uri$="/${name}"]`).first();
  }

  /**
   * Replaces the whole text of the editor with one paste, which takes a moment in a browser; then the cursor is at the
   * end.
   */
  async replaceAll(name: string, text: string): Promise<void> {
    const lines = text.split("\n");
    const selected = this.page.locator('[id="status.editor.selection"]').filter({ hasText: "selected" });
    const end = this.#cursor(lines.length, (lines.at(-1) ?? "").length + 1);
    await actUntil(end, () => this.#paste(name, text, selected));
  }

  /**
   * The selection must be visible before it is replaced; otherwise the old cursor position could pass for the new one.
   */
  async #paste(name: string, text: string, selected: Locator): Promise<void> {
    await this.focusEditor(name);
    await this.page.keyboard.press("Control+a");
    await selected.waitFor({ state: "attached" });
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.page.keyboard.press("Control+v");
  }

  /** Waits until the cursor is at a 1-based line and column, and nothing is selected. */
  async cursorAt(line: number, column: number): Promise<void> {
    await this.#cursor(line, column).waitFor();
  }

  #cursor(line: number, column: number): Locator {
    const cursor = this.page.locator('[id="status.editor.selection"]');
    return cursor.getByText(`Ln ${line}, Col ${column}`, { exact: true });
  }

  async save(name?: string): Promise<void> {
    await this.page.keyboard.press("Control+s");
    if (name)
      await this.page.locator(`.tab.dirty[data-resource-name="${path.basename(name)}"]`).waitFor({ state: "detached" });
  }

  /** The squiggles of an editor. */
  squiggles(severity: "error" | "warning" | "info" | "hint" = "error"): Locator {
    return this.page.locator(`.monaco-editor .squiggly-${severity}`);
  }

  /** Opens the Problems view and returns its rows. */
  async problems(): Promise<Locator> {
    const rows = this.page.locator(".markers-panel .monaco-list-row");
    if (!(await this.page.locator(".markers-panel").isVisible()))
      await this.palette("Problems: Focus on Problems View");
    await this.page.locator(".markers-panel").waitFor();
    return rows;
  }

  /** Moves the cursor to a place and returns the hover shown there. */
  async hover(line: number, column: number): Promise<Locator> {
    const hover = this.page.locator(".monaco-hover:visible");
    await actUntil(hover.first(), async (_patience, again) => {
      await this.goTo(line, column);
      await (again ? this.palette("Show or Focus Hover") : this.#keys("Control+k", "Control+i"));
    });
    return hover;
  }

  /** The fixes offered at the cursor. */
  async fixes(): Promise<Locator> {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    const list = this.page.locator(".action-widget:visible").first();
    await actUntil(rows.first(), async () => {
      // A list without some or all actions: the findings were missing when VS Code requested it.
      if (await list.isVisible()) await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+.");
    });
    return rows;
  }

  /**
   * Applies a fix with the keyboard: the list may select the item under the mouse when it opens, and a click may only
   * do that.
   */
  async quickFix(title: string | RegExp, key: "Enter" | "Control+Enter" = "Enter"): Promise<void> {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    const wanted = rows.and(this.page.locator(".focused")).filter({ hasText: title });
    await actUntil(wanted, async () => {
      await this.fixes();
      for (let left = await rows.count(); left > 0 && !(await wanted.isVisible()); left--)
        await this.page.keyboard.press("ArrowDown");
    });
    await this.page.keyboard.press(key);
    await rows.first().waitFor({ state: "hidden" });
  }

  get suggestions(): Locator {
    return this.page.locator(".suggest-widget.visible .monaco-list-row");
  }

  /** Requests completions at the cursor and accepts the one with this prefix, with the keyboard. */
  async complete(label: string): Promise<void> {
    const rows = this.suggestions.filter({ hasText: label });
    await actUntil(rows.first(), async (_patience, again) => {
      // The first request may reach the server before the typed text, so the request is repeated.
      if (again && (await this.suggestions.first().isVisible())) await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+Space");
    });
    const focused = rows.and(this.page.locator(".focused"));
    for (let left = await this.suggestions.count(); left > 0 && (await focused.count()) === 0; left--)
      await this.page.keyboard.press("ArrowDown");
    await focused.first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.suggestions.first().waitFor({ state: "hidden" });
  }

  // Sidebar

  /** Opens a view container by its title. */
  async view(title: string): Promise<void> {
    const tab = this.page.locator(`.activitybar [role=tab]:has(a.action-label[aria-label^="${title}"])`);
    const open = this.page.locator(".part.sidebar .composite.title").filter({ hasText: title });
    // A click on the tab of the open container closes it, and after a reload it may just be opening.
    await actUntil(open, async (patience) => {
      if (!(await isThere(open)) && (await tab.getAttribute("aria-expanded", patience)) !== "true")
        await tab.click(patience);
    });
    await this.page.locator(".part.sidebar .pane").first().waitFor();
  }

  /** A row of a tree, by text. */
  row(text: string | RegExp): Locator {
    return this.page.locator(".customview-tree .monaco-list-row").filter({ hasText: text }).first();
  }

  /** Expands a row with the keyboard. While a view is loading, its rows are redrawn, and a key may be lost. */
  async expand(text: string | RegExp): Promise<void> {
    const open = this.page.locator('.customview-tree .monaco-list-row[aria-expanded="true"]').filter({ hasText: text });
    await actUntil(open.first(), async () => {
      if (await open.first().isVisible()) return;
      await this.clickRow(text);
      if (!(await open.first().isVisible())) await this.page.keyboard.press("ArrowRight");
    });
  }

  /**
   * Clicks a row until it is selected and has the focus: an editor that has just closed may have taken the focus back.
   */
  async selectRow(row: Locator): Promise<void> {
    const selected = this.page.locator(".monaco-list:focus .monaco-list-row.selected.focused");
    await actUntil(row.and(selected), async (patience) => {
      await this.page.mouse.move(900, 600);
      await row.click(patience);
    });
  }

  /** Clicks a row; the tooltip under the previous mouse position may cover it until the mouse moves. */
  async clickRow(text: string | RegExp): Promise<void> {
    await this.page.mouse.move(900, 600);
    await this.row(text).click();
  }

  /** Clicks a row until its page is open: while a view is loading its rows move, and a click may miss. */
  async openPage(row: Locator, tab: string | RegExp): Promise<void> {
    const opened = this.page.locator(".tab").filter({ hasText: tab }).first();
    await actUntil(opened, async (patience, again) => {
      // The click hit the group above the row and collapsed it.
      const folded = this.page.locator('.customview-tree .monaco-list-row.selected[aria-expanded="false"]').first();
      if (again && !(await row.isVisible()) && (await folded.isVisible())) await folded.click(patience);
      await this.page.mouse.move(900, 600);
      await row.click(patience);
    });
  }

  /** A button of a row; `rows` restricts the kind of row. */
  rowAction(text: string | RegExp, action: string, rows = ""): Promise<void> {
    const button = `a.action-label[aria-label^="${action}"]`;
    return this.press(`.customview-tree .monaco-list-row${rows}`, text, button);
  }

  async rowMenu(text: string | RegExp, item: string): Promise<void> {
    await this.menu(this.row(text), item);
  }

  /** Chooses an item of the context menu of an element. */
  async menu(place: Locator, item: string): Promise<void> {
    const choice = this.page.locator(".monaco-menu .action-item").filter({ hasText: item }).first();
    await actUntil(choice, async (patience, again) => {
      if (again) await this.page.keyboard.press("Escape");
      await place.click({ button: "right", ...patience });
    });
    // A menu ignores clicks right after it opens, so that the click that opened it doesn't choose an item.
    await actUntil(
      gone(choice),
      async (patience) => (await choice.isVisible()) && (await choice.click(patience)),
      MENU_OPENS_MS,
    );
  }

  /** The tooltip of a row. If the row is redrawn, its tooltip closes. */
  async tooltip(row: Locator): Promise<Locator> {
    const tooltip = this.page.locator(".workbench-hover-container:visible").last();
    await actUntil(tooltip, async (patience, again) => {
      if (again) await this.page.keyboard.press("Escape");
      // The tooltip under the previous mouse position may cover the row.
      await this.page.mouse.move(900, 600);
      await row.hover({ position: { x: 60, y: 8 }, ...patience });
      await row.hover({ position: { x: 70, y: 9 }, ...patience });
    });
    return tooltip;
  }

  viewAction(view: string, action: string): Promise<void> {
    return this.press(`.pane-header[aria-label^="${view}"]`, "", `a.action-label[aria-label^="${action}"]`);
  }

  /**
   * Clicks the first matching button in the first visible element with the text. It finds and clicks in one step,
   * because a redraw in between would lose the click.
   */
  async press(places: string, text: string | RegExp, button: string, label = "", timeout = PATIENCE_MS): Promise<void> {
    const words = typeof text === "string" ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i") : text;
    const pressed = `(() => {
      const words = (element) => element.textContent.replace(/\\s+/g, " ");
      const place = [...document.querySelectorAll(${JSON.stringify(places)})]
        .find((each) => each.getClientRects().length > 0 && ${words}.test(words(each)));
      const buttons = place ? [...place.querySelectorAll(${JSON.stringify(button)})] : [];
      const button = buttons.find((each) => words(each).trim() === ${JSON.stringify(label)})
        ?? buttons.find((each) => words(each).includes(${JSON.stringify(label)}));
      return button?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })) !== undefined;
    })()`;
    await this.page.waitForFunction(pressed, undefined, { timeout });
  }

  lens(title: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration a").filter({ hasText: title, visible: true }).first();
  }

  /**
   * Clicks a code lens until its effect is visible. VS Code shows lenses late on a busy machine, and resolves the
   * missed ones when the editor scrolls.
   */
  async pressLens(title: string | RegExp, effect: Locator): Promise<void> {
    const press = async (patience: { timeout: number }, again: boolean) => {
      if (again) for (const key of ["Control+ArrowDown", "Control+ArrowUp"]) await this.page.keyboard.press(key);
      await this.lens(title).click(patience);
    };
    await actUntil(effect, press, 2 * FIRST_LOOK_MS);
  }

  /**
   * Chooses an action at the cursor that runs a command, and waits for its effect. VS Code forgets the command of an
   * action once it has requested newer actions, even while the old one is being applied; it then shows an error and
   * does nothing, and a user tries again.
   */
  async runAction(title: string | RegExp, effect: Locator): Promise<void> {
    const lost = this.toast("Actual command not found");
    for (let round = 0; ; round++) {
      await this.quickFix(title);
      await effect.or(lost).first().waitFor();
      if (!(await lost.isVisible()) || round === 3) return effect.waitFor();
      await this.palette("Notifications: Clear All Notifications");
    }
  }

  // Messages and menus of VS Code

  statusItem(id: string): Locator {
    return this.page.locator(`[id="assistant-flow.assistant-flow.${id}"]`);
  }

  /**
   * Chooses from the menu of a status bar item with the keyboard. If another element closes the menu, it is opened
   * again.
   */
  async statusMenu(id: string, choice: string): Promise<void> {
    const row = this.picks.and(this.page.locator(".focused")).filter({ hasText: choice });
    await actUntil(row, async (patience) => {
      await this.statusItem(id).click(patience);
      // The tooltip of the item under the mouse would cover what is above the status bar.
      await this.page.mouse.move(900, 600);
      await this.input.fill(choice, patience);
    });
    await this.page.keyboard.press("Enter");
    await row.waitFor({ state: "hidden" });
  }

  /** Records short-lived messages from now on, in notifications and in the status bar, which polling could miss. */
  async listen(): Promise<(text: RegExp) => Outcome> {
    await this.page.evaluate(`(() => {
      const heard = (globalThis.heard = new Set());
      const places = ".notifications-toasts .notification-list-item, .part.statusbar .statusbar-item";
      globalThis.listening?.disconnect();
      globalThis.listening = new MutationObserver(() => {
        for (const each of document.querySelectorAll(places)) heard.add(each.textContent.replace(/\\s+/g, " "));
      });
      globalThis.listening.observe(document.body, { subtree: true, childList: true, characterData: true });
    })()`);
    return (text) =>
      holds(`${text} is said`, () =>
        this.page.evaluate<boolean>(`[...globalThis.heard].some((each) => ${text}.test(each))`),
      );
  }

  toast(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text }).first();
  }

  /**
   * Looks for a message in the notification center: a toast closes after ten seconds, and of several within 0.8 s only
   * three are shown. While the center is open there are no toasts; clearing all notifications closes it.
   */
  async said(text: string | RegExp): Promise<void> {
    await this.palette("Notifications: Show Notifications");
    const all = this.page.locator(".notifications-center .notification-list-item");
    await all.filter({ hasText: text }).first().waitFor();
  }

  /** Presses a button of a notification, in the notification center if its toast is hidden. */
  async toastButton(text: string | RegExp, button: string): Promise<void> {
    const center = this.page.locator(".notifications-center");
    for (;;) {
      const inSight = (await center.isVisible()) ? ".notifications-center" : ".notifications-toasts";
      const patience = inSight === ".notifications-center" ? PATIENCE_MS : TOAST_MS;
      try {
        await this.press(
          `${inSight} .notification-list-item`,
          text,
          ".monaco-button, .notification-list-item-message a",
          button,
          patience,
        );
        break;
      } catch (error) {
        if (inSight === ".notifications-center") throw error;
        await this.palette("Notifications: Show Notifications");
        await center.waitFor();
      }
    }
    // While the notification center is open there are no toasts.
    await actUntil(gone(center), async () => {
      if (await center.isVisible()) await this.press(".notifications-center", "", 'a.action-label[aria-label^="Hide"]');
    });
  }

  /** Answers a modal dialog. */
  async dialog(button: string | RegExp): Promise<void> {
    await this.page.locator(".monaco-dialog-box .monaco-button").filter({ hasText: button }).first().click();
    await this.page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
  }

  get dialogText(): Locator {
    return this.page.locator(".monaco-dialog-box .dialog-message-container");
  }

  /** The page in the webview that shows this text. */
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

  /** A screenshot for review in test/out/. If the documents have an image with this name, UPDATE=1 replaces it. */
  async screenshot(name: string, of: Page | Locator = this.page, style = ""): Promise<void> {
    if (!takesScreenshots) return;
    await this.#draw(name, of, style);
    const image = inProject(`docs/images/${name}.png`);
    if (process.env.UPDATE && existsSync(image)) await copyFile(path.join(outFolder, `${name}.png`), image);
  }

  async #draw(name: string, of: Page | Locator, style: string): Promise<void> {
    await whileDrawn(this.page, () => of.screenshot({ path: path.join(outFolder, `${name}.png`), style }));
  }

  /** A screenshot of a failed test. */
  async screenshotOnFailure<T>(name: string, body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      await this.#draw(`failed-${name}`, this.page, "").catch(() => undefined);
      throw error;
    }
  }
}
