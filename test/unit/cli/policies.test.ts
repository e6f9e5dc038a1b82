/** `assistant-flow policies`: output and exit codes. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { cli, folderWith } from "./cli";

const FLOW = `entry: a
nodes:
  a: {type: message, edges: [{to: b, when: so}, {to: c}]}
  b: {type: message, edges: [{to: c}]}
  c: {type: end}
`;
const OTHER = "entry: a\nnodes:\n  a: {type: message, edges: [{to: z}]}\n  z: {type: end}\n";
const policy = (rest: string) => `  - {id: p, ${rest}}\n`;

interface Row {
  policy: string;
  file: string;
  flow: string;
  verdict: string;
  path: string[];
}
async function rows(files: Record<string, string>, args: string[] = []): Promise<{ code: number; rows: unknown[] }> {
  const folder = folderWith(files);
  const { code, out } = await cli(["policies", ...args, "--format", "json"], { cwd: folder.path });
  folder.remove();
  const { verdicts } = JSON.parse(out) as { verdicts: Row[] };
  return { code, rows: verdicts.map((each) => [each.policy, each.file, each.flow, each.verdict, each.path]) };
}

const FILE = "assistant-flow.policies.yaml";

test("the examples meet their policies", async () => {
  const { code, out } = await cli(["policies"], { cwd: "examples" });
  assert.match(out, /\n5 proved, 0 broken\./);
  assert.equal(code, 0);
});

test("the nearest file counts, `flows` is relative to it, a broken one exits 1 with its path", async () => {
  const files = {
    [FILE]: `policies:\n${policy("every_path_to: {node: c}, passes: {node: b}")}`,
    "x.flow.yaml": FLOW,
    "deep/down/y.flow.yaml": FLOW,
    [`deep/${FILE}`]: `policies:\n${policy('every_path_to: {node: c}, passes: {node: a}, flows: "down/**"')}`,
    "deep/w.flow.yaml": FLOW,
  };
  assert.deepEqual(await rows(files), {
    code: 1,
    rows: [
      ["p", FILE, "x.flow.yaml", "broken", ["a", "c"]],
      ["p", `deep/${FILE}`, "deep/down/y.flow.yaml", "proved-by-shape", []],
    ],
  });
  assert.equal((await rows(files, ["deep"])).code, 0);
  assert.equal((await rows(files, [`deep/${FILE}`])).rows.length, 1);
});

test("a proof of a flow with a component says that it isn't analyzed", async () => {
  const part = "  b: {type: component, component: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0009, edges: [{to: c}]}\n";
  const flow = `entry: a\nnodes:\n  a: {type: message, instructions: Hi., edges: [{to: b}]}\n${part}  c: {type: end}\n`;
  const folder = folderWith({
    [FILE]: `policies:\n${policy("every_path_to: {node: c}, passes: {node: b}")}`,
    "x.flow.yaml": flow,
  });
  const { out } = await cli(["policies"], { cwd: folder.path });
  folder.remove();
  assert.match(
    out,
    /Holds on every path, whatever the conditions\. "b" isn't analyzed: no readable flow has its ID\. It is assumed to do anything\./,
  );
});

test("paths go through the flow of a component, in `policies` and in `check`", async () => {
  const id = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0009";
  const part = `  b: {type: component, component: ${id}, edges: [{to: c}, {to: a, on: error}]}\n`;
  const flow = `entry: a\nnodes:\n  a: {type: message, instructions: Hi., edges: [{to: b}]}\n${part}  c: {type: end}\n`;
  const inside = `assistant: ${id}\nentry: start\nnodes:\n  start: {type: message, instructions: Hm., edges: [{to: person, when: so}, {to: out}]}\n  person: {type: transfer, instructions: Bye., destination: x}\n  out: {type: end}\n`;
  const folder = folderWith({
    [FILE]: `policies:\n${policy('after: {node: a}, always: {node: c}, flows: "x.flow.yaml"')}`,
    "x.flow.yaml": flow,
    "parts/part.flow.yaml": inside,
  });
  const judged = await cli(["policies", "--format", "json"], { cwd: folder.path });
  const checked = await cli(["check", "x.flow.yaml", "--format", "json"], { cwd: folder.path });
  folder.remove();
  const [verdict] = JSON.parse(judged.out).verdicts;
  assert.equal(verdict.verdict, "broken");
  assert.deepEqual(verdict.path, ["a", "b", "b/start", "b/person"]);
  assert.deepEqual(verdict.edges, ["a--b", "b/start--person"]);
  assert.match(checked.out, /is broken\. After ."a.".* Path: a → b → b\/start → b\/person\./);
});

test("a match in one flow is enough; no match in any is reported once, whichever flows are named", async () => {
  const files = {
    "1.flow.yaml": FLOW,
    "2.flow.yaml": OTHER,
    [FILE]: `policies:\n${policy("never: {from: {node: c}, to: {node: z}}")}`,
  };
  assert.deepEqual((await rows(files, ["2.flow.yaml"])).rows, [["p", FILE, "2.flow.yaml", "proved-by-shape", []]]);
  const none = { ...files, [FILE]: `policies:\n${policy("never: {from: {node: c}, to: {node: nobody}}")}` };
  assert.deepEqual(await rows(none), { code: 1, rows: [["p", FILE, "", "matches-nothing", []]] });
  const nowhere = { ...files, [FILE]: `policies:\n${policy("never: {from: entry, to: {node: c}}, flows: no/**")}` };
  assert.deepEqual(await rows(nowhere), { code: 1, rows: [["p", FILE, "", "matches-nothing", []]] });
});

test("a policy whose required node was removed is broken, with a warning, in `check`, `policies` and `diff`", async () => {
  const folder = folderWith({
    "1.flow.yaml": OTHER,
    "old/1.flow.yaml": OTHER.replace("to: z", "to: b").replace("  z:", "  b: {type: message, edges: [{to: z}]}\n  z:"),
    [FILE]: `policies:\n${policy('every_path_to: {node: z}, passes: {node: b}, flows: "*"')}  - {id: q, never: {from: entry, to: {node: b}}, flows: "*"}\n`,
  });
  const json = async (...args: string[]) =>
    JSON.parse((await cli([...args, "--format", "json"], { cwd: folder.path })).out);
  const checked = (await json("check", "1.flow.yaml")) as {
    files: { findings: { code: string; message: string }[] }[];
  };
  const { verdicts } = (await json("policies")) as { verdicts: Row[] };
  const { behavior } = await json("diff", "old/1.flow.yaml", "1.flow.yaml");
  folder.remove();
  const findings = checked.files.flatMap((each) => each.findings).filter(({ message }) => message.startsWith("Policy"));
  assert.deepEqual(
    findings.map(({ code, message }) => [/"([pq])"/.exec(message)?.[1], code.replace("policy-", "")]).sort(),
    [
      ["p", "broken"],
      ["p", "matches-nothing"],
      ["q", "matches-nothing"],
    ],
  );
  assert.deepEqual(
    verdicts.map((each) => [each.policy, each.flow, each.verdict, each.path]),
    [
      ["p", "1.flow.yaml", "matches-nothing", []],
      ["p", "1.flow.yaml", "broken", ["a", "z"]],
      ["q", "1.flow.yaml", "matches-nothing", []],
    ],
  );
  assert.deepEqual(
    behavior.policy_changes.map((each: { policy: string; before: string; after: string }) => [
      each.policy,
      each.before,
      each.after,
    ]),
    [
      ["p", "proved-by-shape", "broken"],
      ["q", "broken", "matches-nothing"],
    ],
  );
});

test("a mistake in the policy file is reported at its position with exit code 1; no policy file is fine", async () => {
  const folder = folderWith({ "a.flow.yaml": FLOW, [FILE]: "policies:\n  - {id: p}\n" });
  const { code, out } = await cli(["policies"], { cwd: folder.path });
  assert.equal(code, 1);
  assert.match(out, /✗ assistant-flow\.policies\.yaml:2:5 A policy needs one of/);
  folder.remove();
  assert.deepEqual(await rows({ "a.flow.yaml": FLOW }), { code: 0, rows: [] });
});

test("`check` tells of broken policies in every format, and silences them as any rule", async () => {
  const files = {
    [FILE]: `policies:\n${policy("every_path_to: {node: c}, passes: {node: b}, severity: warning")}`,
    "x.flow.yaml": FLOW,
  };
  const folder = folderWith(files);
  const check = (...args: string[]) => cli(["check", ...args], { cwd: folder.path });
  const json = JSON.parse((await check("--format", "json")).out) as {
    files: { findings: { code: string; severity: string; message: string; related: unknown[] }[] }[];
  };
  const found = json.files.flatMap(({ findings }) => findings).find(({ code }) => code === "policy-broken");
  assert.equal(found?.severity, "warning");
  assert.equal(
    found?.message,
    'Policy "p" is broken. Every path to "c" must pass "b". A path reaches "c" without passing it. Path: a → c.',
  );
  assert.deepEqual(found?.related[0], {
    message: 'Policy "p" is here.',
    path: FILE,
    range: { start: { line: 1, character: 9 }, end: { line: 1, character: 10 } },
  });
  assert.equal(found?.related.length, 3);
  const sarif = JSON.parse((await check("--format", "sarif")).out) as {
    runs: { results: { ruleId: string; relatedLocations?: unknown[] }[] }[];
  };
  const result = sarif.runs[0]?.results.find(({ ruleId }) => ruleId === "policy-broken");
  assert.equal(result?.relatedLocations?.length, 3);
  assert.match(
    (await check("--format", "github")).out,
    /^::warning file=x\.flow\.yaml,line=5.*policy-broken.*::Policy "p"/m,
  );
  assert.match((await check("--format", "junit")).out, /policy-broken/);
  assert.match((await check()).out, /Policy "p" is broken/);
  assert.equal((await check("--fail-on", "warning")).code, 1);
  assert.doesNotMatch((await check("--rule", "policy-broken=off")).out, /Policy/);
  folder.remove();
});

test("check reports policies that it can't check, and fails", async () => {
  const whole = "entry: a\nnodes:\n  a: {type: end, instructions: Say goodbye.}\n";
  const cases: [file: string, said: RegExp, code: number][] = [
    [`policies:\n${policy("at_most: 3, from: entry, to: {type: end}")}`, /^$/, 0],
    [
      `policies:\n${policy("at_most: -3, from: entry, to: {type: end}")}`,
      /:2:\d+ isn't checked: `at_most` must be a whole number/,
      1,
    ],
    ["policies:\n  - {id: p}\n", /:2:\d+ isn't checked: A policy needs one of/, 1],
    ["policies:\n  - {id: p\n", /:2:\d+ isn't checked: /, 1],
    ["", /:1:1 isn't checked: The policy file has no list/, 1],
  ];
  for (const [text, said, expected] of cases) {
    const folder = folderWith({ [FILE]: text, "deep/x.flow.yaml": whole });
    const { code, err } = await cli(["check", "deep"], { cwd: folder.path });
    const { code: never } = await cli(["check", "deep", "--fail-on", "never"], { cwd: folder.path });
    folder.remove();
    assert.match(err.replaceAll(FILE, ""), said);
    assert.deepEqual([code, never], [expected, 0], text);
  }
});

test("an unreadable policy file is reported and never counts as no policies", async () => {
  const files = { "x.flow.yaml": "entry: a\nnodes:\n  a: {type: end, instructions: Say goodbye.}\n" };
  const plant: Readonly<Record<string, (file: string) => void>> = {
    "this is a folder, not a file": (file) => mkdirSync(file),
    "this is a link to a file of another kind": (file) => symlinkSync("/dev/zero", file),
    "no such file or folder": (file) => symlinkSync("nowhere", file),
  };
  for (const [reason, make] of Object.entries(plant)) {
    const folder = folderWith(files);
    make(path.join(folder.path, FILE));
    for (const command of ["check", "policies"]) {
      const { code, out, err } = await cli([command], { cwd: folder.path });
      assert.equal(code, 1, `${command}: ${reason}`);
      assert.ok(err.includes(reason), `${command}: ${err}`);
      assert.doesNotMatch(out, /0 broken/);
    }
    folder.remove();
  }
});

test("nodes of a component are matched", async () => {
  const id = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0401";
  const files = {
    [FILE]: `policies:\n${policy("every_path_to: {node: z}, passes: {name: Inside}, flows: x.flow.yaml")}`,
    "x.flow.yaml": `entry: a\nnodes:\n  a: {type: component, component: ${id}, edges: [{to: z}]}\n  z: {type: end}\n`,
    "inner.flow.yaml": `assistant: ${id}\nentry: b\nnodes:\n  b: {type: end, name: Inside}\n`,
  };
  assert.deepEqual(await rows(files), { code: 0, rows: [["p", FILE, "x.flow.yaml", "proved-by-shape", []]] });
});

test("`check` warns of a policy that matches nothing, at its place, whichever flow is asked for", async () => {
  const folder = folderWith({
    [FILE]: `policies:\n${policy("every_path_to: {node: refnud}, passes: {node: b}")}  - {id: s, never: {from: entry, to: {type: mesage}}}\n  - {id: q, at_most: 9, from: entry, to: {node: z}}\n  - {id: r, never: {from: entry, to: {node: b}}, flows: no/**}\n`,
    "1.flow.yaml": FLOW,
    "2.flow.yaml": OTHER,
  });
  const check = (...args: string[]) => cli(["check", ...args], { cwd: folder.path });
  const json = JSON.parse((await check("1.flow.yaml", "--format", "json")).out) as {
    files: { path: string; findings: { code: string; severity: string; message: string; range: unknown }[] }[];
  };
  const warned = await check("--fail-on", "warning", "2.flow.yaml");
  folder.remove();
  const found = json.files.find(({ path }) => path === FILE)?.findings ?? [];
  assert.deepEqual(
    found.map(({ code, severity, message }) => [code, severity, message]),
    [
      ["matches-nothing", "warning", 'Policy "p" isn\'t checked: `every_path_to` matches nothing.'],
      ["matches-nothing", "warning", 'Policy "s" isn\'t checked: `to` matches nothing. Did you mean "message"?'],
      ["matches-nothing", "warning", 'Policy "r" isn\'t checked: `flows` matches no flow that uses this policy file.'],
    ],
  );
  assert.deepEqual(found[0]?.range, { start: { line: 1, character: 27 }, end: { line: 1, character: 41 } });
  assert.equal(warned.code, 1);
});

/** Small files that take exponential work: each flow uses the next one twice. */
test("flows that expand exponentially are reported as not checked; small flows next to them are checked", async () => {
  const id = (number: number) => `6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b${String(number).padStart(4, "0")}`;
  const part = (number: number) => `type: component, component: ${id(number)}`;
  const files: Record<string, string> = {
    [FILE]: `policies:\n${policy("every_path_to: {type: end}, passes: {type: component}")}`,
    "41.flow.yaml": `assistant: ${id(40)}\nentry: a\nnodes:\n  a: {type: end}\n`,
  };
  for (let number = 0; number < 40; number++)
    files[`${number}.flow.yaml`] =
      `assistant: ${id(number)}\nentry: a\nnodes:\n  a: {${part(number + 1)}, edges: [{to: b}]}\n  b: {${part(number + 1)}, edges: [{to: c}]}\n  c: {type: end}\n`;
  const { code, rows: verdicts } = await rows(files);
  assert.equal(code, 1);
  const by = new Map(verdicts.map((each) => [(each as string[])[2], (each as string[])[3]]));
  assert.equal(by.get("0.flow.yaml"), "not-checked");
  assert.equal(by.get("20.flow.yaml"), "not-checked");
  assert.equal(by.get("39.flow.yaml"), "proved-by-shape");
  assert.equal(by.get("41.flow.yaml"), "broken");
});

