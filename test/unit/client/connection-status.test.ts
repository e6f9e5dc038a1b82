/** The connection and the environment in the status bar: their tooltips in each state. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { ExtensionContext } from "vscode";
import type { ActiveFlow } from "../../../client/active-flow";
import { registerConnections } from "../../../client/connections";
import { SANDBOX } from "../../../client/connections/sandbox-connection";
import { showEnvironment } from "../../../client/environments/switching";
import type { SyncStates } from "../../../client/sync";
import { Secret } from "../../../platform";
import type { EnvironmentView, FlowSyncState } from "../../../server/messages";
import { vscodeStub } from "../../support/vscode";

const memory = () => {
  const values = new Map<string, unknown>();
  return {
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void values.set(key, value),
    store: async (key: string, value: unknown) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
    onDidChange: () => ({ dispose: () => undefined }),
  };
};

const shown = (id: string) => vscodeStub.statusItems.get(id)?.tooltip;

test("the tooltip of the connection tells its name, its URL and its state", async () => {
  vscodeStub.settings = {};
  let status = 200;
  const platform = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end('{"events":[]}');
  });
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  const secret = { baseUrl: url, workflowBaseUrl: url, key: new Secret("key") };
  const context = { subscriptions: [], globalState: memory(), workspaceState: memory(), secrets: memory() };
  const session = registerConnections(context as unknown as ExtensionContext);
  const { store } = session;
  const ask = () => session.client.eventCatalog().catch(() => undefined);
  const is = (tooltip: string) => assert.equal(shown("connection"), `Assistant Flow: ${tooltip}`);
  try {
    is("Not connected. Click to add a connection or to start the local sandbox.");

    store.addTemporary(SANDBOX, secret);
    await session.refresh();
    await ask();
    is(`Local sandbox (${url}). Connected.`);
    assert.equal(vscodeStub.statusItems.get("connection")?.text, `$(plug) Local sandbox :${new URL(url).port}`);
    for (const { id } of store.list()) await store.remove(id);

    const { id } = await store.add("Staging", secret);
    await session.refresh();
    is(`Staging (${url}). Not checked yet. Refresh a view in the sidebar to check the connection.`);
    await ask();
    is(`Staging (${url}). Connected.`);
    status = 401;
    await ask();
    is(
      `Staging (${url}). The platform rejected the API key. It may be revoked, expired, or mistyped. Click to enter another.`,
    );
    await store.signOut(id);
    await session.refresh();
    is(`Staging (${url}). Signed out. Click to enter the API key.`);

    await store.change(id, "Staging", secret);
    await session.refresh();
    platform.closeAllConnections();
    await new Promise((resolve) => platform.close(resolve));
    await ask();
    is(`Staging (${url}). Can't reach the platform. Pushes are queued.`);
    assert.equal(
      vscodeStub.statusItems.get("connection")?.accessibilityInformation?.label,
      "Assistant Flow connection: Staging. Can't reach the platform. Pushes are queued.",
    );
    vscodeStub.trusted = false;
    await session.refresh();
    is(`Staging (${url}). This workspace isn't trusted, so nothing is sent to the platform. You can still edit flows.`);
  } finally {
    vscodeStub.trusted = true;
    platform.close();
    for (const each of context.subscriptions as { dispose(): void }[]) each.dispose();
  }
});

test("the tooltip of the environment tells where the flow is synced, if there are two", () => {
  const environments: EnvironmentView[] = [
    { name: "staging", url: "https://staging.example", isProtected: false },
    { name: "production", url: "https://production.example", isProtected: true },
  ];
  const tooltipIn = (environment: string | undefined) => {
    const state = { environments, environment, message: "The project file doesn't list this flow." };
    const states = { all: () => [state], get: () => state as unknown as FlowSyncState, onDidChange: () => undefined };
    const activeFlow = { uri: { query: "", scheme: "file" }, onDidChange: () => undefined };
    showEnvironment(states as unknown as SyncStates, activeFlow as unknown as ActiveFlow);
    return shown("environment");
  };
  assert.equal(tooltipIn("staging"), 'The flow is synced with "staging" (https://staging.example). Click to switch.');
  assert.equal(
    tooltipIn("production"),
    'The flow is compared with "production" (https://production.example). It is protected, so only a promotion changes it. Click to switch.',
  );
  assert.equal(tooltipIn(undefined), "The project file doesn't list this flow. Click to switch.");
});
