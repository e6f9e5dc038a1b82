/**
 * A stub of the VS Code API for tests of the sidebar without VS Code. Import this file before anything of client/ that
 * imports `vscode`. The real UI is tested in test/host and test/ui.
 */
import { mkdirSync } from "node:fs";
import Module from "node:module";

class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

class Uri {
  constructor(private readonly text: string) {}
  static parse(text: string): Uri {
    return new Uri(text);
  }
  static from({ scheme, path }: { scheme: string; path: string }): Uri {
    return new Uri(`${scheme}:${path}`);
  }
  static joinPath(base: { fsPath: string }, ...parts: string[]) {
    const fsPath = [base.fsPath, ...parts].join("/");
    return { fsPath, toString: () => fsPath };
  }
  get scheme(): string {
    return this.text.split(":", 1)[0] ?? "";
  }
  get path(): string {
    return this.text.replace(/^\w+:(\/\/[^/]*)?/, "");
  }
  toString(): string {
    return this.text;
  }
}

class Value {
  readonly given: unknown[];
  constructor(...given: unknown[]) {
    this.given = given;
  }
}

class Range extends Value {
  readonly start = { line: this.given[0], character: this.given[1] };
  readonly end = { line: this.given[2], character: this.given[3] };
}

/** Records what it would write. */
class WorkspaceEdit {
  readonly texts: string[] = [];
  replace(_uri: unknown, _range: unknown, text: string): void {
    this.texts.push(text);
  }
  get size(): number {
    return this.texts.length;
  }
}

class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState?: number,
  ) {}
}

const never = () => ({ dispose: () => undefined });

/** A question that the stub asks the user. */
export interface Question {
  /** The title of an input, or the text of a message. */
  readonly title: string;
  /** The prompt of an input. */
  readonly prompt: string;
  readonly value: string;
  /** The validation message; for a list of choices, it is in the prompt. */
  readonly problem: string | undefined;
  /** The choices of a list, or the buttons of a message. */
  readonly choices: readonly string[];
  /** The choice that Enter accepts at once, in a list. */
  readonly active?: string | undefined;
}

/** Controls the stub from a test. */
export const vscodeStub = {
  trusted: true,
  settings: {} as Record<string, unknown>,
  contexts: new Map<string, unknown>(),
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  /** The open file, without a selection. */
  editor: undefined as { readonly fileName: string; readonly text: string } | undefined,
  /** The open documents. */
  documents: [] as { readonly uri: unknown; readonly isDirty: boolean; getText(): string }[],
  /** The user's answer: the typed text or the chosen item; undefined to cancel. */
  answer: (_question: Question): string | undefined => undefined,
  /** The translation in VS Code; the English text by default. */
  translate: (text: string): string => text,
  /** What other extensions offer, by their ID. */
  extensions: new Map<string, unknown>(),
  /** The files of other schemes than `file`, by their URI. */
  files: new Map<string, string>(),
  /** The latest texts of read-only documents that changed while they were open, by their URI. */
  shownTexts: new Map<string, string>(),
  /** The titles of progress notifications. */
  progress: [] as string[],
  /** Registered providers of code actions. */
  codeActions: [] as object[],
  /** The items of the status bar, by their ID; hidden ones are missing. */
  statusItems: new Map<string, StatusItem>(),
  /** The trees created so far, by view. */
  trees: new Map<string, PretendedTree>(),
};

interface StatusItem {
  text: string;
  tooltip: string;
  accessibilityInformation?: { readonly label: string };
  backgroundColor?: unknown;
}

function createStatusBarItem(id: string) {
  const item = {
    text: "",
    tooltip: "",
    show: () => void vscodeStub.statusItems.set(id, item),
    hide: () => void vscodeStub.statusItems.delete(id),
    dispose: () => void vscodeStub.statusItems.delete(id),
  };
  return item;
}

interface TextProvider {
  onDidChange?(listener: (uri: Uri) => void): unknown;
  provideTextDocumentContent(uri: Uri): string;
}

interface PretendedTree {
  visible: boolean;
  selection: readonly unknown[];
  badge?: { value: number } | undefined;
  message?: string | undefined;
  show(visible: boolean): void;
  readonly showCollapseAll: boolean;
  readonly provider: {
    getChildren(row?: unknown): readonly { readonly id: string; readonly label: string }[];
    onDidChangeTreeData(listener: (rows: unknown) => void): unknown;
  };
}

