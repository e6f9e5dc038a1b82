/** Only `files/` reads and writes the contents of files, so that its safety checks apply everywhere. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeFolders, filesBelow, inProject } from "../../scripts/project";

/** Each with its reason. */
const allowed = [
  "sandbox/demo/example-files.ts readFileSync", // The bundled examples.
];

test("only files/ opens files", () => {
  const opens = /^(?:(?:write|append|copy|read)File|create(?:Write|Read)Stream|cp|truncate|open)(?:Sync)?$/;
  const found = codeFolders
    .filter((part) => part !== "files")
    .flatMap((part) => filesBelow(part, ".ts"))
    .flatMap((file) => {
      const text = readFileSync(inProject(file), "utf8");
      const names = [...text.matchAll(/import ([^;]*?) from "(?:node:fs(?:\/promises)?|(?:\.\.\/)+system)"/g)].flatMap(
        ([, list = ""]) => (/^(?:type )?\{/.test(list) ? list.split(/[{},]/).map((name) => name.trim()) : ["open"]), // The whole module.
      );
      return names.filter((name) => opens.test(name)).map((name) => `${file} ${name}`);
    });
  assert.deepEqual(found.sort(), allowed);
});

test("the client searches files through findFiles, since VS Code's own search may never end in a browser", () => {
  const searching = filesBelow("client", ".ts").filter((file) =>
    readFileSync(inProject(file), "utf8").includes("workspace.findFiles("),
  );
  assert.deepEqual(searching, ["client/ui/workspace-files.ts"]);
});

/** Files that may read a file with any name and through links, each with its reason. */
const anyName = [
  "cli/commands/install-merge-driver.ts", // Git's attributes, to add to them.
  "cli/commands/merge.ts", // Git's copies of flows have other names.
  "cli/files/agent-files.ts", // Instructions for agents, to add to them.
  "cli/files/rule-settings.ts", // The settings of the editor, or those given on the command line.
  "cli/files/workspace-settings.ts", // The settings of the editor.
  "cli/mcp/reference.ts", // Pages installed with the program.
  "cli/tests/generate.ts", // The existing content of the file given by `--output`.
  "client/ui/workspace-files.ts", // A file chosen in a dialog.
];

test("only FileScope reads flows, tests and policies", () => {
  const reading = codeFolders
    .filter((part) => part !== "files")
    .flatMap((part) => filesBelow(part, ".ts"))
    .filter((file) => /\breadText\(/.test(readFileSync(inProject(file), "utf8").replaceAll("clipboard.readText(", "")));
  assert.deepEqual(reading.sort(), anyName);
});

test("the client writes only through its guarded file; in a browser, where no path is a pipe or a link, through system/", () => {
  const direct = filesBelow("client", ".ts").filter((file) =>
    /workspace\.fs\.(?:readFile|writeFile)/.test(readFileSync(inProject(file), "utf8")),
  );
  assert.deepEqual(direct, ["client/browser/workspace-files.ts", "client/ui/workspace-files.ts"]);
});

/** Files that may overwrite a file without reading it, each with its reason. */
const anew = [
  "cli/commands/graph.ts", // A drawing, to the file given by `--output`.
  "cli/commands/sandbox.ts", // Private.
  "cli/commands/tools.ts", // Generated from the platform's data.
  "cli/tests/last-failed.ts", // Private.
  "client/ui/workspace-files.ts", // To a file chosen in a dialog, which asks before it overwrites.
  "client/views/reviews/rejection-files.ts", // Private.
  "platform/key-origins.ts", // Private.
  "sandbox/storage/state-file.ts", // Private.
];

test("a file that was read is replaced only if it is unchanged", () => {
  const writing = codeFolders
    .filter((part) => part !== "files")
    .flatMap((part) => filesBelow(part, ".ts"))
    .filter((file) => /\bwriteWhole\(/.test(readFileSync(inProject(file), "utf8")));
  assert.deepEqual(writing.sort(), anew);
});
