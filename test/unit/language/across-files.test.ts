/** Cross-file diagnostics follow the other file when it is edited, saved, closed and removed. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "../../language/client";

const ID = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001";
const component = `assistant: ${ID}
entry: ask
context_variables:
  account: {type: string, source: external}
nodes:
  ask: {type: collect, variable: account, instructions: Ask., edges: [{to: bye}]}
  bye: {type: end}
component_outputs:
  - {name: solved, value: "{{account}}"}
`;
const user = `entry: run
context_variables:
  done: {type: string}
nodes:
  run:
    type: component
    component: ${ID}
    inputs: {account: "4711"}
    saves: {done: $.solved}
    edges: [{to: bye}]
  bye: {type: end, instructions: "{{done}}"}
`;

test("a flow is checked again whenever its component changes", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "aflow-across-"));
  const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const file = path.join(folder, "component.flow.yaml");
  await writeFile(file, component);
  const client = await Client.start({ folders: [pathToFileURL(folder).href] });
  /** Waits until the flow that uses the component has exactly these codes. */
  const shows = (...codes: string[]) =>
    client.showing(uri("user.flow.yaml"), (found) => {
      const shown = found.map(({ code }) => code).filter((code) => code !== "may-be-unset");
      return String(shown.sort()) === String(codes);
    });
  const told = (type: number) =>
    client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uri("component.flow.yaml"), type }],
    });
  try {
    await client.open(uri("user.flow.yaml"), user);
    await shows();
    // Changed on disk by another program.
    await writeFile(file, component.replace("solved", "settled"));
    await told(2);
    const [output] = await shows("unknown-component-output");
    assert.match(String(output?.message), /solved/);
    // Changed in an editor, unsaved.
    await client.open(uri("component.flow.yaml"), component);
    await shows();
    await client.change(uri("component.flow.yaml"), 2, [{ text: component.replaceAll("account", "number") }]);
    const [input] = await shows("unknown-component-input");
    assert.match(String(input?.message), /account/);
    // Closed without saving: the file on disk counts again.
    await client.close(uri("component.flow.yaml"));
    await shows("unknown-component-output");
    // Deleted: its outputs are unknown.
    await rm(file);
    await told(3);
    await shows();
  } finally {
    await client.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("the problems of a flow move with it, also in an editor that doesn't watch files", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "aflow-renamed-"));
  const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const move = async (from: string, to: string, ...files: [old: string, now: string][]) => {
    await rename(path.join(folder, from), path.join(folder, to));
    const event = { files: [{ oldUri: uri(from), newUri: uri(to) }] };
    await client.connection.sendNotification("workspace/didRenameFiles", event);
    for (const [old, now] of files) {
      await client.showing(uri(old), (found) => found.length === 0);
      await client.showing(uri(now), (found) => found.length > 0);
    }
  };
  await mkdir(path.join(folder, "in"));
  await writeFile(path.join(folder, "in", "a.flow.yaml"), "entry: missing\nnodes:\n  bye: {type: end}\n");
  const client = await Client.start({ folders: [pathToFileURL(folder).href] });
  try {
    await client.showing(uri("in/a.flow.yaml"), (found) => found.length > 0);
    await move("in/a.flow.yaml", "in/b.flow.yaml", ["in/a.flow.yaml", "in/b.flow.yaml"]);
    await move("in", "out", ["in/b.flow.yaml", "out/b.flow.yaml"]);
  } finally {
    await client.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
