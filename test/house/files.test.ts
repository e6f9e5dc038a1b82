/** Contents of files are read and written in `files/` alone: what is careful about it has one home. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeFolders, filesBelow, inProject } from "../../scripts/project";

/** With the reason why each may. */
const allowed = [
  "sandbox/demo/example.ts readFileSync", // The examples that are packed with it.
  "sandbox/storage/journal.ts open", // Appends to a file that it has made, exclusively.
  "sandbox/storage/lock.ts writeFileSync", // Exclusively, under a random name.
  "sync/node-world.ts open", // Flushes what files/ wrote.
];

test("nothing outside files/ opens files", () => {
  const opens = /^(?:(?:write|append|copy|read)File|create(?:Write|Read)Stream|cp|truncate|open)(?:Sync)?$/;
  const found = codeFolders
    .filter((part) => part !== "files")
    .flatMap((part) => filesBelow(part, ".ts"))
    .flatMap((file) => {
      const text = readFileSync(inProject(file), "utf8");
      const names = [...text.matchAll(/import ([^;]*?) from "node:fs(?:\/promises)?"/g)].flatMap(
        ([, list = ""]) => (list.startsWith("{") ? list.split(/[{},]/).map((name) => name.trim()) : ["open"]), // All of it.
      );
      return names.filter((name) => opens.test(name)).map((name) => `${file} ${name}`);
    });
  assert.deepEqual(found.sort(), allowed);
});

test("the client writes through its guarded file alone", () => {
  const direct = filesBelow("client", ".ts").filter((file) =>
    /workspace\.fs\.(?:readFile|writeFile)/.test(readFileSync(inProject(file), "utf8")),
  );
  assert.deepEqual(direct, ["client/ui/workspace-files.ts"]);
});
