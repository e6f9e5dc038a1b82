/** Commands to add, edit, switch, and remove connections. */
import * as vscode from "vscode";
import { addressProblem, fetchTransport, keyProblem, PlatformClient, PlatformError, Secret } from "../../platform";
import { setContext } from "../ui/context";
import { askSteps, type FormField, type FormValues } from "../ui/forms";
import { confirm, inform, onCommand, showError, withNotice } from "../ui/notice";
import { LocalSandbox } from "./local-sandbox";
import type { Session } from "./session";
import type { Connection, ConnectionSecret, ConnectionStore } from "./store";

export function registerConnectionCommands(context: vscode.ExtensionContext, session: Session): void {
  const { store } = session;
  const sandbox = new LocalSandbox(context, session);
  context.subscriptions.push(
    sandbox,
    session.onDidChange(() => setContext("usesSandbox", sandbox.isInUse)),
  );
  onCommand(context, "addConnection", () => addConnection(store));
  onCommand(context, "editConnection", (target?: Connection) => editConnection(session, target));
  onCommand(context, "enterKey", (target?: Connection) => editConnection(session, target, ["key", "workflowKey"]));
  onCommand(context, "signOut", (target?: Connection) => signOut(session, target));
  onCommand(context, "removeConnection", (target?: Connection) => removeConnection(session, target));
  onCommand(context, "switchConnection", () => switchConnection(session, sandbox));
  onCommand(context, "tryAgain", () => session.refresh());
  onCommand(context, "startSandbox", async (from?: unknown) => {
    await sandbox.start();
    // The view with the link is gone now, and the focus with it.
    if (from === "view" && sandbox.isInUse) await vscode.commands.executeCommand("assistantFlow.flows.focus");
  });
  onCommand(context, "stopSandbox", () => sandbox.stop());
  onCommand(context, "restartSandbox", () => sandbox.restart());
}

/** `kept` is the stored key. It is used if no other key is entered and the addresses stay the same. */
const fields = (others: readonly Connection[], kept?: ConnectionSecret): readonly FormField[] => [
  {
    name: "name",
    label: vscode.l10n.t("Connection name"),
    placeholder: vscode.l10n.t("Staging"),
    required: true,
    check: (value) =>
      others.some((other) => other.name === value)
        ? vscode.l10n.t('A connection named "{0}" already exists.', value)
        : undefined,
  },
  {
    name: "baseUrl",
    label: vscode.l10n.t("Platform URL (base_url)"),
    placeholder: "https://api.example.com",
    required: true,
    check: addressProblem,
  },
  {
    name: "workflowBaseUrl",
    label: vscode.l10n.t("Calling URL (workflow_base_url)"),
    placeholder: "https://calls.example.com",
    required: true,
    check: addressProblem,
  },
  {
    name: "key",
    label: kept
      ? vscode.l10n.t("API key (leave empty to keep the current key; required if a URL changed)")
      : vscode.l10n.t("API key"),
    password: true,
    required: (values) => !keeps(kept, values),
    check: keyProblem,
  },
  {
    name: "workflowKey",
    label: vscode.l10n.t("Key for calling (leave empty to use the same key)"),
    password: true,
    check: keyProblem,
    when: (values) => Boolean(values.key) || !keeps(kept, values),
  },
];

/** A key is only used with the addresses it was entered for; other addresses require entering it again. */
function keeps(kept: ConnectionSecret | undefined, { baseUrl, workflowBaseUrl }: FormValues): boolean {
  return kept !== undefined && kept.baseUrl === baseUrl && kept.workflowBaseUrl === workflowBaseUrl;
}

/** Asks for the key of a platform that has no connection yet, and adds one. The user sees the URL that the key is for. */
export async function addKeyFor(session: Session, name: string, baseUrl: string, calling: string): Promise<boolean> {
  const { store } = session;
  const taken = new Set(store.list().map((each) => each.name));
  const free = taken.has(name) ? `${name} (${new URL(baseUrl).host})` : name;
  const asked = fields([]).filter((field) => ["key", "workflowKey"].includes(field.name));
  const filled = await fillIn(vscode.l10n.t("Enter API Key for {0} ({1})", name, baseUrl), asked, {
    name: free,
    baseUrl,
    workflowBaseUrl: calling,
  });
  if (!filled) return false;
  // A new connection doesn't replace the active one, and two of them don't leave the window without one.
  const active = session.connection;
  const added = await store.add(filled.name, filled.secret);
  await store.activate((active ?? added).id);
  return true;
}

async function addConnection(store: ConnectionStore): Promise<Connection | undefined> {
  const filled = await fillIn(vscode.l10n.t("Add Connection"), fields(store.list()), {});
  if (!filled) return undefined;
  const connection = await store.add(filled.name, filled.secret);
  await store.activate(connection.id);
  if (filled.answered) void inform(vscode.l10n.t('Connected to "{0}".', connection.name));
  return connection;
}

async function editConnection(session: Session, target?: Connection, only?: readonly string[]): Promise<void> {
  const connection = target ?? session.connection;
  if (!connection) return void addConnection(session.store);
  const secret = await session.store.secret(connection.id);
  const others = session.store.list().filter((other) => other.id !== connection.id);
  // The stored key is never shown, not even as dots, which would reveal its length.
  const start = {
    name: connection.name,
    baseUrl: secret?.baseUrl ?? connection.baseUrl,
    workflowBaseUrl: secret?.workflowBaseUrl ?? connection.workflowBaseUrl,
  };
  const filled = only
    ? await fillIn(
        vscode.l10n.t("Enter API Key for {0}", connection.name),
        fields(others).filter((field) => only.includes(field.name)),
        start,
      )
    : await fillIn(vscode.l10n.t("Edit {0}", connection.name), fields(others, secret), start, secret);
  if (filled) await session.store.change(connection.id, filled.name, filled.secret);
}

