/** What activation must not do. A second extension watches the extension host from before ours is activated. */
import assert from "node:assert/strict";
import { get } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import * as vscode from "vscode";
import { eventually, extensionId, test } from "./suite";

interface Watch {
  /** Modules that open connections to other machines. */
  readonly calls: readonly { readonly label: string; readonly stack: string }[];
  /** The files that were read, and the processor time of the reads. */
  readonly read: readonly { readonly file: string; readonly microseconds: number }[];
  /** The processor time of each activation, and the files that were read until its end. */
  readonly activations: readonly {
    readonly file: string;
    readonly microseconds: number;
    readonly read: readonly string[];
  }[];
}

async function activated(): Promise<{ watch: Watch; dist: string }> {
  const watcher = vscode.extensions.getExtension<Watch>("assistant-flow-test.network-watch");
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(watcher?.isActive && extension, "both extensions are there, and the watch was set at the start");
  await eventually("the extension is activated by itself", () => extension.isActive);
  return { watch: watcher.exports, dist: path.join(extension.extensionPath, "dist") };
}

test("activation doesn't load network modules", async () => {
  const { watch, dist } = await activated();
  const { calls } = watch;
  const own = calls.filter((call) => call.stack.includes(dist));
  assert.deepEqual(own, []);
  // A watch that records nothing proves nothing: it must record this.
  await fetch("http://127.0.0.1:9/").catch(() => undefined);
  await new Promise((resolve) => get("http://127.0.0.1:1/").on("error", resolve));
  await new Promise((resolve) => connect(1, "127.0.0.1").on("error", resolve));
  const seen = calls.filter((call) => call.stack.includes("suite.js")).map((call) => call.label);
  assert.deepEqual([...new Set(seen)].sort(), ["fetch", "http get", "net connect"]);
});

test("activation reads one file and takes little processor time", async () => {
  const { watch, dist } = await activated();
  const read = (name: string) => watch.read.find((each) => each.file === path.join(dist, name));
  const library = await eventually("the language client's library is read", () => read("client-protocol.js"));
  const own = read("client.js");
  const activation = watch.activations.find((each) => each.file === own?.file);
  assert.ok(own && activation, "the watch saw the activation");
  assert.deepEqual(
    activation.read.filter((file) => file.startsWith(dist)),
    [own.file],
  );
  // Both times are of the same process, so other load on the machine affects both. The usual ratio is 1 to 2.
  const times = (own.microseconds + activation.microseconds) / library.microseconds;
  assert.ok(times < 4, `activation took ${times.toFixed(1)} times what reading the library takes`);
});
