/** The version that a graph is compared with. */
import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import { OtherVersions } from "../../../client/pages/graph-comparison";
import { GraphRequest } from "../../../server/messages";

test("a flow without another version says what to do: link it, or sync it once", async () => {
  const server = { sendRequest: async (method: string) => (method === GraphRequest.method ? { nodes: [] } : null) };
  const problem = async (state: object | undefined) => {
    const others = new OtherVersions(server as never, { get: () => state } as never);
    return (await others.viewOf(vscode.Uri.parse("file:///a.flow.yaml"), { kind: "base" }))?.comparison;
  };
  assert.deepEqual(await problem({ kind: "unlinked" }), {
    problem: "This flow isn't linked. Link it to an assistant first.",
  });
  const unsynced = { problem: "This flow wasn't synced yet. Push or pull it once." };
  for (const state of [undefined, { kind: "unlinked", reason: "no-connection" }, { kind: "pending" }])
    assert.deepEqual(await problem(state), unsynced);
});