const TO_C = "every_path_to: {node: c}, passes: {node: b}";
const exception = (what: string, until: string) => `except: [{${what}, until: ${until}, because: Soon.}]`;

test("an exception applies until its last day; then the policy is broken and the exception is a problem", async () => {
  const judged = async (rest: string) => {
    const folder = folderWith({ [FILE]: `policies:\n${policy(`${TO_C}, ${rest}`)}`, "x.flow.yaml": FLOW });
    const { code, out } = await cli(["policies", "--format", "json"], { cwd: folder.path });
    const codesOf = async (...paths: string[]) => {
      const checked = await cli(["check", "--format", "json", ...paths], { cwd: folder.path });
      const files: { findings: { code: string }[] }[] = JSON.parse(checked.out).files;
      return files
        .flatMap(({ findings }) => findings.map((finding) => finding.code))
        .filter((each) => /policy|exc/.test(each));
    };
    const codes = await codesOf();
    assert.deepEqual((await codesOf("x.flow.yaml")).sort(), codes.slice().sort(), "the policy file isn't named");
    folder.remove();
    const { verdicts, problems } = JSON.parse(out);
    const [row] = verdicts;
    return [code, row.verdict, row.except ?? [], problems.length, codes];
  };
  const counts = { until: "2099-12-31", because: "Soon." };
  assert.deepEqual(await judged(exception("node: c", "2099-12-31")), [
    0,
    "proved-by-shape",
    [{ node: "c", ...counts }],
    0,
    [],
  ]);
  assert.deepEqual(await judged(exception("flow: x.flow.yaml", "2099-12-31")), [0, "excepted", [counts], 0, []]);
  assert.deepEqual(await judged(exception("node: c", "2020-12-31")), [
    1,
    "broken",
    [],
    1,
    ["exception-expired", "policy-broken"],
  ]);
  assert.deepEqual(await judged(exception("node: cc", "2099-12-31")), [
    1,
    "broken",
    [{ node: "cc", ...counts }],
    1,
    ["exception-without-effect", "policy-broken"],
  ]);
});

