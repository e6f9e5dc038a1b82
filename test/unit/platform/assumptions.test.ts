import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Endpoint, endpoints } from "../../../platform";

const root = join(__dirname, "../../..");
const page = readFileSync(join(root, "docs/assumptions.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|(---|\s*Not shown)/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test("every assumption has the open question, the choice, its file and the symptom", () => {
  assert.ok(rows.length > 20);
  for (const row of rows) {
    assert.equal(row.length, 4, row.join(" | "));
    for (const cell of row) assert.notEqual(cell, "");
  }
});

test("every assumption names one existing file", () => {
  for (const [open, , held = ""] of rows) {
    const files = [...held.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];
    assert.equal(files.length, 1, `${open}: ${held}`);
    assert.equal(files[0]?.[1], files[0]?.[2]);
    assert.ok(existsSync(join(root, files[0]?.[2] ?? "")), `${open}: there is no ${files[0]?.[2]}`);
  }
});

test("every endpoint that is assumed is on the page", () => {
  for (const { assumed, method, path } of Object.values<Endpoint>(endpoints))
    if (assumed) assert.ok(page.includes(`\`${method} ${path}\``), `${method} ${path}`);
});
