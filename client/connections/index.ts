/** Registers connections: the store, the session, their commands, and the status bar item. */
import * as vscode from "vscode";
import { registerConnectionCommands } from "./commands";
import { secretFromEnvironment } from "./environment";
import { SANDBOX } from "./sandbox-connection";
import { Session, type SessionState } from "./session";
import { type Connection, ConnectionStore } from "./store";

export { addKeyFor } from "./commands";
export { freeDemoLink, usesSandbox } from "./sandbox-connection";
export type { Session, SessionState } from "./session";
export type { Connection } from "./store";

export function registerConnections(context: vscode.ExtensionContext): Session {
  const store = new ConnectionStore(context.globalState, context.workspaceState, context.secrets);
  const handedOver = secretFromEnvironment(process.env);
  if (handedOver) store.addTemporary(SANDBOX, handedOver);
  const session = new Session(store);
  context.subscriptions.push(
    session,
    context.secrets.onDidChange(() => store.secretsChanged()),
    showStatus(session),
  );
  registerConnectionCommands(context, session);
  return session;
}

const looks: Record<SessionState, { icon: string; text: string; warns?: boolean }> = {
  "no-connection": {
    icon: "plug",
    text: vscode.l10n.t("Not connected. Click to add a connection or to start the local sandbox."),
  },
  untrusted: {
    icon: "shield",
    text: vscode.l10n.t("This workspace isn't trusted, so nothing is sent to the platform. You can still edit flows."),
  },
  "signed-out": { icon: "key", text: vscode.l10n.t("Signed out. Click to enter the API key."), warns: true },
  unknown: {
    icon: "plug",
    text: vscode.l10n.t("Not checked yet. Refresh a view in the sidebar to check the connection."),
  },
  connected: { icon: "plug", text: vscode.l10n.t("Connected.") },
  unauthorized: {
    icon: "key",
    text: vscode.l10n.t(
      "The platform rejected the API key. It may be revoked, expired, or mistyped. Click to enter another.",
    ),
    warns: true,
  },
  offline: {
    icon: "debug-disconnect",
    text: vscode.l10n.t("Can't reach the platform. Pushes are queued."),
    warns: true,
  },
};

/** Distinguishes sandboxes by port. In a browser, there's only one, without a port. */
function portOf(connection: Connection | undefined): string {
  const port = connection?.temporary ? new URL(connection.baseUrl).port : "";
  return port && ` :${port}`;
}

function showStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("connection", vscode.StatusBarAlignment.Left, 10);
  item.name = vscode.l10n.t("Assistant Flow: Connection");
  item.command = "assistantFlow.switchConnection";
  const update = () => {
    const look = looks[session.state];
    const name = session.connection?.name ?? vscode.l10n.t("Not connected");
    item.text = `$(${look.icon}) ${name}${portOf(session.connection)}`;
    item.tooltip = vscode.l10n.t(
      "Assistant Flow: {0}{1}",
      session.connection ? `${name} (${session.connection.baseUrl}). ` : "",
      look.text,
    );
    item.accessibilityInformation = {
      label: vscode.l10n.t("Assistant Flow connection: {0}. {1}", name, look.text),
      role: "button",
    };
    item.backgroundColor = look.warns ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    item.show();
  };
  const subscription = session.onDidChange(update);
  update();

  return vscode.Disposable.from(subscription, item);
}
