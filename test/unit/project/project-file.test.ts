import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import Ajv from "ajv";
import { parse } from "yaml";
import { applyEdits, FlowDocument, fixesFor } from "../../../flow";
import {
  checkNames,
  environmentNamed,
  environmentsOf,
  keyVariable,
  projectProblems,
  projectSchema,
  readProjectFile,
} from "../../../flow/project";

const id = (n: number) => `6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b${String(n).padStart(4, "0")}`;
const PROJECT = `# Where flows go.
default: staging
environments:
  staging:
    url: https://staging.example.com
    calling_url: https://calls.example.com
    flows:
      flows/billing.flow.yaml: {assistant: ${id(1)}, revision: ${id(2)}}
    names:
      look_up: ${id(3)}
      front_desk: "+15550100"
  production:
    url: https://api.example.com
    protected: true
    flows: {flows/billing.flow.yaml: {assistant: ${id(11)}, revision: ${id(12)}}}
    names: {look_up: ${id(13)}, front_desk: "+15550111"}
`;
const problems = (text: string) => projectProblems(readProjectFile(text));
const messages = (text: string) => problems(text).map(({ message }) => message);

describe("a project file", () => {
  it("is read", () => {
    const project = readProjectFile(PROJECT);
    assert.deepEqual(projectProblems(project), []);
    assert.equal(environmentNamed(project)?.name, "staging");
    assert.deepEqual(
      project.environments.map(({ name, isProtected, url }) => [name, isProtected, url?.text]),
      [
        ["staging", false, "https://staging.example.com"],
        ["production", true, "https://api.example.com"],
      ],
    );
    const [staging, production] = environmentsOf(project, "flows/billing.flow.yaml");
    assert.equal(staging?.link.revision, id(2));
    assert.equal(production?.names.get("front_desk"), "+15550111");
    assert.deepEqual(production?.foreign.get(id(3)), { environment: "staging", name: "look_up" });
    assert.equal(production?.foreign.has(id(13)), false);
    assert.equal(keyVariable("pre-prod"), "ASSISTANT_FLOW_API_KEY_PRE_PROD");
  });

  it("has one problem while its first environment is typed", () => {
    for (const text of ["  staging:\n", "  staging:\n    protected: false\n"])
      assert.deepEqual(messages(`default: staging\nenvironments:\n${text}`), ['Environment "staging" needs a `url`.']);
  });

  it("never throws, whatever is typed", () => {
    for (let end = 0; end <= PROJECT.length; end++) readProjectFile(PROJECT.slice(0, end));
    for (let at = 0; at < PROJECT.length; at += 3) readProjectFile(PROJECT.slice(0, at) + PROJECT.slice(at + 2));
  });

  it("has no keys in it, and only URLs that a key may be sent to", () => {
    const replaced = (text: string) => messages(PROJECT.replace("https://staging.example.com", text)).join();
    assert.match(
      messages(PROJECT.replace("    protected", "    api_key: x\n    protected")).join(),
      /must not contain API keys/,
    );
    assert.match(replaced("http://staging.example.com"), /Use https/);
    assert.match(replaced("https://me:secret@staging.example.com"), /Remove the user name/);
    assert.match(replaced("https://staging.example.com?key=1"), /after the \?/);
    assert.match(replaced("ftp://staging.example.com"), /starts with https/);
    assert.equal(replaced("http://127.0.0.1:4010"), "");
  });

  it("stays protected if `protected` can't be read", () => {
    const project = readProjectFile(PROJECT.replace("protected: true", "protected: yes"));
    assert.equal(environmentNamed(project, "production")?.isProtected, true);
    assert.equal(project.problems.length, 1);
  });

  it("reports environments that would share a key", () => {
    assert.match(messages(PROJECT.replace("  production:", "  Staging:")).join(), /share the variable/);
  });

  it("reports flows outside its folder, and revisions that are used twice", () => {
    for (const path of ["../x.flow.yaml", "/x.flow.yaml", "a/../../x.flow.yaml", "C:/x.flow.yaml", "x.yaml"])
      assert.match(messages(PROJECT.replace("flows/billing.flow.yaml", path)).join(), /path of a flow file/, path);
    assert.match(messages(PROJECT.replace(id(12), id(2))).join(), /This revision is also used by/);
  });

  const fixed = (text: string, code: string) => {
    const problem = problems(text).find((each) => each.code === code);
    assert.ok(problem, code);
    const fix = problem.fixes?.[0];
    return { message: problem.message, text: fix && applyEdits(text, fix.edits) };
  };

  it("reports a name that is missing in an environment", () => {
    const block = fixed(PROJECT.replace(`{look_up: ${id(13)}, `, "{"), "missing-name");
    assert.match(block.message, /"look_up" has no value in "production"/);
    assert.ok(block.text?.includes(`front_desk: "+15550111", look_up: ""}`));
    const added = fixed(PROJECT.replace('      front_desk: "+15550100"\n', ""), "missing-name");
    assert.ok(added.text?.includes(`      look_up: ${id(3)}\n      front_desk: "+15550111"\n`), added.text);
    assert.deepEqual(messages(added.text ?? ""), []);
  });

  it("reports two names for one value, and an ID of the wrong environment", () => {
    const twin = fixed(
      PROJECT.replace(`      look_up: ${id(3)}\n`, `      look_up: ${id(3)}\n      twin: ${id(3)}\n`),
      "duplicate-value",
    );
    assert.match(twin.message, /"twin" and "look_up" have the same value/);
    assert.equal(twin.text, PROJECT);
    assert.match(
      fixed(PROJECT.replace(id(13), id(3)), "wrong-environment").message,
      /the ID of "look_up" in "staging"/,
    );
  });

  it("reports unknown keys with a fix", () => {
    assert.ok(fixed(PROJECT.replace("calling_url", "caling_url"), "bad-project").text === PROJECT);
    assert.ok(fixed(PROJECT.replace("default: staging", "default: stagng"), "bad-project").text === PROJECT);
  });

  it("has a schema", () => {
    const path = "schemas/assistant-flow-project.schema.json";
    assert.equal(readFileSync(path, "utf8"), `${JSON.stringify(projectSchema(), null, 2)}\n`);
    const valid = new Ajv({ allErrors: true, strict: true }).compile(projectSchema());
    assert.ok(valid(parse(PROJECT)), JSON.stringify(valid.errors));
    assert.ok(!valid(parse(PROJECT.replace("calling_url", "caling_url"))));
    assert.ok(!valid(parse(PROJECT.replace(id(1), "x"))));
  });
});

