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

test("a YAML error is underlined, named in the problems, and gone when mended", () =>
  code.screenshotOnFailure("yaml-error", async () => {
    await code.squiggles("error").first().waitFor();
    const problems = await code.problems();
    await problems.filter({ hasText: "assistant-flow" }).first().waitFor();
    await code.screenshot("yaml-error");
    await code.replaceAll("broken.flow.yaml", broken.replace("end", "end}"));
    await code.squiggles("error").first().waitFor({ state: "detached" });
  }));

test("activation takes less than 100 ms of the extension host, by VS Code's own figure", async () => {
  // The figure is wall-clock time, so on a busy machine the best of several starts tells what activation itself takes.
  const figures: number[] = [];
  await code.page.setViewportSize({ width: 1280, height: 2400 }); // The list shows only the rows in sight.
  try {
    for (let round = 0; round < 8 && !(Math.min(...figures) < 100); round += 1) {
      if (round > 0) await code.reload();
      await code.statusItem("connection").waitFor();
      await code.palette("Developer: Show Running Extensions");
      const rows = code.page.locator(".runtime-extensions-editor .monaco-list-row");
      const own = rows.filter({ hasText: "Assistant Flow" }).getByText(/Activation: \d+ms/);
      figures.push(Number(/Activation: (\d+)ms/.exec(await own.innerText())?.[1]));
    }
    assert.ok(Math.min(...figures) < 100, `activation took ${figures.join(", ")} ms`);
  } finally {
    console.log(`activation: ${figures.join(", ")} ms`);
    await code.page.keyboard.press("Escape");
    await code.page.setViewportSize({ width: 1280, height: 800 });
  }
});

test("a server that stops is started again, and the person is told", () =>
  code.screenshotOnFailure("server-crash", async () => {
    await endLanguageServer(code);
    await code.toast(/language server stopped and was started again/).waitFor();
    await code.screenshot("server-crash");
    await code.openFile("broken.flow.yaml");
    await code.replaceAll("broken.flow.yaml", broken);
    await code.squiggles("error").first().waitFor();
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
