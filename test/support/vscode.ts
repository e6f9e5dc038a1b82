/**
 * As much of VS Code's interface as the sidebar needs to be measured and attacked without VS Code. Import this file before
 * anything of client/ that imports `vscode`. What a person sees is tested in the real thing, in test/host and test/ui.
 */
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

class Value {
  readonly given: unknown[];
  constructor(...given: unknown[]) {
    this.given = given;
  }
}

class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState?: number,
  ) {}
}

const never = () => ({ dispose: () => undefined });

/** The test's hand on the pretended VS Code. */
export const vscodeStub = {
  trusted: true,
  settings: {} as Record<string, unknown>,
  contexts: new Map<string, unknown>(),
};

const pretended = {
  EventEmitter,
  TreeItem,
  ThemeIcon: Value,
  ThemeColor: Value,
  MarkdownString: Value,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  commands: {
    registerCommand: never,
    executeCommand: async (command: string, key: string, value: unknown) => {
      if (command === "setContext") vscodeStub.contexts.set(key, value);
    },
  },
  window: {
    createTreeView: () => ({
      visible: true,
      onDidChangeVisibility: never,
      onDidChangeSelection: never,
      dispose: () => undefined,
    }),
    withProgress: (_options: unknown, run: () => unknown) => run(),
  },
  workspace: {
    get isTrusted() {
      return vscodeStub.trusted;
    },
    getConfiguration: () => ({ get: (name: string) => vscodeStub.settings[name] }),
    onDidGrantWorkspaceTrust: never,
    onDidChangeConfiguration: never,
  },
};

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load;
loader._load = (request, ...rest) => (request === "vscode" ? pretended : load(request, ...rest));
