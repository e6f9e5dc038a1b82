/**
 * Paths, IDs and transcripts of calls in the Markdown of `drift`, `promote` and `calls report`: tables, summaries and lists.
 */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { toMarkdown } from "../../webview/call/markdown";
import { keysOf, NAMED_FLOW, projectText, startEnvironment } from "../support/environments";
import { hostileTexts, liveIn } from "./hostile-texts";
import { inFolder, posix, runInProcess } from "./outsider";

/** A `|` ends a cell even in code, and code isn't code inside HTML. */
const names = ["a`|![](x.png)|`b", "<img src=x> <a href=x>", "|[a](command:x)|<b>", "``|<https:evil.test>|", "x"];

/** Our own part: headings, tables, and HTML without text from others. */
const OURS =
  /^(?:heading|table|html_\w+ (?:<!-- assistant-flow \w+ -->|<details><summary>[\w ]+<\/summary>|<\/details>|<\/?(?:ins|del)>)\s*$)/;

function assertDead(markdown: string, what: string): void {
  const live = liveIn(markdown.replaceAll("\ufe0f", "")).filter((each) => !OURS.test(each));
  assert.deepEqual(live, [], `${what}:\n${markdown}`);
}

test("paths of flows in the reports of environments", posix, async () => {
  const environments = [await startEnvironment("staging"), await startEnvironment("prod")];
  try {
    for (const name of names) {
      const file = `${name}.flow.yaml`;
      const project = projectText(environments, JSON.stringify(file));
      await inFolder({ [file]: NAMED_FLOW, "assistant-flow.project.yaml": project }, async (folder) => {
        const env = { ...keysOf(environments), ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
        for (const args of [
          ["drift", "--all"],
          ["promote", "--from", "staging", "--to", "prod", "--dry-run"],
        ]) {
          const { out, err } = await runInProcess([...args, "--format", "markdown"], { cwd: folder, env });
          assert.match(out, /\| Operations \|\n/, err);
          if (args[0] === "drift") assert.match(out, /<details>/, err);
          assertDead(out, args.join(" "));
        }
      });
    }
  } finally {
    for (const each of environments) await each.stop();
  }
});

test("node IDs and end reasons in a report of calls", () => {
  const words = [
    ...names,
    "\\|[a](command:x)\\\\|<b>",
    ...hostileTexts.filter((each) => each.length < 200 && !each.includes("\0")),
  ];
  const node = (id: string) =>
    JSON.stringify(id).replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const last = words.length - 1;
  const nodes = words.map(
    (id, at) =>
      `  ${node(`${at}${id}`)}: {type: ${at === last ? "end" : "message"}${at === last ? "" : `, edges: [{to: ${node(`${at + 1}${words[at + 1]}`)}}]`}}`,
  );
  const calls = words.map((reason, at) =>
    JSON.stringify({ id: `${at}`, transcript: [], callEndedReason: reason, callEndedBy: "assistant" }),
  );
  const files = {
    "a.flow.yaml": `entry: ${node(`0${words[0]}`)}\nnodes:\n${nodes.join("\n")}\n`,
    "calls.jsonl": calls.join("\n"),
  };
  return inFolder(files, async (folder) => {
    const args = ["calls", "report", "--flow", "a.flow.yaml", "--calls", "calls.jsonl", "--format", "markdown"];
    const { code, out, err } = await runInProcess(args, { cwd: folder });
    assert.equal(code, 0, err);
    assert.match(out, /Reasons: `/);
    assertDead(out, "calls report");
  });
});

test("a call that is copied or exported as Markdown", () => {
  for (const words of [...names, ...hostileTexts, "@octocat", "#2", "\u202e\u001b[2J"]) {
    const turn = { id: 1, user: words, text: words, created_at: words };
    const call = { id: words, firstName: words, phone: words, status: words, callStartedAt: words, summary: words };
    const more = { callEndedReason: words, transcript: [turn], variables: { [words]: words }, disclosures: [words] };
    const markdown = toMarkdown({ ...call, ...more } as Parameters<typeof toMarkdown>[0]);
    assertDead(markdown, JSON.stringify(words));
    if (/^[@#]\w+$/.test(words)) assert.doesNotMatch(markdown.replace(/`[^`\n]*`/g, ""), /[@#]\w/);
  }
});
