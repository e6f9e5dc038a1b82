/** Policies in the UI: an edit breaks one, the graph shows the path, a test is saved from it, another edit fixes it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Code, openCode } from "./harness";

const POLICIES = "assistant-flow.policies.yaml";
const shortcut = "      - {to: refund, when: the caller is in a hurry}\n";
const flow = (edge: string) => `entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges:
${edge}      - {to: verify}
  verify:
    type: message
    instructions: Check who is calling.
    edges:
      - {to: refund}
  refund: {type: end}
`;

let code: Code;
before(async () => {
  code = await openCode({
    files: {
      "refund.flow.yaml": flow(""),
      [POLICIES]: "policies:\n  - {id: verify-first, every_path_to: {node: refund}, passes: {node: verify}}\n",
      ".vscode/settings.json": "{}",
    },
    settings: { "files.autoSave": "off", "editor.minimap.enabled": false },
  });
});
after(() => code?.close());

const lens = (title: string) => code.page.locator(".codelens-decoration").filter({ hasText: title });

test("an edit breaks a policy: its path is drawn and saved as a test; after a fix, the policy is proved", () =>
  code.screenshotOnFailure("policy", async () => {
    await code.page.keyboard.press("Control+b");
    await code.openFile(POLICIES);
    await lens("proved for all conditions · 1 flow").waitFor();
    await code.openFile("refund.flow.yaml");
    await code.replaceAll("refund.flow.yaml", flow(shortcut));
    await code.squiggles().first().waitFor();
    await code.goTo(14, 4);
    const tab = code.page.locator(".tab").filter({ hasText: "Graph: refund.flow.yaml" });
    await code.runAction("Show This Path in Graph", tab);
    const graph = await code.webview("the caller is in a hurry");
    await graph.locator('[data-node="greet"].way-passed').waitFor();
    await graph.locator('[data-node="refund"].way-here').waitFor();
    assert.equal(await graph.locator(".edge.way-passed").count(), 1);
    await code.screenshot("policy-path");
    await code.focusEditor("refund.flow.yaml");
    await code.goTo(14, 4);
    await code.runAction("Save This Path as Test", code.editor("refund.flowtest.yaml"));
    await code.save("refund.flowtest.yaml");
    const saved = await code.read("refund.flowtest.yaml");
    assert.match(saved, /take: the caller is in a hurry/);
    assert.match(saved, /path: \[greet, refund\]/);
    await code.openFile("refund.flow.yaml");
    await code.replaceAll("refund.flow.yaml", flow(""));
    await code.squiggles().first().waitFor({ state: "detached" });
    await graph.locator(".way-passed, .way-here").first().waitFor({ state: "detached" });
    await code.openFile(POLICIES);
    await lens("proved for all conditions · 1 flow").waitFor();
  }));