/**
 * Shows the form, tests the values with a request, and shows the form again if that fails. In an untrusted workspace
 * the values are saved untested. `answered` means that the platform accepted them.
 */
async function fillIn(
  title: string,
  asked: readonly FormField[],
  start: FormValues,
  kept?: ConnectionSecret,
): Promise<{ name: string; secret: ConnectionSecret; answered: boolean } | undefined> {
  let values = start;
  let problems: Record<string, string> = {};
  while (true) {
    const answers = await askSteps(title, asked, { values, problems });
    if (!answers) return undefined;
    values = answers;
    const { name = "", baseUrl = "", workflowBaseUrl = "", key = "", workflowKey } = values;
    const second = workflowKey ? { workflowKey: new Secret(workflowKey) } : {};
    const secret = kept && key === "" ? kept : { baseUrl, workflowBaseUrl, key: new Secret(key), ...second };
    if (!vscode.workspace.isTrusted) {
      void inform(vscode.l10n.t('"{0}" was saved but not tested: this workspace isn\'t trusted.', name));
      return { name, secret, answered: false };
    }
    const problem = await tryConnection(name, secret);
    problems = {};
    if (problem === "cancelled") continue;
    if (!problem) return { name, secret, answered: true };
    const choice = await showError(problem.message, vscode.l10n.t("Edit"), vscode.l10n.t("Save Anyway"));
    if (choice === vscode.l10n.t("Save Anyway")) return { name, secret, answered: false };
    if (choice !== vscode.l10n.t("Edit")) return undefined;
    problems = { [problem.field]: problem.message };
  }
}

/** Makes one harmless request to each address. */
async function tryConnection(
  name: string,
  secret: ConnectionSecret,
): Promise<{ field: string; message: string } | "cancelled" | undefined> {
  const client = new PlatformClient(fetchTransport(secret));
  return withNotice(vscode.l10n.t('Testing "{0}"…', name), async (signal) => {
    const options = { signal };
    const problem =
      (await complaint("baseUrl", "key", client.eventCatalog(options))) ??
      (await complaint(
        "workflowBaseUrl",
        secret.workflowKey ? "workflowKey" : "key",
        client.listWorkflows({ limit: "1" }, options),
      ));
    return signal.aborted ? "cancelled" : problem;
  });
}

async function complaint(
  address: string,
  key: string,
  request: Promise<unknown>,
): Promise<{ field: string; message: string } | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    // A key without this permission is still valid.
    if (error.kind === "forbidden") return undefined;
    return { field: error.kind === "unauthorized" ? key : address, message: error.message };
  }
}

async function signOut(session: Session, target?: Connection): Promise<void> {
  const connection = target ?? session.connection;
  if (!connection) return;
  if (connection.temporary) await session.store.remove(connection.id);
  else await session.store.signOut(connection.id);
  void inform(vscode.l10n.t('Signed out of "{0}". Its key was removed from this computer.', connection.name));
}

async function removeConnection(session: Session, target?: Connection): Promise<void> {
  const connection = target ?? (await pickConnection(session, vscode.l10n.t("Select a connection to remove")));
  if (!connection) return;
  const question = vscode.l10n.t('Remove the connection "{0}" and its key from this computer?', connection.name);
  const detail = vscode.l10n.t("This doesn't revoke the key. Revoke it on the platform if it's no longer needed.");
  if ((await confirm(question, detail, vscode.l10n.t("Remove"))) === vscode.l10n.t("Remove"))
    await session.store.remove(connection.id);
}

async function switchConnection(session: Session, sandbox: LocalSandbox): Promise<void> {
  const current = session.connection;
  const rows = [
    ...session.store.list().map((connection) => ({
      label: `${connection.id === current?.id ? "$(check)" : "$(plug)"} ${connection.name}`,
      description: connection.baseUrl,
      run: () => session.store.activate(connection.id),
    })),
    { label: "", kind: vscode.QuickPickItemKind.Separator, run: () => undefined },
    { label: vscode.l10n.t("$(add) Add Connection…"), run: () => addConnection(session.store) },
    ...sandboxRows(sandbox),
    // The sandbox manages its own key, and is stopped rather than removed.
    ...(current && !current.temporary
      ? [
          {
            label: vscode.l10n.t("$(key) Enter API Key for {0}…", current.name),
            run: () => editConnection(session, current, ["key", "workflowKey"]),
          },
          { label: vscode.l10n.t("$(edit) Edit {0}…", current.name), run: () => editConnection(session, current) },
          { label: vscode.l10n.t("$(sign-out) Sign Out of {0}", current.name), run: () => signOut(session, current) },
          { label: vscode.l10n.t("$(trash) Remove {0}…", current.name), run: () => removeConnection(session, current) },
        ]
      : []),
  ];
  const row = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Assistant Flow: Connection"),
    placeHolder: vscode.l10n.t("Select a connection for this window"),
  });
  await row?.run();
}

function sandboxRows(sandbox: LocalSandbox) {
  return sandbox.isInUse
    ? [
        { label: vscode.l10n.t("$(debug-restart) Restart Local Sandbox"), run: () => sandbox.restart() },
        { label: vscode.l10n.t("$(debug-stop) Stop Local Sandbox"), run: () => sandbox.stop() },
      ]
    : [{ label: vscode.l10n.t("$(beaker) Start Local Sandbox"), run: () => sandbox.start() }];
}

async function pickConnection(session: Session, title: string): Promise<Connection | undefined> {
  const rows = session.store
    .list()
    .map((connection) => ({ label: connection.name, description: connection.baseUrl, connection }));
  return (await vscode.window.showQuickPick(rows, { title }))?.connection;
}
