/** The **Calls** switch of the graph page, with calls that the sandbox ran. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { inProject } from "../../scripts/project";
import { startSandbox } from "../../scripts/sandbox";
import { type Code, openCode } from "./harness";
import { graphControl, inEachTheme } from "./pages";

let code: Code;
before(async () => {
  const sandbox = await startSandbox({ flags: ["--calls", "30", "--seed", "ui"] });
  code = await openCode({
    files: {
      "support-line.flow.yaml": readFileSync(inProject("examples/support-line.flow.yaml"), "utf8"),
      ".vscode/settings.json": "{}",
    },
    open: "support-line.flow.yaml",
    sandbox,
  });
});
after(() => code?.close());

test("Calls shows counts, drop-offs and the calls of a node, of which each opens", async () => {
  await code.palette("Assistant Flow: Open Flow Graph");
  const graph = await code.webview("Arrange");
  await graph.locator('[data-node="greet"]').waitFor();
  await (await graphControl(graph, "Calls")).click();
  await graph.locator('[data-node="greet"] .call-count').waitFor();
  const status = (await graph.locator(".calls-status").textContent()) ?? "";
  const [, calls = "0", placed = "0"] = /^(\d+) calls: (\d+) placed/.exec(status) ?? [];
  assert.ok(Number(calls) >= 30, status);
  assert.ok(Number(placed) >= 10, status);
  assert.ok((await graph.locator(".left-mark").count()) > 0, "somebody hung up");
  await graph.locator('[data-node="greet"]').click();
  const list = graph.locator(".call-list");
  await list.locator("li").first().waitFor();
  await inEachTheme(code, "graph-calls", graph, [".call-list", ".call-list"]);
  await list.locator("li button").first().click();
  await code.page.locator(".tab").filter({ hasText: "Call:" }).first().waitFor();
});