test("a failing example is a problem, whether or not flows meet the policy", async () => {
  const folder = folderWith({
    [FILE]: `policies:\n${policy("every_path_to: {node: c}, passes: {node: a}, holds: [[a, c]], breaks: [[a, c]]")}`,
    "x.flow.yaml": FLOW,
  });
  const { code, out } = await cli(["policies"], { cwd: folder.path });
  folder.remove();
  assert.equal(code, 1);
  assert.match(out, /^✗ assistant-flow\.policies\.yaml:2:\d+ This path doesn't break policy "p"\.\n✓ p /);
  assert.match(out, /1 proved, 0 broken, 1 problem\./);
});

test("--list: the policies of each flow with current exceptions, and flows without any", async () => {
  const folder = folderWith({
    [`deep/${FILE}`]: `policies:\n${policy(`${TO_C}, because: So., ${exception("node: c", "2099-12-31")}`)}`,
    "deep/x.flow.yaml": FLOW,
    "y.flow.yaml": OTHER,
  });
  const { code, out } = await cli(["policies", "--list", "--format", "json"], { cwd: folder.path });
  const text = await cli(["policies", "--list"], { cwd: folder.path });
  const one = await cli(["policies", "--list", "y.flow.yaml", "--format", "json"], { cwd: folder.path });
  folder.remove();
  assert.deepEqual(JSON.parse(out), {
    flows: [
      {
        flow: "deep/x.flow.yaml",
        file: `deep/${FILE}`,
        policies: [
          {
            policy: "p",
            severity: "error",
            because: "So.",
            except: [{ node: "c", until: "2099-12-31", because: "Soon." }],
          },
        ],
      },
      { flow: "y.flow.yaml", file: "", policies: [] },
    ],
    problems: [],
  });
  assert.equal(code, 0);
  assert.equal(
    text.out,
    `deep/x.flow.yaml  deep/${FILE}\n  p  error  So.\n    except "c" until 2099-12-31: Soon.\ny.flow.yaml  no policy file\n`,
  );
  assert.equal(JSON.parse(one.out).flows.length, 1);
});
