/**
 * Texts of a flow in a comment on a pull request: hosts notify mentioned users in it, and link issues to it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import MarkdownIt from "markdown-it";
import { inFolder, posix, runInProcess } from "./outsider";

/**
 * How hosts write users, teams, issues and merge requests. They look for them after resolving escapes, outside code.
 */
const MENTION = /@[\w-]|[#!&%~$]\w|\bGH-\d/i;

const names = [
  "@octocat",
  "@org/team",
  "cc:@all",
  "#2",
  "org/repo#2",
  "GH-2",
  "!7",
  "&7",
  "\\@octocat",
  "`@octocat`",
  "` @octocat",
  "a@octocat.test",
  "@<b>octocat",
];

/** The text, as opposed to code. An escaped character is a separate token, so adjacent ones are joined. */
function textsIn(markdown: string): string[] {
  return new MarkdownIt({ html: true }).parse(markdown, {}).flatMap(({ children }) => {
    const joined = (children ?? []).map(({ type, content }) => (type.startsWith("text") ? content : "\n"));
    return joined.join("").split("\n");
  });
}

test("a Markdown report contains no mentions or issue links", posix, async () => {
  for (const name of names) {
    const quoted = JSON.stringify(name);
    const flow = (words: string, condition: string) =>
      `entry: greet\nnodes:\n  greet:\n    type: message\n    name: ${JSON.stringify(words)}\n    instructions: ${JSON.stringify(`Say hello to ${words} and wait.`)}\n    edges:\n      - to: ${quoted}\n        when: ${JSON.stringify(condition)}\n  ${quoted}: {type: end}\n`;
    const files = { "a.flow.yaml": flow("you", "x"), [`b ${name.replaceAll("/", "-")}.flow.yaml`]: flow(name, name) };
    await inFolder(files, async (folder) => {
      const { out, err } = await runInProcess(["diff", ...Object.keys(files), "--format", "markdown"], { cwd: folder });
      assert.match(out, /Flow changes/, err);
      assert.deepEqual(
        textsIn(out).filter((text) => MENTION.test(text)),
        [],
        name,
      );
    });
  }
});
