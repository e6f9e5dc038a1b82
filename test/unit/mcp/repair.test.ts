/** A scripted agent fixes ten broken flows using only the tools: check, edit, check again, then test. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { folderWith } from "../cli/cli";
import { type Agent, removeBundle, startAgent } from "./agent";

/** The flow and its tests from the page that agents read. */
const page = readFileSync("docs/format.md", "utf8");
const whole = /```yaml flow\n([\s\S]*?)```/.exec(page)?.[1] as string;
const tests = /```yaml flowtest billing.flow.yaml\n([\s\S]*?)```/.exec(page)?.[1] as string;

const FILE = "billing.flow.yaml";
const folder = folderWith({ [FILE]: whole, "billing.flowtest.yaml": tests });
let agent: Agent;
before(async () => {
  agent = await startAgent({ cwd: folder.path });
});
after(async () => {
  await agent.close();
  folder.remove();
  await removeBundle();
});

/** What is broken, and the expected finding. */
const broken: readonly (readonly [what: string, from: string, to: string, code: string])[] = [
  ["a target misspelled", "to: ask_account,", "to: ask_acount,", "unknown-target"],
  ["the entry misspelled", "entry: greet", "entry: gret", "unknown-entry"],
  ["a variable misspelled", "plan is {{plan}}", "plan is {{plam}}", "undefined-variable"],
  ["braces left open", "plan is {{plan}}", "plan is {{plan}", "malformed-template"],
  ["a type misspelled", "type: collect", "type: colect", "near-miss-type"],
  ["a field misspelled", "    instructions: Ask for", "    instuctions: Ask for", "missing-field"],
  ["a tool without its error edge", "      - {to: hand_over, on: error}\n", "", "tool-without-error-edge"],
  ["no default", "      - {to: hand_over}\n", "", "missing-default"],
  [
    "the default before the others",
    "      - {to: ask_account, when: the caller asks about a bill}\n      - {to: goodbye}\n",
    "      - {to: goodbye}\n      - {to: ask_account, when: the caller asks about a bill}\n",
    "shadowed-edge",
  ],
  ["a tab for indentation", "    name: Greeting", "\tname: Greeting", "yaml-syntax"],
  ["a quote left open", 'destination: "+15550100"', 'destination: "+15550100', "yaml-syntax"],
];

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly fix?: { readonly changes: readonly Change[] };
}
interface Change {
  readonly range: Record<"start" | "end", { readonly line: number; readonly character: number }>;
  readonly text: string;
}

for (const [what, from, to, code] of broken)
  test(`mended: ${what}`, async () => {
    assert.ok(whole.includes(from), from);
    const at = path.join(folder.path, FILE);
    writeFileSync(at, whole.replace(from, to));
    const seen: string[] = [];
    for (let round = 0; ; round++) {
      assert.ok(round < 5, `not mended: ${seen.join(", ")}`);
      const { data } = await agent.call("check", { paths: [FILE] });
      const isSlip = ({ code: said }: Finding) => said.startsWith("near-miss");
      const serious = (data.files[0].findings as Finding[])
        .filter((finding) => isSlip(finding) || /error|warning/.test(finding.severity))
        .sort((a, b) => Number(isSlip(b)) - Number(isSlip(a)));
      if (serious.length === 0) break;
      seen.push(...serious.map((finding) => finding.code));
      const first = serious.find(({ fix }) => fix) as Finding;
      assert.ok(first, `a fix for ${serious.map(({ message }) => message).join("; ")}`);
      writeFileSync(at, edited(readFileSync(at, "utf8"), first.fix?.changes ?? []));
    }
    assert.ok(seen.includes(code), `said: ${seen.join(", ")}`);
    const { data } = await agent.call("test", { paths: [FILE] });
    const failed = data.tests.filter(({ status }: { status: string }) => status === "failed");
    assert.deepEqual(failed, []);
    assert.equal(data.tests.length, 2);
  });

/** Applies edits like an agent: by lines and columns, from the end. */
function edited(text: string, changes: readonly Change[]): string {
  const lines = text.split("\n");
  const offset = ({ line, character }: Change["range"]["start"]) =>
    lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + character - 1;
  const sorted = [...changes].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  return sorted.reduce(
    (now, { range, text: put }) => now.slice(0, offset(range.start)) + put + now.slice(offset(range.end)),
    text,
  );
}
