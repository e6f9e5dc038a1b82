/** `--env`, `promote`, `drift`, `history` and `restore` with three environments. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { keysOf, NAMED_FLOW, projectText, startEnvironment, type TestEnvironment } from "../../support/environments";
import { cli, folderWith } from "./cli";

const FILE = "flows/billing.flow.yaml";
const FLOW = `# A small flow.\npersona: Calm.\n${NAMED_FLOW}`;

let staging: TestEnvironment;
let production: TestEnvironment;
let folder: ReturnType<typeof folderWith>;
let env: Record<string, string>;

beforeEach(async () => {
  [staging, production] = await Promise.all([startEnvironment("staging"), startEnvironment("production")]);
  const both = [staging, production];
  folder = folderWith({
    [FILE]: FLOW,
    "assistant-flow.project.yaml": projectText(both, FILE, ["production"]),
  });
  env = { ...keysOf(both), ASSISTANT_FLOW_STATE_DIR: path.join(folder.path, ".state") };
});
afterEach(async () => {
  await Promise.all([staging.stop(), production.stop()]);
  folder.remove();
});

const at = (...args: string[]) => cli(args, { cwd: folder.path, env });
const read = () => readFileSync(path.join(folder.path, FILE), "utf8");
const write = (text: string) => writeFileSync(path.join(folder.path, FILE), text);
const say = (text: string) => ({ op: "update_node_fields", node_id: "greet", fields: { instructions: text } }) as const;

test("a push sends the environment's values, and a pull keeps the names", async () => {
  const pushed = await at("push", FILE, "--allow-first-push", "--allow-removals");
  assert.equal(pushed.code, 0, pushed.err);
  const { graph } = await staging.graph();
  assert.equal(graph.nodes.get("find")?.tool, staging.id("look_up"));
  assert.match(String(graph.nodes.get("hand_over")?.destination), /^\+1555/);
  assert.equal(read(), FLOW, "the file has names");
  assert.equal(production.requests.length, 0);
  await staging.apply(say("Good day."), {
    op: "upsert_node",
    node: { id: "again", type: "tool", tool: staging.id("look_up") },
  });
  assert.equal((await at("pull", FILE)).code, 0);
  const text = read();
  assert.match(text, /instructions: Good day\. # friendly/);
  assert.match(text, /tool: \$look_up # by name/);
  assert.match(text, /again:\n\s+type: tool\n\s+tool: \$look_up\n/);
  assert.ok(!text.includes(staging.id("look_up")));
  assert.equal((await at("plan", FILE)).code, 0);
});

test("a protected environment is changed only by a promotion, which sends nothing the second time", async () => {
  await at("push", FILE, "--allow-first-push", "--allow-removals");
  const refused = await at("push", FILE, "--env", "production", "--allow-first-push", "--allow-removals");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /Environment "production" is protected/);
  const before = await production.graph();
  const dry = await at("promote", "--from", "staging", "--to", "production", "--dry-run", "--format", "json");
  assert.equal(dry.code, 0, dry.err);
  const json = JSON.parse(dry.out);
  assert.deepEqual(Object.keys(json), ["version", "from", "to", "files"]);
  assert.deepEqual(Object.keys(json.files[0]), ["path", "ready", "blockers", "operations", "behavior"]);
  assert.equal(json.files[0].ready, true, json.files[0].blockers.join());
  assert.ok(json.files[0].operations > 0);
  assert.ok(Array.isArray(json.files[0].behavior.reachable));
  assert.equal((await production.graph()).version, before.version, "a dry run changes nothing");
  assert.equal((await at("promote", "--from", "staging", "--to", "production")).code, 4, "asks with --yes");
  const done = await at("promote", "--from", "staging", "--to", "production", "--yes");
  assert.equal(done.code, 0, done.err);
  const { graph, version } = await production.graph();
  assert.equal(graph.nodes.get("find")?.tool, production.id("look_up"));
  const again = await at("promote", "--from", "staging", "--to", "production", "--yes", "--format", "json");
  assert.equal(again.code, 0, again.err);
  assert.equal(JSON.parse(again.out).files[0].operations, 0);
  assert.equal((await production.graph()).version, version);
  for (const { body } of production.requests) assert.ok(!body.includes(staging.id("look_up")));
  for (const { key } of production.requests) assert.ok(!key.includes(staging.key));
  for (const { key } of staging.requests) assert.ok(!key.includes(production.key));
});

test("a promotion is blocked by unpushed changes, errors, failing tests, policies and changes in the target", async () => {
  const promote = async () => {
    const ran = await at("promote", "--from", "staging", "--to", "production", "--yes", "--format", "json");
    assert.doesNotMatch(ran.out, /"error"/, ran.err);
    return { code: ran.code, ...JSON.parse(ran.out).files[0] } as { code: number; ready: boolean; blockers: string[] };
  };
  await at("push", FILE, "--allow-first-push", "--allow-removals");
  assert.equal((await promote()).code, 0);
  write(FLOW.replace("Hello.", "Hello there."));
  const unpushed = await promote();
  assert.equal(unpushed.code, 1);
  assert.match(unpushed.blockers.join("\n"), /The file doesn't match "staging"/);
  await at("push", FILE);
  writeFileSync(
    path.join(folder.path, "billing.flowtest.yaml"),
    `flow: ${FILE}\ntests:\n  - name: never ends here\n    tools: {find: {return: {}}}\n    expect: {ends: hand_over}\n`,
  );
  assert.match((await promote()).blockers.join("\n"), /1 test failed: "never ends here"/);
  writeFileSync(path.join(folder.path, "billing.flowtest.yaml"), `flow: ${FILE}\ntests: []\n`);
  writeFileSync(
    path.join(folder.path, "assistant-flow.policies.yaml"),
    "policies:\n  - {id: polite, every_path_to: {node: done}, passes: {node: hand_over}}\n",
  );
  assert.match((await promote()).blockers.join("\n"), /Policy "polite"/);
  writeFileSync(path.join(folder.path, "assistant-flow.policies.yaml"), "policies: []\n");
  const project = path.join(folder.path, "assistant-flow.project.yaml");
  const listed = readFileSync(project, "utf8");
  writeFileSync(project, listed.replace(new RegExp(`^ +look_up: ${production.id("look_up")}.*\n`, "m"), ""));
  assert.deepEqual((await promote()).blockers, [
    `${FILE}:11: Name "look_up" isn't defined in environment "production".`,
  ]);
  writeFileSync(project, listed);
  await production.apply(say("Hotfix."));
  const { version } = await production.graph();
  const hotfix = await promote();
  assert.equal(hotfix.code, 1);
  assert.match(hotfix.blockers.join("\n"), /"production" has changes that the file doesn't have/);
  assert.equal((await production.graph()).version, version, "nothing is overwritten");
});

test("a copy of a flow and a broken project file don't get around a protected environment", async () => {
  const { assistant, revision, url, key } = production;
  const copy = `assistant: ${assistant.toUpperCase()}\nrevision: ${revision.toUpperCase()}\n${FLOW}`;
  writeFileSync(path.join(folder.path, "copy.flow.yaml"), copy);
  const push = () =>
    cli(["push", "copy.flow.yaml", "--allow-first-push", "--allow-removals"], {
      cwd: folder.path,
      env: { ...env, ASSISTANT_FLOW_BASE_URL: url, ASSISTANT_FLOW_API_KEY: key },
    });
  const refused = await push();
  assert.deepEqual([refused.code, /"production" is protected/.test(refused.err)], [1, true], refused.err);
  const project = path.join(folder.path, "assistant-flow.project.yaml");
  writeFileSync(project, readFileSync(project, "utf8").replace(`revision: ${revision}`, "revision: x"));
  const broken = await push();
  assert.equal(broken.code, 1);
  assert.match(broken.err, /^assistant-flow\.project\.yaml:\d+:\d+: /);
  assert.ok(production.requests.every(({ line }) => line.startsWith("GET")));
});

test("drift: 0, 2 with a colleague's edit, 3 if a platform can't be reached; the platform isn't changed", async () => {
  await at("push", FILE, "--allow-first-push", "--allow-removals");
  await at("promote", "--from", "staging", "--to", "production", "--yes");
  const none = await at("drift", "--all", "--format", "json");
  assert.equal(none.code, 0, none.out + none.err);
  assert.deepEqual(JSON.parse(none.out), {
    version: 1,
    environments: ["staging", "production"].map((name) => ({
      name,
      files: [{ path: FILE, state: "in-step", operations: 0 }],
    })),
  });
  const text = (await at("drift", "--env", "staging")).out;
  assert.equal(text, `staging: ${FILE}: synced\n`, "the word of the status bar");
  await production.apply(say("Edited by @somebody."));
  const { version } = await production.graph();
  const some = await at("drift", "--all", "--format", "json");
  assert.equal(some.code, 2);
  const states = JSON.parse(some.out).environments.map(({ files }: { files: { state: string }[] }) => files[0]?.state);
  assert.deepEqual(states, ["in-step", "behind"]);
  const { out, code } = await at("drift", "--env", "production", "--format", "markdown");
  assert.equal(code, 2);
  assert.match(out, /^<!-- assistant-flow drift -->\n## Drift of assistant flows\n\n1 of 1 flow differs/);
  assert.match(out, /\| `flows\/billing\.flow\.yaml` \| the platform has changes that the file doesn't have \| 1 \|/);
  assert.match(out, /changed node `greet`/);
  assert.doesNotMatch(out, / @somebody/);
  const fresh = await cli(["drift", "--all"], {
    cwd: folder.path,
    env: { ...env, ASSISTANT_FLOW_STATE_DIR: `${folder.path}/.other` },
  });
  assert.equal(fresh.code, 2, "also on a machine that never saw it");
  assert.equal((await production.graph()).version, version);
  write(FLOW.replace("Hello.", "Hi."));
  assert.equal(JSON.parse((await at("drift", "--format", "json")).out).environments[0].files[0].state, "ahead");
  production.isDown = true;
  const down = await at("drift", "--env", "production", "--format", "json");
  assert.equal(down.code, 3);
  assert.equal(JSON.parse(down.out).environments[0].files[0].state, "unknown");
});

test("drift --all compares the others if an environment can't be used, and lists it with the reason", async () => {
  await at("push", FILE, "--allow-first-push", "--allow-removals");
  await staging.apply(say("Edited by a colleague."));
  const drift = (changed: Record<string, string>, format: string) =>
    cli(["drift", "--all", "--format", format], { cwd: folder.path, env: { ...env, ...changed } });
  const noKey = { ASSISTANT_FLOW_API_KEY_PRODUCTION: "" };
  const { code, out, err } = await drift(noKey, "markdown");
  assert.equal(code, 3);
  assert.match(
    out,
    /^<!-- assistant-flow drift -->\n.*\n\n1 of 1 flow differs from the files\. 1 flow couldn't be compared\.\n/,
  );
  assert.match(out, /### staging\n\n\| Flow .*\n.*\n\| `flows\/billing\.flow\.yaml` \| the platform has changes/);
  assert.match(
    out,
    /### production\n\nNot compared: `flows\/billing\.flow\.yaml`\. Set ASSISTANT\\?_FLOW\\?_API\\?_KEY\\?_PRODUCTION to your API key/,
  );
  assert.match(err, /^production: couldn't be compared: Set ASSISTANT_FLOW_API_KEY_PRODUCTION/);
  assert.deepEqual(
    JSON.parse((await drift(noKey, "json")).out).environments.map(
      (each: { files: { state: string }[] }) => each.files[0]?.state,
    ),
    ["behind", "unknown"],
  );
  const text = await drift(noKey, "text");
  assert.match(text.out, /^staging: .*the platform has changes/);
  assert.doesNotMatch(text.out, /^production/m);
  assert.equal(text.err, err);
  const elsewhere = await drift({ ASSISTANT_FLOW_BASE_URL_PRODUCTION: "https://api.example.com" }, "markdown");
  assert.equal(elsewhere.code, 4, "a changed URL needs a decision");
  assert.match(elsewhere.out, /1 of 1 flow differs/);
  assert.match(elsewhere.err, /--allow-new-origin/);
  const none = await drift({ ...noKey, ASSISTANT_FLOW_API_KEY_STAGING: "" }, "markdown");
  assert.equal(none.code, 3);
  assert.match(none.out, /\n\n2 flows couldn't be compared\.\n/);
});

test("history lists every version seen, and restore writes one into the file", async () => {
  await at("push", FILE, "--allow-first-push", "--allow-removals");
  const { version } = await staging.graph();
  await staging.apply(say("Edited by a colleague."));
  await at("pull", FILE);
  write(read().replace("Edited by a colleague.", "Mine."));
  await at("push", FILE);
  const listed = JSON.parse((await at("history", FILE, "--format", "json")).out);
  const kinds = listed.map(({ by }: { by: string }) => by);
  assert.deepEqual(kinds.slice(-3), ["push", "platform", "push"]);
  assert.equal(listed.at(-3).version, version);
  const last = (await staging.graph()).version;
  assert.equal(listed.at(-1).version, last);
  assert.equal(listed.at(-1).environment, "staging");
  const restored = await at("restore", FILE, String(version));
  assert.equal(restored.code, 0, restored.err);
  assert.equal(read(), FLOW, "with names and comments");
  assert.equal((await staging.graph()).version, last, "nothing is pushed");
  assert.equal((await at("plan", FILE)).code, 2);
  assert.equal((await at("push", FILE)).code, 0);
  assert.equal((await at("restore", FILE, "99")).code, 1);
});

test("names and IDs that an environment lacks are errors, and are never sent", async () => {
  write(FLOW.replace("$look_up", "$look_upp"));
  const typo = await at("check", FILE, "--format", "json");
  assert.equal(typo.code, 1);
  assert.match(typo.out, /unknown-name/);
  assert.match(
    typo.out,
    /isn't defined in environments \\"staging\\", \\"production\\"\. Did you mean \\"\$look_up\\"\?/,
  );
  write(FLOW.replace("$look_up", production.id("look_up")));
  assert.match((await at("check", FILE)).out, /foreign-id/);
  for (const text of [
    FLOW.replace("$look_up", "$look_upp"),
    FLOW.replace("$look_up", production.id("look_up")),
    FLOW.replace("Hello.", `Hello ${production.id("look_up")}.`),
    FLOW.replace("Hello.", `Hello ${production.assistant}.`),
  ]) {
    write(text);
    const pushed = await at("push", FILE, "--allow-first-push", "--allow-removals", "--rule", "foreign-id=off");
    assert.equal(pushed.code, 1, pushed.out);
  }
  for (const { body } of staging.requests) {
    assert.ok(!body.includes(production.id("look_up")) && !body.includes(production.assistant));
    assert.ok(!body.includes("$look_upp"));
  }
});

test("a flow with IDs of its own works as before, except that it can't get around the protection", async () => {
  const own = (at: TestEnvironment) => `assistant: ${at.assistant}\nrevision: ${at.revision}\n${FLOW}`;
  write(own(production));
  const pushed = await at("push", FILE, "--allow-first-push", "--allow-removals");
  assert.equal(pushed.code, 1);
  assert.match(pushed.err, /is protected/);
  const other = await at("plan", FILE, "--env", "nowhere");
  assert.equal(other.code, 64);
  assert.match(other.err, /has no environment "nowhere"/);
});

test("check --platform reads the findings of each flow's environment, or of the one that is named", async () => {
  write(FLOW.replace("Hello.", "Hello {{nobody}}."));
  const flags = ["--platform", "--format", "json", "--rule", "undefined-variable=off"];
  const found = async (...more: string[]) => {
    const { code, out, err } = await at("check", FILE, ...flags, ...more);
    const { files = [] } = JSON.parse(out) as { files?: { findings: { source: string; code: string }[] }[] };
    const [file] = files;
    return { code, err, codes: file?.findings.filter(({ source }) => source === "platform").map(({ code }) => code) };
  };
  const before = await found();
  assert.match(before.err, /no platform findings: this flow hasn't been synced with "staging" on this computer/);
  await at("push", FILE, "--allow-first-push", "--allow-removals");
  assert.deepEqual((await found()).codes, ["variable.unknown"]);
  assert.deepEqual((await found("--env", "staging")).codes, ["variable.unknown"]);
  const other = await found("--env", "production");
  assert.deepEqual(other.codes, []);
  assert.match(other.err, /hasn't been synced with "production"/);
  assert.equal((await found("--env", "prod")).code, 64);
  assert.equal((await at("check", FILE, "--env", "staging")).code, 64, "needs --platform");
  const sent = [staging, production].map(({ requests, key }) => requests.every((each) => each.key.includes(key)));
  assert.deepEqual(sent, [true, true], "each key goes to its own platform");
});