function createTreeView(
  view: string,
  options: { treeDataProvider: PretendedTree["provider"]; showCollapseAll: boolean },
): PretendedTree {
  const visibility = new EventEmitter<{ visible: boolean }>();
  const tree = {
    visible: true,
    selection: [],
    provider: options.treeDataProvider,
    showCollapseAll: options.showCollapseAll,
    onDidChangeVisibility: visibility.event,
    onDidChangeSelection: never,
    reveal: async () => undefined,
    dispose: () => undefined,
    show: (visible: boolean) => {
      tree.visible = visible;
      visibility.fire({ visible });
    },
  };
  vscodeStub.trees.set(view, tree);
  return tree;
}

/** An input box or a list, answered when it is shown. */
class Input {
  title = "";
  prompt = "";
  placeholder = "";
  value = "";
  validationMessage: string | undefined;
  items: { label: string; value?: string }[] = [];
  selectedItems: unknown[] = [];
  canSelectMany = false;
  #active: readonly unknown[] | undefined;
  readonly #accept = new EventEmitter<void>();
  readonly #hide = new EventEmitter<void>();
  readonly onDidAccept = this.#accept.event;
  readonly onDidHide = this.#hide.event;
  readonly onDidChangeValue = never;
  readonly onDidTriggerButton = never;
  readonly onDidTriggerItemButton = never;

  /** Like in VS Code, the first item is active unless others are set. */
  get activeItems(): readonly unknown[] {
    return this.#active ?? this.items.slice(0, 1);
  }

  set activeItems(items: readonly unknown[]) {
    this.#active = items;
  }

  show(): void {
    setImmediate(() => {
      const choices = this.items.map(({ label }) => label);
      const answer = vscodeStub.answer({
        title: this.title,
        prompt: this.prompt || this.placeholder,
        value: this.value,
        problem: this.validationMessage,
        choices,
        active: (this.activeItems[0] as { label: string } | undefined)?.label,
      });
      if (answer === undefined) return this.hide();
      if (choices.length === 0) this.value = answer;
      else {
        const picked = this.items.filter(({ label }) => label === answer);
        if (picked.length === 0) this.value = answer; // Typed.
        this.selectedItems = picked;
        if (!this.canSelectMany) this.activeItems = picked;
      }
      this.#accept.fire();
    });
  }

  hide(): void {
    this.#hide.fire();
  }

  dispose(): void {
    this.#accept.dispose();
    this.#hide.dispose();
  }
}

async function message(title: string, ...rest: unknown[]): Promise<unknown> {
  const nameOf = (one: unknown) => (typeof one === "string" ? one : (one as { title?: string }).title);
  const choices = rest.flatMap((one) => nameOf(one) ?? []);
  const prompt = rest.map((one) => (one as { detail?: string }).detail).find(Boolean) ?? "";
  const answer = vscodeStub.answer({ title, prompt, value: "", problem: undefined, choices });
  return rest.find((one) => nameOf(one) === answer && answer !== undefined) ?? answer;
}

/** A notice with choices: the first one is its button, the others are links. */
function chooseInNotice(title: string, button: string, press: () => void): void {
  const links = [...title.matchAll(/\[([^\]]+)\]\(command:([^?)]+)\?([^)]*)\)/g)];
  const choices = [button, ...links.map(([, label = ""]) => label)];
  const text = title.split(" [", 1)[0] as string;
  setImmediate(() => {
    const answer = vscodeStub.answer({ title: text, prompt: "", value: "", problem: undefined, choices });
    if (answer === button) return press();
    const [, , command = "", args = ""] = links.find(([, label]) => label === answer) ?? [];
    if (command) vscodeStub.commands.get(command)?.(...(JSON.parse(decodeURIComponent(args)) as unknown[]));
  });
}

