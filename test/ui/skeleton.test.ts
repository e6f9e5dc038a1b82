import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { capture } from "../../scripts/project";
import { type Code, openCode } from "./harness";

const broken = "entry: greet\nnodes:\n  greet: {type: end\n";

let code: Code;
before(async () => {
  code = await openCode({ files: { "broken.flow.yaml": broken }, open: "broken.flow.yaml" });
});
after(() => code?.close());

test("a YAML error is underlined and listed in Problems, and disappears when fixed", () =>
  code.screenshotOnFailure("yaml-error", async () => {
    await code.squiggles("error").first().waitFor();
    const problems = await code.problems();
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

/** Ends the server of this VS Code as a crash would: the process that runs our installed dist/server.js. */
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
