/** Keys of environments. Each belongs to the URL it was entered for; a changed URL in the project file needs a key again. */
import * as vscode from "vscode";
import type { EnvironmentView, FlowSyncState } from "../../server/messages";
import { addKeyFor, type Session } from "../connections";
import type { SyncStates } from "../sync";
import { confirm } from "../ui/notice";

const USED = "environmentUrls";

/** Remembers the URL that each environment was last used with in this workspace, to tell the user if it changes. */
export class UsedUrls implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;

  constructor(
    private readonly memory: vscode.Memento,
    states: SyncStates,
  ) {
    this.#subscription = states.onDidChange((uri) => {
      const state = states.get(uri);
      const used = state && state.kind !== "unlinked" ? currentOf(state) : undefined;
      if (used?.url !== undefined && this.of(used.name) !== used.url)
        void memory.update(USED, Object.fromEntries(this.#all.set(used.name, used.url)));
    });
  }

  of(environment: string): string | undefined {
    return this.#all.get(environment);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  get #all(): Map<string, string> {
    return new Map(Object.entries(this.memory.get<Record<string, string>>(USED) ?? {}));
  }
}

/** The environment that a flow is synced with. */
export function currentOf({ environment, environments = [] }: FlowSyncState): EnvironmentView | undefined {
  return environments.find(({ name }) => name === environment);
}

/** Asks for the key of a flow's environment. */
export async function enterKey(session: Session, state: FlowSyncState | undefined, urls: UsedUrls): Promise<void> {
  const environment = state && currentOf(state);
  if (environment) await enterKeyOf(session, environment, urls);
}

/** Asks for the key of an environment's URL, and says so if the environment had another URL before. */
export async function enterKeyOf(session: Session, environment: EnvironmentView, urls: UsedUrls): Promise<boolean> {
  const { name, url, callingUrl } = environment;
  if (url === undefined) return false;
  const known = session.store.byUrl(url);
  if (known) {
    await vscode.commands.executeCommand("assistantFlow.enterKey", known);
    return true;
  }
  const before = urls.of(name);
  if (before !== undefined && before !== url) {
    const go = vscode.l10n.t("Enter API Key…");
    const question = vscode.l10n.t('The URL of environment "{0}" changed from {1} to {2}.', name, before, url);
    const detail = vscode.l10n.t(
      "The key you entered before isn't sent there. Continue only if you trust the new URL.",
    );
    if ((await confirm(question, detail, go)) !== go) return false;
  }
  return addKeyFor(session, name, url, callingUrl ?? url);
}
