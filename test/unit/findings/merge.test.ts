/** The same problem from both sides: shown once, with the higher severity, naming both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDocument, FlowDocument } from "../../../flow";
import {
  type BlockingRules,
  differsFromKnown,
  FileFindings,
  learnBlocking,
  mergeFindings,
  messageBeforePush,
  type PlatformFinding,
  shownOf,
} from "../../../flow/findings";

const flow = `entry: look_up
nodes:
  look_up:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0105
    edges:
      - to: bye
  look_up_again:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0105
    edges:
      - to: bye
  bye:
    type: end
`;
const document = FlowDocument.read(flow);
const own = checkDocument(document, {}).filter(({ code }) => code === "tool-without-error-edge");

function shown(found: readonly PlatformFinding[], edit?: { start: number; end: number; text: string }) {
  const findings = new FileFindings();
  findings.set(found, FlowDocument.read(flow));
  if (edit) findings.edit([edit]);
  return shownOf(mergeFindings(own, findings.problems(), document));
}

const finding = (severity: string, node_id = "look_up"): PlatformFinding => ({
  rule_id: "tool.no-error-path",
  severity,
  node_id,
  message: "The tool node has no error path.",
});

test("our warning doesn't hide the platform's error", () => {
  assert.deepEqual(
    own.map(({ severity }) => severity),
    ["warning", "warning"],
  );
  const [first, second, ...rest] = shown([finding("error")]);
  assert.equal(rest.length, 0);
  assert.equal(first?.problem.severity, "error");
  assert.equal(first?.source, "assistant-flow, platform");
  assert.equal(first?.problem.message, `${own[0]?.message} Platform error: The tool node has no error path.`);
  assert.deepEqual(second, { problem: own[1], source: "assistant-flow" });
});

test("a finding of equal or lower severity only changes the source", () => {
  for (const severity of ["warning", "suggestion"])
    assert.deepEqual(shown([finding(severity)])[0], {
      problem: { ...own[0], alsoBy: "platform" },
      source: "assistant-flow, platform",
    });
});

test("every blocking finding is an error, even two of one rule without a position", () => {
  const { node_id: _, ...placeless } = finding("error");
  for (const found of [
    [finding("error"), finding("error", "look_up_again")],
    [placeless, placeless],
  ]) {
    const errors = shown(found).filter(({ problem }) => problem.severity === "error");
    assert.equal(errors.length, 2);
  }
  // Three findings for two problems: none is lost.
  assert.equal(shown([finding("error"), finding("warning"), finding("error")])[0]?.problem.severity, "error");
});

test("an outdated finding doesn't raise the severity", () => {
  const start = flow.indexOf("look_up:");
  const [first] = shown([finding("error")], { start, end: start + 4, text: "find" });
  assert.equal(first?.problem.severity, "warning");
});

/** What is learned from one answer. */
const learn = (findings: readonly PlatformFinding[], before: BlockingRules = {}, ...broken: string[]) =>
  learnBlocking(
    before,
    { findings, errors: findings.filter(({ severity }) => severity === "error").length },
    (isWanted) => broken.filter(isWanted),
  );

test("our warnings say if the platform blocks on the same rule", () => {
  const [problem] = own;
  assert.ok(problem);
  const said = `${problem.message} This prevents the flow from running on the platform.`;
  const learned = learn([finding("error")]);
  assert.equal(messageBeforePush(problem, {}), problem.message);
  assert.equal(messageBeforePush(problem, learned), said);
  assert.equal(messageBeforePush({ ...problem, severity: "error" }, learned), problem.message);
  assert.equal(messageBeforePush({ ...problem, alsoBy: "platform" }, learned), problem.message);
  assert.equal(messageBeforePush({ ...problem, code: "missing-default" }, learned), problem.message);
});

test("a rule that the platform blocks on is learned by its category, too, and from every severity that means an error", () => {
  const warning = (code: string) => ({ code, severity: "warning", message: "Own." }) as const;
  const before = "Own. This prevents the flow from running on the platform.";
  for (const [code, finding] of [
    ["duplicate-edge", { severity: "blocking", rule_id: "duplicate", category: "edges" }],
    ["unused-variable", { severity: "critical", category: "variable.unused" }],
    ["dead-end", { severity: "ERROR", rule_id: "DeadEnds", category: "paths" }],
  ] as const) {
    const milder = learn([{ ...finding, severity: "warning" }]);
    assert.equal(messageBeforePush(warning(code), milder), "Own.", "a warning of the platform blocks nothing");
    const learned = learn([finding]);
    assert.equal(messageBeforePush(warning(code), learned), before, code);
    assert.equal(messageBeforePush(warning("shadowed-edge"), learned), "Own.", "another rule of the category");
  }
});

test("a rule that the platform no longer blocks on is forgotten", () => {
  const rule = "tool-without-error-edge";
  const learned = learn([finding("error")]);
  assert.deepEqual(learned, { [rule]: true });
  assert.equal(learn([], learned), learned, "the flow no longer breaks the rule, which says nothing");
  assert.deepEqual(learn([finding("warning")], learned), {}, "only a warning now");
  assert.deepEqual(learn([finding("warning"), finding("error")], learned), learned, "one of two is an error");
  assert.deepEqual(learn([], learned, rule), {}, "the flow breaks the rule, and the platform accepts it");
  const unlisted = learnBlocking(learned, { findings: [], errors: 1 }, () => [rule]);
  assert.equal(unlisted, learned, "the answer doesn't list its error");
  assert.equal(
    learnBlocking(learned, { findings: [], errors: 0 }, () => []),
    learned,
    "another version of the flow",
  );
  assert.equal(
    learnBlocking(learned, { findings: undefined, errors: 0 }, () => [rule]),
    learned,
    "no findings",
  );
});

test("a platform may accept what the sandbox blocks on", () => {
  const loop = { code: "endless-loop", severity: "warning", message: "Own." } as const;
  assert.match(messageBeforePush(loop, {}), /prevents the flow from running/);
  const accepted = learn([], {}, "endless-loop");
  assert.deepEqual(accepted, { "endless-loop": false });
  assert.equal(messageBeforePush(loop, accepted), "Own.");
  assert.deepEqual(differsFromKnown(accepted), ["endless-loop"]);
  const again = learn([{ rule_id: "EndlessLoops", severity: "error" }], accepted);
  assert.match(messageBeforePush(loop, again), /prevents the flow from running/);
});
