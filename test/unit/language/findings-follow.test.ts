/**
 * The platform's findings while the text changes without a push: undone, with other line endings, with a duplicate
 * node, replaced by another branch, closed and opened again. They stay on the text only while they apply to it.
 */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { startSandbox } from "../../../sandbox";
import { Editor } from "../../language/editor";

const FILE = "support.flow.yaml";

interface Story {
  readonly editor: Editor;
  /** The pushed text, with one blocking finding. */
  readonly pushed: string;
  /** Waits until the finding is shown this way, at the line with this text: nowhere else, and only once. */
  shows(how: "error" | "faded" | "listed" | "nothing", line?: string): Promise<void>;
}

async function story(body: (story: Story) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ demo: true });
  // Without our rule, only the platform's finding is shown.
  const editor = await Editor.start(sandbox, { rules: { "undefined-variable": "off" } });
  try {
    const example = await readFile("examples/support-line.flow.yaml", "utf8");
    const link = example.match(/^(assistant|revision): .*$/gm)?.join("\n");
    const pushed = `${link}
entry: greet
nodes:
  greet:
    type: message
    name: Greeting
    instructions: Hello {{foo}}.
    edges:
      - {to: bye}
  bye: {type: end}
`;
    await editor.write(FILE, pushed);
    const known = editor.next("pending");
    await editor.open(FILE, pushed);
    await known;
    assert.equal((await editor.act(FILE, "push")).blockingErrors, 1);
    const how = ({ severity, message }: Diagnostic) =>
      severity === 1
        ? "error"
        : severity === 4 && /edited since/.test(String(message))
          ? "faded"
          : severity === 3 && /^On the platform, v\d+: /.test(String(message))
            ? "listed"
            : `severity ${severity}: ${message}`;
    const shows: Story["shows"] = async (wanted, line = "instructions: Hello {{foo}}.") => {
      const all = (found: readonly Diagnostic[]) =>
        found
          .filter(({ code }) => code === "variable.unknown")
          .map((each) => `${how(each)} at ${editor.text(FILE).split(/\r?\n/)[each.range.start.line]?.trim()}`)
          .join("; ");
      const right = wanted === "nothing" ? "" : `${wanted} at ${line}`;
      await editor.findings(FILE, (found) => all(found) === right);
    };
    await shows("error");
    await body({ editor, pushed, shows });
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
}

const LINK = /^revision: .*$/m;
const linkLine = (text: string) => LINK.exec(text)?.[0] as string;

test("an edit that is undone leaves the finding as it was", () =>
  story(async ({ editor, pushed, shows }) => {
    const edited = pushed.replace("Hello {{foo}}.", "Hello {{food}}.");
    for (let round = 0; round < 2; round++) {
      await editor.type(FILE, edited);
      await shows("faded", "instructions: Hello {{food}}.");
      await editor.type(FILE, pushed);
      await shows("error");
    }
    // A saved edit that is undone, and the undo saved.
    await editor.autosave(FILE, edited);
    await shows("listed", linkLine(pushed));
    await editor.type(FILE, pushed);
    await editor.autosave(FILE, pushed);
    await shows("error");
  }));

test("other line endings change no finding", () =>
  story(async ({ editor, pushed, shows }) => {
    const windows = pushed.replaceAll("\n", "\r\n");
    await editor.type(FILE, windows);
    await shows("error");
    await editor.autosave(FILE, windows);
    await shows("error");
    await editor.type(FILE, windows.replace("Greeting", "Welcome"));
    await editor.autosave(FILE, editor.text(FILE));
    await shows("listed", linkLine(pushed));
    await editor.autosave(FILE, windows);
    await shows("error");
    await editor.type(FILE, pushed);
    await shows("error");
  }));

test("a second node with the same ID doesn't get the finding", () =>
  story(async ({ editor, pushed, shows }) => {
    const node = /^ {2}greet:[\s\S]*?(?=^ {2}bye)/m.exec(pushed)?.[0] ?? "";
    await editor.autosave(FILE, `${pushed}${node.replace("Hello {{foo}}.", "Again {{foo}}.")}`);
    await shows("error");
    await editor.autosave(FILE, `${pushed}${node.replace("greet:", "greet_2:").replace("Hello {{foo}}.", "Again.")}`);
    await shows("error");
    await editor.autosave(FILE, pushed);
    await shows("error");
  }));

test("a flow from another branch gets only the findings that apply to it, in either order of the two notifications", () =>
  story(async ({ editor, pushed, shows }) => {
    const branch = pushed.replace("Hello {{foo}}.", "Hello.");
    const elsewhere = pushed.replace("bye: {type: end}", "bye: {type: end, name: The end}");
    for (const isWatchedFirst of [true, false])
      for (const [text, how] of [
        [branch, "listed"],
        [elsewhere, "error"],
        [pushed, "error"],
      ] as const) {
        await editor.write(FILE, text);
        if (isWatchedFirst) await editor.watched(FILE);
        await editor.type(FILE, text);
        if (!isWatchedFirst) await editor.watched(FILE);
        await (how === "listed" ? shows("listed", linkLine(pushed)) : shows("error"));
      }
  }));

test("a file that is closed and opened again has its findings; discarded edits change none", () =>
  story(async ({ editor, pushed, shows }) => {
    await editor.type(FILE, pushed.replace("Hello {{foo}}.", "Hello {{food}}."));
    await shows("faded", "instructions: Hello {{food}}.");
    await editor.close(FILE);
    await editor.open(FILE, pushed);
    await shows("error");
    await editor.close(FILE);
    // Written by another program while it was closed.
    await editor.write(FILE, pushed.replace("Hello {{foo}}.", "Hello."));
    await editor.watched(FILE);
    await editor.open(FILE, pushed.replace("Hello {{foo}}.", "Hello."));
    await shows("listed", linkLine(pushed));
    // With the unsaved text of the last session.
    await editor.close(FILE);
    await editor.open(FILE, pushed);
    await shows("error");
  }));

test("a file that is deleted and there again, or names another revision and this one again, has its findings", () =>
  story(async ({ editor, pushed, shows }) => {
    await rm(path.join(editor.folder, FILE));
    await editor.client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: editor.uri(FILE), type: 3 }],
    });
    await editor.client.showing(editor.uri(FILE), (found) => found.length === 0);
    await editor.write(FILE, pushed);
    await editor.watched(FILE);
    await shows("error");
    const other = pushed.replace(LINK, "revision: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002");
    await editor.autosave(FILE, other);
    await shows("nothing");
    await editor.autosave(FILE, pushed);
    await shows("error");
  }));
