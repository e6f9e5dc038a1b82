/** A save in VS Code becomes the platform's truth, and its findings go away by their own fixes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { capture, inProject } from "../../scripts/project";
import { type Code, openCode } from "./harness";

const FILE = "support-line.flow.yaml";

/** What a rule of ours says is not said again by the platform; without the rules, everything it says is shown. */
const quiet = Object.fromEntries(
  "duplicate-edge unreachable-node missing-default undefined-variable unused-variable tool-without-error-edge"
    .split(" ")
    .map((code) => [code, "off"]),
);

/** Puts the cursor on a text of the file as it is on disk. */
async function goToText(code: Code, text: string): Promise<void> {
  const before = (await code.read(FILE)).split(text)[0] as string;
  await code.editor(FILE).locator(".view-lines").click();
  await code.goTo(before.split("\n").length, before.length - before.lastIndexOf("\n"));
}

/** What `check --platform` says the platform found, of what this VS Code has synced. It is told no address. */
async function saidByCommandLine(code: Code): Promise<string[]> {
  const flags = ["check", "--platform", "--format", "json", "--rule", "undefined-variable=off", FILE];
  const { output } = await capture(process.execPath, [inProject("dist/cli.js"), ...flags], {
    cwd: code.folder,
    env: { ...process.env, ASSISTANT_FLOW_STATE_DIR: code.server.stateDir },
  });
  const findings: { source: string; code: string }[] = JSON.parse(output).files[0].findings;
  return findings.filter(({ source }) => source === "platform").map((finding) => finding.code);
}

test("save, findings, and every kind of fix: text, YAML and operations are applied, prose is shown", async () => {
  const text = readFileSync(inProject(`examples/${FILE}`), "utf8");
  const code = await openCode({
    files: { [FILE]: text },
    open: FILE,
    sandbox: true,
    // Tall enough for the list of problems, which holds only the rows in sight.
    size: { width: 1280, height: 2000 },
    settings: { "assistantFlow.rules": quiet, "files.autoSave": "off" },
  });
  const version = (number: number) =>
    code
      .statusItem("sync")
      .filter({ hasText: `Synced v${number}` })
      .waitFor();
  const found = async (rule: string) => (await code.problems()).filter({ hasText: rule });
  try {
    await code.screenshotOnFailure("sync", async () => {
      await version(1);
      await goToText(code, "Greeting");
      await code.type("The ");
      await code.save();
      await code.toastButton(/was never sent to the platform/, "Remember for This File");
      await version(2);
      await (await found("variable.unknown")).first().waitFor();
      assert.deepEqual(
        await saidByCommandLine(code),
        ["variable.unknown"],
        "check --platform knows what VS Code synced",
      );
      for (const [step, [rule, place, fix]] of [
        ["variable.unknown", "acount_id", /Replace with "account_id"/],
        ["tool.no-error-path", "set_up_plan:", /Apply "set_up_plan: type: tool/],
        ["edge.duplicate", "anything_else\n\n  ask_cancel_reason", /Remove edge confirm_move--anything_else--2/],
      ].entries() as unknown as Iterable<[number, [string, string, RegExp]]>) {
        await (await found(rule)).first().waitFor();
        await goToText(code, place);
        await code.quickFix(fix);
        await code.page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).waitFor();
        await code.save(FILE);
        await version(3 + step);
        await (await found(rule)).waitFor({ state: "detached" });
      }
      await code.screenshot("sync-findings");
      const before = await code.read(FILE);
      await goToText(code, "promote_app:");
      await code.quickFix("Show the platform's advice");
      await code.toast(/Add an edge that leads here/).waitFor();
      assert.equal(await code.page.locator(`.tab.dirty[data-resource-name="${FILE}"]`).count(), 0);
      assert.equal(await code.read(FILE), before);
      assert.match(before, /open on account \{\{account_id\}\}/);
      assert.match(before, /confirm_plan\n\s+- to: hand_over\n\s+on: error/);
    });
  } finally {
    await code.close();
  }
});
