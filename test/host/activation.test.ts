/** What activation does not do. A second extension has watched the extension host since before ours was activated. */
import assert from "node:assert/strict";
import { get } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import * as vscode from "vscode";
import { eventually, extensionId, test } from "./suite";

interface Call {
  readonly label: string;
  readonly stack: string;
}

test("activation takes no way to the network", async () => {
  const watcher = vscode.extensions.getExtension<{ calls: Call[] }>("assistant-flow-test.network-watch");
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(watcher?.isActive && extension, "both extensions are there, and the watch was set at the start");
  const { calls } = watcher.exports;
  await eventually("the extension is activated by itself", () => extension.isActive);
  const own = calls.filter((call) => call.stack.includes(path.join(extension.extensionPath, "dist")));
  assert.deepEqual(own, []);
  // A watch that sees nothing proves nothing: it must see this.
  await fetch("http://127.0.0.1:9/").catch(() => undefined);
  await new Promise((resolve) => get("http://127.0.0.1:1/").on("error", resolve));
  await new Promise((resolve) => connect(1, "127.0.0.1").on("error", resolve));
  const seen = calls.filter((call) => call.stack.includes("suite.js")).map((call) => call.label);
  assert.deepEqual([...new Set(seen)].sort(), ["fetch", "http get", "net connect"]);
});