const pretended = {
  env: { language: "en" },
  extensions: {
    getExtension: (id: string) =>
      vscodeStub.extensions.has(id)
        ? {
            isActive: true,
            exports: vscodeStub.extensions.get(id),
            activate: async () => vscodeStub.extensions.get(id),
          }
        : undefined,
  },
  l10n: {
    t: (text: string, ...values: readonly unknown[]) =>
      vscodeStub.translate(text).replace(/\{(\d+)\}/g, (hole, number) => String(values[number] ?? hole)),
  },
  CancellationError: class extends Error {},
  FilePermission: { Readonly: 1 },
  Disposable: {
    from: (...parts: { dispose?(): unknown }[]) => ({
      dispose: () => {
        for (const part of parts) part?.dispose?.();
      },
    }),
  },
  EventEmitter,
  Uri,
  TreeItem,
  ThemeIcon: Value,
  ThemeColor: Value,
  MarkdownString: class {
    constructor(readonly value = "") {}
  },
  Range,
  Location: Value,
  TestMessage: Value,
  Selection: Value,
  TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
  WorkspaceEdit,
  CodeAction: class {
    constructor(
      readonly title: string,
      readonly kind: string,
    ) {}
  },
  CodeActionKind: { QuickFix: "quickfix", RefactorRewrite: "refactor.rewrite" },
  languages: {
    registerCodeLensProvider: never,
    registerCodeActionsProvider: (_: unknown, provider: object) => vscodeStub.codeActions.push(provider),
  },
  QuickInputButtons: { Back: "back" },
  QuickPickItemKind: { Separator: -1 },
  ProgressLocation: { Notification: 15, Window: 10 },
  ViewColumn: { Beside: -2 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  commands: {
    registerCommand: (command: string, run: (...args: unknown[]) => unknown) => {
      vscodeStub.commands.set(command, run);
      return { dispose: () => void vscodeStub.commands.delete(command) };
    },
    executeCommand: async (command: string, ...args: unknown[]) => {
      if (command === "setContext") vscodeStub.contexts.set(String(args[0]), args[1]);
      return vscodeStub.commands.get(command)?.(...args);
    },
  },
  window: {
    get activeTextEditor() {
      const { editor } = vscodeStub;
      if (!editor) return undefined;
      const languageId = editor.fileName.endsWith(".flow.yaml") ? "assistant-flow" : "plaintext";
      const document = { fileName: editor.fileName, uri: editor.fileName, languageId, getText: () => editor.text };
      return { document, selection: { isEmpty: true } };
    },
    tabGroups: { all: [] },
    createStatusBarItem,
    createTreeView,
    createInputBox: () => new Input(),
    showInputBox: async ({ title = "", prompt = "" }) =>
      vscodeStub.answer({ title, prompt, value: "", problem: undefined, choices: [] }),
    createQuickPick: () => new Input(),
    /** With `canPickMany`, all items are picked. */
    showQuickPick: async (items: readonly { label: string }[], { title = "", canPickMany = false } = {}) => {
      const choices = items.map(({ label }) => label);
      if (canPickMany) return items;
      const answer = vscodeStub.answer({ title, prompt: "", value: "", problem: undefined, choices });
      return items.find(({ label }) => label === answer);
    },
    showInformationMessage: message,
    showWarningMessage: message,
    showErrorMessage: message,
    setStatusBarMessage: never,
    get visibleTextEditors() {
      const { activeTextEditor } = this;
      return activeTextEditor ? [{ ...activeTextEditor, viewColumn: 1 }] : [];
    },
    withProgress: async (
      { title, cancellable }: { title: string; cancellable?: boolean | string },
      run: (progress: unknown, token: unknown) => unknown,
    ) => {
      vscodeStub.progress.push(title);
      const cancelled = new EventEmitter<void>();
      if (typeof cancellable === "string") chooseInNotice(title, cancellable, () => cancelled.fire());
      try {
        return await run({ report: () => undefined }, { onCancellationRequested: cancelled.event });
      } finally {
        vscodeStub.progress = vscodeStub.progress.filter((each) => each !== title);
      }
    },
  },
  workspace: {
    get isTrusted() {
      return vscodeStub.trusted;
    },
    get textDocuments() {
      return vscodeStub.documents;
    },
    asRelativePath: String,
    // Like VS Code, reads the event when the provider is registered, and only then.
    registerTextDocumentContentProvider: (_scheme: string, provider: TextProvider) =>
      provider.onDidChange?.((uri) =>
        vscodeStub.shownTexts.set(uri.toString(), provider.provideTextDocumentContent(uri)),
      ),
    openTextDocument: async (uri: unknown) => ({ uri }),
    fs: {
      createDirectory: async ({ fsPath }: { fsPath: string }) => void mkdirSync(fsPath, { recursive: true }),
      readDirectory: async () => [],
      isWritableFileSystem: (scheme: string) => scheme !== "read-only",
      /** Files of the scheme `locked` exist and are read-only. */
      stat: async (uri: Uri) => {
        const isKnown = uri.scheme === "locked" || vscodeStub.files.has(uri.toString());
        if (!isKnown) throw Object.assign(new Error("There's no such file."), { code: "FileNotFound" });
        return { permissions: 1 };
      },
      readFile: async (uri: Uri) => {
        const text = vscodeStub.files.get(uri.toString());
        if (text === undefined) throw new Error("There's no such file.");
        return new TextEncoder().encode(text);
      },
    },
    findFiles: async () => [],
    getConfiguration: () => ({ get: (name: string) => vscodeStub.settings[name] }),
    onDidGrantWorkspaceTrust: never,
    onDidChangeConfiguration: never,
  },
};

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load;
loader._load = (request, ...rest) => (request === "vscode" ? pretended : load(request, ...rest));
