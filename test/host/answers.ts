/**
 * Answers questions of the extension during a test: the suite shares the extension's `vscode`, so questions are
 * intercepted before they reach the screen.
 */
import * as vscode from "vscode";

export class Answers {
  /** Every notification with its buttons, as `text [Button] [Button]`. */
  readonly said: string[] = [];
  /** The titles of quick picks. */
  readonly picked: string[] = [];
  /** The reported progress of long operations. */
  readonly progress: string[] = [];
  /** The button to press on a notification; undefined leaves it unanswered. */
  button: (text: string, buttons: readonly string[]) => string | undefined = () => undefined;
  /** The row to choose in a quick pick, by its label. */
  row: (title: string, labels: readonly string[]) => string | undefined = () => undefined;
  /** Called for every step of a long operation; true cancels it. */
  cancels: (step: string) => boolean = () => false;
  readonly #original = new Map<string, unknown>();

  constructor() {
    const take = (name: string, instead: unknown) => {
      this.#original.set(name, window[name]);
      window[name] = instead;
    };
    for (const say of ["showInformationMessage", "showWarningMessage", "showErrorMessage"])
      take(say, async (text: string, ...rest: unknown[]) => {
        const buttons = rest.filter((each): each is string => typeof each === "string");
        this.said.push([text, ...buttons.map((button) => `[${button}]`)].join(" "));
        const answer = this.button(text, buttons);
        // An unanswered notification never resolves.
        return answer ?? new Promise(() => undefined);
      });
    take("showQuickPick", async (rows: readonly vscode.QuickPickItem[], options?: vscode.QuickPickOptions) => {
      const title = `${options?.title ?? ""}: ${options?.placeHolder ?? ""}`;
      this.picked.push([title, ...rows.map(({ label, detail }) => `[${label} ${detail ?? ""}]`)].join(" "));
      const label = this.row(
        title,
        rows.map((row) => row.label),
      );
      return rows.find((row) => row.label === label);
    });
    const { withProgress } = vscode.window;
    take("withProgress", (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
      if (!options.cancellable) return withProgress(options, task);
      const source = new vscode.CancellationTokenSource();
      const button: unknown = options.cancellable;
      // The other choices of a notice are links.
      if (typeof button === "string") {
        const links = [...(options.title ?? "").matchAll(/ ?·? \[([^\]]+)\]\(command:([^?)]+)\?([^)]*)\)/g)];
        const text = links.reduce((rest, [link]) => rest.replace(link, ""), options.title ?? "");
        const buttons = [button, ...links.map(([, label = ""]) => label)];
        this.said.push([text, ...buttons.map((each) => `[${each}]`)].join(" "));
        const answer = this.button(text, buttons);
        const [, , command = "", args = ""] = links.find(([, label]) => label === answer) ?? [];
        if (answer === button) setImmediate(() => source.cancel());
        else if (command) void vscode.commands.executeCommand(command, ...JSON.parse(decodeURIComponent(args)));
      }
      const report = ({ message = "" }: { message?: string }) => {
        this.progress.push(`${options.title ?? ""}: ${message}`);
        if (this.cancels(message)) source.cancel();
      };
      return task({ report }, source.token);
    });
  }

  dispose(): void {
    for (const [name, own] of this.#original) window[name] = own;
  }
}

const window = vscode.window as unknown as Record<string, unknown>;
