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
  "sync/node-environment.ts open", // Flushes what files/ wrote.
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

/** With the reason why each may read a file whatever its name is and wherever links lead. */
const anyName = [
  "cli/commands/install-merge-driver.ts", // Git's attributes, to add to them.
  "cli/commands/merge.ts", // Git's copies of flows have names of their own.
  "cli/files/agent-files.ts", // Instructions for agents, to add to them.
  "cli/files/rule-settings.ts", // The settings of the editor, or those that the command line names.
  "cli/mcp/reference.ts", // Pages that are installed with the program.
  "cli/tests/generate.ts", // What is in the file that `--output` names.
  "client/ui/workspace-files.ts", // The file that was chosen in a dialog.
  "server/workspace/digest-cache.ts", // The program itself.
];

test("flows, tests and policies are read by FileScope alone", () => {
  const reading = codeFolders
    .filter((part) => part !== "files")
    .flatMap((part) => filesBelow(part, ".ts"))
    .filter((file) => /\breadText\(/.test(readFileSync(inProject(file), "utf8").replaceAll("clipboard.readText(", "")));
  assert.deepEqual(reading.sort(), anyName);
});

test("the client writes through its guarded file alone", () => {
  const direct = filesBelow("client", ".ts").filter((file) =>
    /workspace\.fs\.(?:readFile|writeFile)/.test(readFileSync(inProject(file), "utf8")),
  );
  assert.deepEqual(direct, ["client/ui/workspace-files.ts"]);
});

/** With the reason why each may write without looking at what is there. */
const anew = [
  "cli/commands/graph.ts", // A drawing, to the file that `--output` names.
  "cli/commands/sandbox.ts", // Private.
  "cli/commands/tools.ts", // Generated whole from what the platform has.
  "cli/tests/last-failed.ts", // Private.
  "client/ui/workspace-files.ts", // To the file that was chosen in a dialog, which asks before it overwrites.
  "client/views/reviews/rejection-files.ts", // Private.
  "platform/key-origins.ts", // Private.
  "sandbox/storage/journal.ts", // Private.
  "server/workspace/digest-cache.ts", // Private.
  "sync/journal/last-findings.ts", // Private.
];

test("a file that was read is replaced only while it says the same", () => {
  const writing = codeFolders
    .filter((part) => part !== "files")
    .flatMap((part) => filesBelow(part, ".ts"))
    .filter((file) => /\bwriteWhole\(/.test(readFileSync(inProject(file), "utf8")));
  assert.deepEqual(writing.sort(), anew);
});