describe("names in a flow", () => {
  const environments = environmentsOf(readProjectFile(PROJECT), "flows/billing.flow.yaml");
  const check = (value: string, field = "tool") => {
    const document = FlowDocument.read(`entry: a\nnodes:\n  a:\n    type: tool\n    ${field}: ${value}\n`);
    return checkNames(document, environments).map((problem) => ({
      ...problem,
      fixed: fixesFor(problem, document).map(({ edits }) => applyEdits(document.text, edits))[0],
    }));
  };

  it("are checked in every environment", () => {
    assert.deepEqual(check("$look_up"), []);
    assert.deepEqual(check("$look_up", "instructions"), []);
    assert.deepEqual(check("{{name}}"), []);
    const [typo] = check("$look_pu");
    assert.equal(typo?.code, "unknown-name");
    assert.match(typo?.fixed ?? "", /tool: \$look_up\n/);
    assert.match(
      check("[$look_up, $x]", "knowledge_base_ids")[0]?.message ?? "",
      /"x" isn't defined in environments "staging", "production"/,
    );
  });

  it("replace IDs of one environment, and literals", () => {
    const [foreign] = check(id(3).toUpperCase());
    assert.equal(foreign?.code, "foreign-id");
    assert.equal(foreign?.severity, "error");
    assert.match(
      foreign?.message ?? "",
      /the ID of "look_up" in environment "staging", so it can't be sent to "production"/,
    );
    assert.match(foreign?.fixed ?? "", /tool: \$look_up\n/);
    assert.equal(check(id(1), "component")[0]?.code, "foreign-id");
    assert.equal(check(`{queue: ${id(13)}}`, "inputs")[0]?.code, "foreign-id");
    const [literal] = check('"+15550100"', "destination");
    assert.deepEqual([literal?.code, literal?.severity], ["literal-for-name", "warning"]);
    assert.match(literal?.fixed ?? "", /destination: \$front_desk\n/);
  });

  it("aren't checked without a project", () => {
    assert.deepEqual(checkNames(FlowDocument.read("nodes: {a: {type: tool, tool: $x}}"), []), []);
  });
});
