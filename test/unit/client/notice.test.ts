import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesBelow, inProject } from "../../../scripts/project";
import { withoutLinks } from "../../../text";

test("no message contains a link to a command, a file or the web", () => {
  // What VS Code renders as a link in a message (linkedText.ts).
  const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
  for (const target of ["command:workbench.action.closeWindow", "https://example.com", 'file:///etc/passwd "t"']) {
    const text = `Read [this](${target}) and [[that](${target})](${target}).`;
    assert.match(text, link);
    assert.doesNotMatch(withoutLinks(text), link);
  }
  assert.equal(withoutLinks("a [list] (of words)"), "a [list] (of words)");
});

test("messages are shown only through client/ui/notice.ts, which removes links", () => {
  const direct = filesBelow("client", ".ts").filter(
    (file) =>
      !file.endsWith("notice.ts") &&
      /\bshow(Information|Warning|Error)Message\b/.test(readFileSync(inProject(file), "utf8")),
  );
  assert.deepEqual(direct, []);
});

test("every notification with progress removes links from its title", () => {
  const unsafe = filesBelow("client", ".ts").filter((file) => {
    const text = readFileSync(inProject(file), "utf8");
    const isFixed = file.endsWith("local-sandbox.ts"); // Its titles contain no names.
    return text.includes("ProgressLocation.Notification") && !text.includes("withoutLinks(") && !isFixed;
  });
  assert.deepEqual(unsafe, []);
});
