/** First impressions: an editor with a problem in each kind of theme, a YAML error, a crash of the server, the walkthrough. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { capture, inProject } from "../../scripts/project";
import { type Code, openCode } from "./harness";
import { contrast, script, themes, useTheme } from "./pages";

const FLOW = "billing.flow.yaml";
const flow = readFileSync(inProject(`examples/${FLOW}`), "utf8");
const misspelt = flow.replace("to: goodbye", "to: godbye");
const broken = "entry: greet\nnodes:\n  greet: {type: end\n";

let code: Code;
before(async () => {
  code = await openCode({ files: { [FLOW]: misspelt, ".vscode/settings.json": "{}" }, open: FLOW });
});
after(() => code?.close());

test("a flow file with a problem, in each kind of theme", () =>
  code.screenshotOnFailure("editor-themes", async () => {
    assert.notEqual(misspelt, flow);
    const problems = await code.problems();
    await problems.filter({ hasText: "godbye" }).first().click(); // Goes to the line.
    await code.squiggles("error").first().waitFor();
    for (const theme of themes) {
      await useTheme(code, theme);
      // At once, because the editor may be drawn again with other kinds of tokens.
      const ratios = `(editor) => {
        const tokens = [...editor.querySelectorAll(".view-line [class^=mtk]")];
        const kinds = [...new Set(tokens.map(({ classList }) => classList[0]))];
        const ratio = ${contrast};
        return kinds.map((kind) => [kind, ratio(editor, [".view-line ." + kind, ".monaco-editor-background"])]);
      }`;
      const kinds = (await code.editor(FLOW).evaluate(script(ratios))) as [string, number][];
      assert.ok(kinds.length >= 4, kinds.join());
      for (const [kind, ratio] of kinds) assert.ok(ratio >= 4.5, `${theme}: the contrast of ${kind} is ${ratio}`);
      await code.screenshot(`editor-${theme}`);
    }
  }));

test("a YAML error is underlined and listed in Problems, and disappears when fixed", () =>
  code.screenshotOnFailure("yaml-error", async () => {
    await useTheme(code, "dark");
    await code.closeEditors();
    await rm(path.join(code.folder, FLOW));
    await code.write("broken.flow.yaml", broken);
    await code.openFile("broken.flow.yaml");
    await code.squiggles("error").first().waitFor();
    const problems = await code.problems();
    await problems.filter({ hasText: "broken.flow.yaml" }).first().waitFor();
    await problems.filter({ hasText: "assistant-flow" }).first().waitFor();
    await code.screenshot("yaml-error");
    await code.replaceAll("broken.flow.yaml", broken.replace("end", "end}"));
    await code.squiggles("error").first().waitFor({ state: "detached" });
  }));

test("a server that crashes is restarted, with a notification", () =>
  code.screenshotOnFailure("server-crash", async () => {
    await code.openFile("broken.flow.yaml");
    await code.replaceAll("broken.flow.yaml", broken);
    await code.squiggles("error").first().waitFor();
    await endLanguageServer(code);
    await code.toast(/language server crashed and was restarted/).waitFor();
    await code.screenshot("server-crash");
    await code.replaceAll("broken.flow.yaml", broken.replace("end", "end}"));
    await code.squiggles("error").first().waitFor({ state: "detached" });
    await code.replaceAll("broken.flow.yaml", broken);
    await code.squiggles("error").first().waitFor();
  }));

test("a walkthrough opened later shows completed steps", () =>
  code.screenshotOnFailure("walkthrough-later", async () => {
    await code.write("written.flow.yaml", "entry: bye\nnodes:\n  bye: {type: end}\n");
    await code.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: "written" }).first().waitFor();
    await code.palette("Assistant Flow: Open Walkthrough");
    const step = code.page.locator(".getting-started-step").filter({ hasText: "Write a flow" });
    await step.locator(".codicon-getting-started-step-checked, .codicon-pass-filled").first().waitFor();
  }));

/** Ends the server of this VS Code like a crash: the process that runs the installed dist/server.js. */
async function endLanguageServer(running: Code): Promise<void> {
  const { output } = await capture("ps", ["-eo", "pid=,ppid=,args="]);
  const rows = output.split("\n").map((line) => line.trim().split(/\s+/));
  const isBelow = (pid: string | undefined): boolean => {
    const parent = rows.find((row) => row[0] === pid)?.[1];
    return parent !== undefined && (Number(parent) === running.server.running.process.pid || isBelow(parent));
  };
  const server = rows.find((row) => row.slice(2).some((arg) => arg.endsWith("dist/server.js")) && isBelow(row[0]));
  assert.ok(server, "the language server runs");
  process.kill(Number(server[0]), "SIGKILL");
}
