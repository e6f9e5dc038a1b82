/**
 * The local sandbox, one per user. A running one is found and reused, whether this window, another window, a terminal,
 * or the parent process started it. Its data, key, and port stay the same across starts.
 */
import * as vscode from "vscode";
import { readPrivate, reasonOf } from "../../files";
import {
  fetchTransport,
  PlatformClient,
  type RunningSandbox as Registered,
  readLastSandbox,
  readRunningSandbox,
  runningSandboxFile,
  Secret,
  stateDirectory,
} from "../../platform";
import { turns } from "../../system";
import { inform, showError, showUntilWithdrawn } from "../ui/notice";
import { confirmLoss, SANDBOX, usesSandbox } from "./sandbox-connection";
import { type RunningSandbox, startBundledSandbox } from "./sandbox-process";
import type { Session } from "./session";
import { type ConnectionSecret, temporaryId } from "./store";

const PORT = "sandboxPort";
const ANSWER_MS = 3000;
const MAX_ATTEMPTS = 8;

export class LocalSandbox implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  #own: RunningSandbox | undefined;
  /**
   * The registration of the sandbox in use. A restart uses its data, key and port, even if another program started it.
   */
  #inUse: Registered | undefined;
  #starting: Promise<void> | undefined;
  /** The user stopped or restarted it, so its exit needs no notification. */
  #isExpectedToEnd = false;
  #isReporting = false;
  /** Starts, stops and restarts. */
  readonly #inTurn = turns();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly session: Session,
  ) {
    this.#subscription = session.onDidChange(() => {
      if (!this.isInUse) return;
      if (session.state === "offline") void this.#reportIfStopped();
      else void this.#remember();
    });
    // The window used the sandbox before it was reloaded.
    if (session.store.isActive(temporaryId(SANDBOX)) && !session.store.get(temporaryId(SANDBOX)))
      setTimeout(() => void this.start({ quiet: true }), 0);
  }

  /** Whether the active connection is the sandbox. */
  get isInUse(): boolean {
    return usesSandbox(this.session);
  }

  /**
   * Connects to the running sandbox, or starts one. It keeps its port unless `anyPort` is set. The second half of a
   * double click waits for the first.
   */
  start(options: { readonly quiet?: boolean; readonly anyPort?: boolean } = {}): Promise<void> {
    this.#starting ??= this.#start(options).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start({ quiet = false, anyPort = false }): Promise<void> {
    if (!vscode.workspace.isTrusted && quiet) return;
    const location = quiet ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
    const launched = this.#own;
    try {
      await vscode.window.withProgress({ location, title: vscode.l10n.t("Starting local sandbox…") }, () =>
        this.#inTurn(() => this.#findOrLaunch(anyPort)),
      );
      await this.session.store.activate(temporaryId(SANDBOX));
      await this.session.refresh();
      await this.#remember();
      const address = this.session.connection?.baseUrl;
      // The progress notification announces a new sandbox; a reused one needs a message.
      if (!quiet && this.#own === launched)
        void inform(vscode.l10n.t("Using the local sandbox at {0}.", String(address)));
    } catch (error) {
      this.#showFailure(error);
    }
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#stop());
  }

  /** Restarts the process with the same data, key, and address. */
  restart(): Promise<void> {
    return this.#inTurn(() => this.#restart());
  }

  async #stop(): Promise<void> {
    const losesData = await this.#losesData();
    if (losesData && !(await confirmLoss("stop"))) return;
    this.#isExpectedToEnd = true;
    try {
      if (!(await this.#end()))
        return void inform(
          vscode.l10n.t("This sandbox wasn't started by Assistant Flow. Stop it in the program that started it."),
        );
      await this.session.store.remove(temporaryId(SANDBOX));
      if (!losesData)
        void inform(
          vscode.l10n.t(
            "The local sandbox was stopped. Its data is kept for the next start. Unpushed changes stay in your files, and you can push them then.",
          ),
        );
    } finally {
      this.#isExpectedToEnd = false;
    }
  }

  async #restart(): Promise<void> {
    this.#isExpectedToEnd = true;
    try {
      const registered = await this.#registered();
      const secret = await this.session.store.secret(temporaryId(SANDBOX));
      const hasStopped = secret !== undefined && this.#own === undefined && !(await answers(secret));
      if (!hasStopped && (await this.#losesData()) && !(await confirmLoss("restart"))) return;
      if (!hasStopped && !(await this.#end()))
        return void inform(
          vscode.l10n.t("This sandbox wasn't started by Assistant Flow. Restart it in the program that started it."),
        );
      const location = vscode.ProgressLocation.Notification;
      await vscode.window.withProgress({ location, title: vscode.l10n.t("Restarting local sandbox…") }, () =>
        hasStopped ? this.#findOrLaunch(false) : this.#launch(registered),
      );
      await this.session.refresh();
    } catch (error) {
      this.#showFailure(error);
    } finally {
      this.#isExpectedToEnd = false;
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#isExpectedToEnd = true;
    this.#own?.stop();
  }

  #showFailure(error: unknown): void {
    if (error instanceof PortTaken) void this.#askForPort(error.message);
    else void showError(reasonOf(error));
  }

  /** Another port is another address, so sync would treat it as another platform: that is for the user to decide. */
  async #askForPort(message: string): Promise<void> {
    const [again, other] = [vscode.l10n.t("Try Again"), vscode.l10n.t("Use Another Port")];
    const isSolved = () => this.isInUse && this.session.state === "connected";
    const choice = await this.#askUntil(isSolved, message, again, other);
    if (choice !== undefined) await this.start({ anyPort: choice === other });
  }

  /** Undefined if the problem was solved before the user chose. */
  async #askUntil(isSolved: () => boolean, message: string, ...choices: string[]): Promise<string | undefined> {
    const notice = showUntilWithdrawn(message, ...choices);
    const changes = this.session.onDidChange(() => isSolved() && notice.withdraw());
    return notice.choice.finally(() => changes.dispose());
  }

  async #findOrLaunch(anyPort: boolean): Promise<void> {
    const known = await this.session.store.secret(temporaryId(SANDBOX));
    if ((known && (await answers(known))) || (await this.#adopt())) return;
    const lost = this.#inUse ?? (await this.#lastKnown());
    const before = known && lost?.base_url === known.baseUrl ? lost : undefined;
    if (before && before.data_dir === undefined)
      void inform(vscode.l10n.t("The earlier sandbox kept its data in memory only, so a new one is started."));
    for (let attemptsLeft = MAX_ATTEMPTS; ; attemptsLeft--) {
      try {
        return await this.#launch(before?.data_dir === undefined ? undefined : before, anyPort);
      } catch (error) {
        // Another window may be starting or stopping it, and holds the data until then.
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (await this.#adopt()) return;
        if (attemptsLeft === 0 || (error instanceof PortTaken && attemptsLeft < MAX_ATTEMPTS)) throw error;
      }
    }
  }

  async #adopt(): Promise<boolean> {
    const registered = await this.#registered();
    const secret = registered && secretOf(registered);
    if (!secret || !(await answers(secret))) return false;
    this.session.store.addTemporary(SANDBOX, secret);
    return true;
  }

  /** The data contains only the hash of the key, so the key is kept in the secret storage for the next start. */
  async #launch(before: Registered | undefined, anyPort = false): Promise<void> {
    const { extensionUri, globalStorageUri, globalState, secrets } = this.context;
    const cli = vscode.Uri.joinPath(extensionUri, "dist", "cli.js").fsPath;
    const own = vscode.Uri.joinPath(globalStorageUri, "sandbox");
    await vscode.workspace.fs.createDirectory(own);
    const dataDir = before?.data_dir ?? own.fsPath;
    const name = `sandbox ${dataDir}`;
    const earlierKey = before?.api_key ?? (await secrets.get(name));
    const port = before ? Number(new URL(before.base_url).port) : (globalState.get<number>(PORT) ?? 0);
    const wanted = anyPort ? 0 : port;
    const options = { port: wanted, ...(earlierKey ? { key: earlierKey } : {}) };
    const sandbox = await startBundledSandbox(cli, dataDir, options).catch((error: Error) => {
      throw wanted !== 0 && /is in use/.test(error.message) ? new PortTaken(wanted) : error;
    });
    const key = sandbox.secret.key.reveal();
    if (key !== earlierKey) await secrets.store(name, key);
    if (!before || anyPort) await globalState.update(PORT, Number(new URL(sandbox.secret.baseUrl).port));
    this.#own = sandbox;
    sandbox.onExit(() => {
      if (this.#own === sandbox) this.#own = undefined;
      void this.#reportIfStopped(true);
    });
    this.session.store.addTemporary(SANDBOX, sandbox.secret);
  }

  /**
   * Stops the sandbox and resolves when it has exited. False if this isn't possible, because its process is unknown.
   */
  async #end(): Promise<boolean> {
    const own = this.#own;
    if (own) {
      await new Promise<void>((resolve) => {
        own.onExit(resolve);
        own.stop();
      });
      return true;
    }
    const registered = await this.#endable();
    if (!registered) return false;
    process.kill(registered.pid, "SIGTERM");
    for (let attemptsLeft = 100; attemptsLeft > 0 && readRunningSandbox(JSON.stringify(registered)); attemptsLeft--)
      await new Promise((resolve) => setTimeout(resolve, 100));
    return true;
  }

  /** The sandbox that another program started and that may be ended here. */
  async #endable(): Promise<Registered | undefined> {
    const registered = await this.#registered();
    const inUse = this.session.connection;
    const isOther = inUse?.id === temporaryId(SANDBOX) && inUse.baseUrl !== registered?.base_url;
    return isOther ? undefined : registered;
  }

  /** Another program may have started it with its data in memory. */
  async #losesData(): Promise<boolean> {
    const registered = this.#own ? undefined : await this.#endable();
    return registered !== undefined && registered.data_dir === undefined;
  }

  /** Reads the registration while the sandbox runs, because a clean stop deletes it. */
  async #remember(): Promise<void> {
    const address = this.session.connection?.baseUrl;
    if (this.#inUse?.base_url === address) return;
    const registered = await this.#registered();
    if (registered?.base_url === address) this.#inUse = registered;
  }

  async #registered(): Promise<Registered | undefined> {
    return readRunningSandbox(await this.#file());
  }

  async #lastKnown(): Promise<Registered | undefined> {
    return readLastSandbox(await this.#file());
  }

  #file(): Promise<string | undefined> {
    return readPrivate(runningSandboxFile(stateDirectory(process.env))).catch(() => undefined);
  }

  /** Reports once that the sandbox stopped, and offers a restart. Loaded data stays visible. */
  async #reportIfStopped(wasOwn = this.#own !== undefined): Promise<void> {
    if (this.#isExpectedToEnd || this.#isReporting || this.#starting || !this.isInUse) return;
    this.#isReporting = true;
    try {
      const secret = await this.session.store.secret(temporaryId(SANDBOX));
      if (!secret || (await answers(secret))) return;
      // The window that started it was closed or reloaded, so restart it here.
      if (!wasOwn && (await this.#lastKnown())?.base_url === secret.baseUrl)
        return void (await this.start({ quiet: true }));
      // This request fails, which updates the status and the views.
      await this.session.client.eventCatalog().catch(() => undefined);
      const isSolved = () => !this.isInUse || this.session.state !== "offline";
      const restart = vscode.l10n.t("Restart");
      if (await this.#askUntil(isSolved, vscode.l10n.t("The sandbox stopped."), restart))
        await this.start({ quiet: true });
    } finally {
      this.#isReporting = false;
    }
  }
}

/** Another program uses the sandbox's port. */
class PortTaken extends Error {
  constructor(port: number) {
    super(
      vscode.l10n.t(
        "Another program uses port {0} of the local sandbox. End that program and try again. On another port, the sandbox keeps its data and its key, but every flow asks before its first push.",
        port,
      ),
    );
  }
}

function secretOf({ base_url, workflow_base_url, api_key }: Registered): ConnectionSecret {
  return { baseUrl: base_url, workflowBaseUrl: workflow_base_url, key: new Secret(api_key) };
}

async function answers(secret: ConnectionSecret): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  return new PlatformClient(fetchTransport(secret)).eventCatalog({ signal }).then(
    () => true,
    () => false,
  );
}
