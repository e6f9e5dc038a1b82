import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaultSettings, readSettings } from "../../../server/settings";
import { serverProgram } from "../../language/client";

test("the settings in VS Code are those of the server, with the same defaults", () => {
  const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
  const properties = contributes.configuration.properties as Record<string, { default: unknown }>;
  for (const [section, values] of Object.entries(defaultSettings)) {
    if (section === "rules") continue;
    for (const [name, value] of Object.entries(values as object))
      assert.deepEqual(properties[`assistantFlow.${section}.${name}`]?.default, value, `${section}.${name}`);
  }
});

test("invalid settings keep their defaults", () => {
  for (const sent of [
    undefined,
    null,
    3,
    "x",
    [],
    { rules: 3, codeLens: null, links: [], diagnostics: { workspace: "yes" } },
  ])
    assert.deepEqual(readSettings(sent), defaultSettings);
  const read = readSettings({
    rules: { "dead-end": "off", other: "loud", "missing-default": "hint" },
    codeLens: { plan: false, edges: 1 },
    links: { tool: "https://x/{id}" },
    more: true,
  });
  assert.deepEqual(read.rules, { "dead-end": "off", "missing-default": "hint" });
  assert.deepEqual(read.codeLens, { ...defaultSettings.codeLens, plan: false });
  assert.equal(read.links.tool, "https://x/{id}");
  assert.deepEqual(Object.keys(read).sort(), Object.keys(defaultSettings).sort());
});

test("without a transport, the server prints what to pass", () => {
  const run = spawnSync(process.execPath, serverProgram, { encoding: "utf8" });
  assert.equal(run.status, 2);
  assert.equal(run.stderr, "Pass a transport: --stdio or --node-ipc.\n");
});
