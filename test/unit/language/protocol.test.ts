import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "../../language/client";

let client: Client;
before(async () => {
  client = await Client.start();
});
after(async () => {
  assert.equal(await client.stop(), 0);
});

test("diagnostics come with the version of the text they were made from, and go when the file is closed", async () => {
  const uri = "file:///versioned.flow.yaml";
  await client.open(uri, "entry: a\nnodes:\n  a: {type: end}\n");
  assert.deepEqual(
    (await client.diagnostics(uri, 1)).filter((each) => each.code === "yaml-syntax"),
    [],
  );
  const at = (line: number, character: number) => ({ line, character });
  await client.change(uri, 2, [{ range: { start: at(2, 15), end: at(2, 16) }, text: "" }]);
  const broken = await client.diagnostics(uri, 2);
  assert.ok(broken.some((each) => each.code === "yaml-syntax"));
  await client.close(uri);
  await client.nextPublish(
    (params) => params.uri === uri && params.version === undefined && !params.diagnostics.length,
  );
});
