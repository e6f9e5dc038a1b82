/** The seven rules about tools, through `checkTools`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, checkTools, FlowDocument, fixesFor } from "../../../flow";
import { KnownTools, type ToolDefinition, toolsOfRevision } from "../../../flow/tools";

const ID = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";
const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";

/** A revision as the platform returns it, with one tool. */
function revision(active: object, more: object = {}) {
  return {
    id: REVISION,
    tools: [{ tool: { id: ID, name: "Look up account", tool_type: "api_call", active_revision: active } }],
    ...more,
  };
}

const variables = (...list: readonly [name: string, type: string, required?: boolean][]) => ({
  configuration: { variables: list.map(([name, type, required = false]) => ({ name, type, required })) },
});

function flow(node: string, more = ""): FlowDocument {
  return FlowDocument.read(`entry: a
context_variables:
  name: {type: string}
  size: {type: string, enum_values: ["1", "2"]}
  amount: {type: number}
  flag: {type: boolean}
  odd: {type: money}
nodes:
  a:
    type: tool
    tool: ${ID}
${node.replace(/^/gm, "    ")}
    edges: [{to: b}, {to: b, on: error}]
  b: {type: end}
${more}`);
}

function found(document: FlowDocument, source: unknown): string[] {
  const problems = checkTools(document, new KnownTools([toolsOfRevision(source)]));
  return problems.map(({ code, severity, span, message }) => {
    const line = document.positionAt(span.start).line + 1;
    return `${line} ${severity} ${code} ${document.slice(span)}: ${message}`;
  });
}

test("without known tools nothing is reported", () => {
  assert.deepEqual(checkTools(flow("inputs: {x: 1}"), undefined), []);
});

test("a tool that the revision doesn't have", () => {
  const document = FlowDocument.read(
    `nodes:\n  a: {type: tool, tool: look up Account}\n  b: {type: tool, tool: 6A2D7C1E-0c4b-4b7e-9f2c-3d1f5a9b0003}\n  c: {type: tool, tool: "{{x}}"}\n  d: {type: message, tool: no}\n  e: {type: tool, tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0004}\n  f: {type: tool, tool: $name}\n`,
  );
  assert.deepEqual(found(document, revision({})), [
    `2 warning unknown-tool look up Account: The revision has no tool with the ID "look up Account". Did you mean "Look up account"?`,
    `6 warning unknown-tool 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0004: The revision has no tool with the ID "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0004". Did you mean "Look up account"?`,
  ]);
  assert.equal(found(document, { id: REVISION, tools: [] }).length, 3);
});

test("required inputs without a value or a default", () => {
  const source = variables(["account", "str", true], ["plan", "str"]);
  const missing =
    '11 error missing-tool-input 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003: Tool "Look up account" requires the input "account".';
  assert.deepEqual(found(flow("name: x"), revision(source)), [missing]);
  assert.deepEqual(found(flow("inputs: {plan: x}"), revision(source)), [
    '12 error missing-tool-input inputs: Tool "Look up account" requires the input "account".',
  ]);
  assert.deepEqual(found(flow("inputs: {account: null}"), revision(source)), []);
  assert.deepEqual(found(flow('inputs: "{{all}}"'), revision(source)), []);
  for (const more of [
    { tool_input_defaults: { account: 1 } },
    { tool_input_defaults: { [ID.toUpperCase()]: { account: 1 } } },
  ])
    assert.deepEqual(found(flow("name: x"), revision(source, more)), []);
  assert.deepEqual(found(flow("name: x"), revision({ ...source, input_defaults: { account: "secret" } })), []);
});

test("of a tool with very many inputs or outputs, nothing is known about them", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `field_${index}`);
  const source = (count: number) =>
    revision({
      ...variables(...many(count).map((name): [string, string, boolean] => [name, "str", true])),
      response_schema: { field_mappings: many(count).map((name) => ({ path: `$.${name}` })) },
    });
  const document = flow("saves: {name: $.other}");
  const codes = (count: number) => found(document, source(count)).map((line) => line.split(" ")[2]);
  assert.deepEqual(codes(1001), []);
  assert.deepEqual(codes(1000), [...Array(20).fill("missing-tool-input"), "unknown-tool-output"]);
});

test("a misspelled name isn't compared with very many others", () => {
  const tools = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      tool: { id: index === 0 ? ID : `00000000-0000-0000-0000-${`${index}`.padStart(12, "0")}`, name: `Tool ${index}` },
    }));
  const typo = FlowDocument.read(
    `nodes:\n  a: {type: tool, tool: ${ID.replace(/3$/, "4")}}\n  b: {type: tool, tool: tool 7}\n`,
  );
  const meant = (count: number) =>
    found(typo, { id: REVISION, tools: tools(count) }).map((line) => /Did you mean "(.*)"/.exec(line)?.[1]);
  assert.deepEqual(meant(1000), ["Tool 0", "Tool 7"]);
  assert.deepEqual(meant(1001), [undefined, "Tool 7"]);
  const inputs = (count: number) =>
    revision({
      ...variables(...Array.from({ length: count }, (_, index): [string, string] => [`account${index}`, "str"])),
      response_schema: { field_mappings: Array.from({ length: count }, (_, index) => ({ path: `$.plan${index}xyz` })) },
    });
  const document = flow("inputs: {acount7: x}\nsaves: {name: $.pla7xyz}");
  const near = (count: number) => found(document, inputs(count)).map((line) => /Did you mean "(.*)"/.exec(line)?.[1]);
  assert.deepEqual(near(8), ["account7", "$.plan7xyz"]);
  assert.deepEqual(near(201), [undefined, undefined]);
});

test("inputs that the tool doesn't declare, and typos of required ones", () => {
  const source = revision(variables(["account", "str", true]));
  assert.deepEqual(found(flow("inputs: {acount: x}"), source), [
    '12 warning unknown-tool-input acount: Tool "Look up account" has no input "acount". Did you mean "account"?',
  ]);
  assert.deepEqual(found(flow("inputs: {account: x, other: y}"), source), [
    '12 warning unknown-tool-input other: Tool "Look up account" has no input "other".',
  ]);
  assert.equal(found(flow("inputs: {x: y}"), revision(variables())).length, 1);
  assert.deepEqual(found(flow("inputs: {x: y}"), revision({})), []);
});

const FITTING: Record<string, readonly string[]> = {
  str: ["x", "5", "true", "1.5", '"{{name}}"', '"{{flag}}"', "null"],
  int: ["5", "5.0", '"5"', '"{{amount}}"', '"{{size}}"', '"{{odd}}"', '"{{nope}}"', '"a{{name}}"', "null", "-3"],
  number: ["5", "5.5", '"5.5"', "1e3", '"{{amount}}"', ".inf"],
  bool: ["true", "false", '"true"', '"False"', "yes", '"{{flag}}"', "1"],
  list: ["[1]", "[]", "'[1, 2]'", '"{{name}}"'],
  dict: ["{a: 1}", "{}", `'{"a": 1}'`],
  money: ["anything", "[1]"],
  string: ["[1]"],
};
const UNFIT: Record<string, readonly string[]> = {
  str: ["[1]", "{a: 1}"],
  int: ["x", "5.5", "true", "[1]", "{a: 1}", '"{{name}}"', '"{{flag}}"', '""'],
  integer: ["x"],
  float: ["x", "false", '"{{name}}"', "[1]"],
  boolean: ["x", "5", '"{{name}}"', '"{{amount}}"', "[true]"],
  array: ["x", "5", "{a: 1}", "true", '"{{amount}}"'],
  object: ["x", "5", "[1]", '"{{flag}}"'],
};

test("types of inputs", () => {
  const codes = (type: string, value: string) =>
    found(flow(`inputs: {account: ${value}}`), revision(variables(["account", type])));
  for (const [type, values] of Object.entries(FITTING))
    for (const value of values) assert.deepEqual(codes(type, value), [], `${type}: ${value}`);
  for (const [type, values] of Object.entries(UNFIT))
    for (const value of values) {
      const [only, ...rest] = codes(type, value);
      assert.match(only ?? "", /^12 warning tool-input-type /, `${type}: ${value}`);
      assert.deepEqual(rest, []);
    }
});

test("paths into the response", () => {
  const source = revision({
    response_schema: {
      field_mappings: [
        { path: "$.data.plan", alias: "plan" },
        { path: "$.items[0].id", alias: "first" },
      ],
    },
  });
  const check = (path: string, from = source) => found(flow(`saves: {name: ${JSON.stringify(path)}}`), from);
  for (const path of [
    "$.data.plan",
    "$.data",
    "$",
    "$.data.plan.name",
    "$.plan",
    "plan",
    "$.plan.name",
    "$['data']['plan']",
    '$["data"].plan',
    "$.items[3].id",
    "$.items[*].id",
    "$.items",
    "$.items[?(@.a)]",
    "$..x",
    "$.first",
  ])
    assert.deepEqual(check(path), [], path);
  for (const path of ["$.data.name", "$.plans", "$.items[0].name", "other", "$.data['x']"])
    assert.match(check(path)[0] ?? "", /^12 warning unknown-tool-output /, path);
  assert.deepEqual(check("$.x", revision({})), []);
  assert.match(check("$.data.plam")[0] ?? "", /Did you mean "\$\.data\.plan"\?$/);
});

test("stale inputs are reported once", () => {
  const source = revision({ ...variables(["account", "str"]), stale_input_fields: ["old", "account"] });
  assert.deepEqual(
    found(flow("inputs: {old: x, account: y}"), source).map((line) => line.split(" ")[2]),
    ["stale-tool-input", "stale-tool-input"],
  );
});

test("compatibility findings of this revision", () => {
  const finding = {
    severity: "blocking",
    detail: "The type changed.",
    graph_node_id: "a",
    field_path: "inputs.account",
  };
  const check = (...findings: object[]) =>
    found(flow("inputs: {account: x}"), revision({ compatibility: { findings } })).map((line) =>
      line.split(" ").slice(0, 4).join(" "),
    );
  assert.deepEqual(check(finding), ["12 error tool-incompatible account:"]);
  assert.deepEqual(check({ ...finding, severity: "advisory", field_path: "configuration.variables.x" }), [
    `11 warning tool-incompatible ${ID}:`,
  ]);
  assert.deepEqual(check({ ...finding, graph_node_id: "z" }), []);
  assert.deepEqual(check({ ...finding, assistant_revision_id: "someone else's" }), []);
  assert.deepEqual(check({ ...finding, assistant_revision_id: REVISION.toUpperCase(), graph_node_id: null }).length, 1);
  assert.deepEqual(check({ severity: "blocking", detail: "x" }), []);
  assert.deepEqual(check({ ...finding, graph_node_id: "" }), [], "an empty ID names no node");
  assert.equal(check({ ...finding, assistant_revision_id: "", workflow_revision_id: "" }).length, 1);
  // The flow is linked to the assistant's revision; the workflow revision may have another ID.
  const linked = "0f0e0d0c-0c4b-4b7e-9f2c-3d1f5a9b0777";
  const source = revision({ compatibility: { findings: [{ ...finding, assistant_revision_id: linked }] } });
  assert.equal(toolsOfRevision(source, linked.toUpperCase()).tools[0]?.compatibility.length, 1);
  assert.equal(toolsOfRevision(source).tools[0]?.compatibility.length, 0);
});

test("the field of a compatibility finding: as much of its path as the node has", () => {
  const node = "inputs:\n  items:\n    - {id: 1}\n    - {id: 2}\n  zip: x\nsaves: {name: $.name}";
  const place = (field_path: string) => {
    const finding = { detail: "x", graph_node_id: "a", field_path };
    const [line = ""] = found(flow(node), revision({ compatibility: { findings: [finding] } }));
    return line.replace(/^(\d+) warning tool-incompatible (.*): Tool .*$/s, "$1 $2");
  };
  for (const [path, expected] of [
    ["inputs.items[1].id", "15 id"],
    ["nodes.a.inputs.items.0.id", "14 id"],
    ["$.inputs['zip']", "16 zip"],
    ["configuration.variables.zip.type", "16 zip"],
    ["inputs.items[7].id", "13 items"],
    ["inputs.gone", "12 inputs"],
    ["saves.name", "17 name"],
    ["nothing/here", `11 ${ID}`],
  ] as const)
    assert.equal(place(path), expected, path);
});

test("tools without a name, or with the same name", () => {
  const nameless = { ...revision(variables()), tools: [{ tool: { id: ID, active_revision: variables() } }] };
  assert.match(found(flow("inputs: {x: 1}"), nameless)[0] ?? "", new RegExp(`Tool "${ID}" has no input "x"`));
  const other = { tool: { id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0004", name: "look up account " } };
  const { tools } = revision({});
  const named = FlowDocument.read("nodes:\n  a: {type: tool, tool: Look up account}\n");
  assert.match(found(named, { tools })[0] ?? "", /Did you mean/);
  assert.doesNotMatch(found(named, { tools: [...tools, other] })[0] ?? "", /Did you mean/);
});

test("fixes", () => {
  const source = revision({
    ...variables(["name", "str", true], ["count", "int", true], ["plan", "str"]),
    stale_input_fields: ["old"],
    response_schema: { field_mappings: [{ path: "$.plan", alias: "plan" }] },
  });
  const known = new KnownTools([toolsOfRevision(source)]);
  const fixed = (node: string) => {
    const document = flow(node);
    return checkTools(document, known).flatMap((problem) =>
      fixesFor(problem, document)
        .filter((fix) => !fix.suppresses)
        .map(
          (fix) =>
            `${fix.title} | ${applyEdits(document.text, fix.edits)
              .split("\n")
              .slice(10, 15)
              .join("⏎")
              .replace(/⏎ {4}edges.*/s, "")}`,
        ),
    );
  };
  const tool = `    tool: ${ID}`;
  assert.deepEqual(fixed("name: x"), [
    `Add input "name" | ${tool}⏎    inputs: {name: "{{name}}"}⏎    name: x`,
    `Add input "count" | ${tool}⏎    inputs: {count: 0}⏎    name: x`,
  ]);
  for (const empty of ["inputs: {}", "inputs:"])
    assert.equal(fixed(`${empty}\nname: x`)[1], `Add input "count" | ${tool}⏎    inputs: {count: 0}⏎    name: x`);
  assert.deepEqual(fixed("inputs:\n  name: x\n  cuont: 1\n  old: 1\nsaves: {plan: $.plam}"), [
    `Rename to "count" | ${tool}⏎    inputs:⏎      name: x⏎      count: 1⏎      old: 1`,
    `Remove input "cuont" | ${tool}⏎    inputs:⏎      name: x⏎      old: 1⏎    saves: {plan: $.plam}`,
    `Change to "$.plan" | ${tool}⏎    inputs:⏎      name: x⏎      cuont: 1⏎      old: 1`,
    `Remove input "old" | ${tool}⏎    inputs:⏎      name: x⏎      cuont: 1⏎    saves: {plan: $.plam}`,
  ]);
});

test("results follow edits of the node, of a variable's type, and of the tools", () => {
  const document = flow('inputs: {account: "{{name}}"}');
  const known = new KnownTools([toolsOfRevision(revision(variables(["account", "int"])))]);
  const codes = () => checkTools(document, known).map(({ code }) => code);
  assert.deepEqual(codes(), ["tool-input-type"]);
  const at = document.text.indexOf("{type: string}") + 7;
  document.edit([{ start: at, end: at + 6, text: "number" }]);
  assert.deepEqual(codes(), []);
  const input = document.text.indexOf("account");
  document.edit([{ start: input, end: input + 7, text: "other" }]);
  assert.deepEqual(codes(), ["unknown-tool-input"]);
  assert.deepEqual(
    checkTools(document, new KnownTools([])).map(({ code }) => code),
    ["unknown-tool"],
  );
  document.edit([{ start: document.length, end: document.length, text: "# flow-ignore\n" }]);
  const tool = document.text.indexOf("    tool:");
  document.edit([{ start: tool, end: tool, text: "    # flow-ignore unknown-tool\n" }]);
  assert.deepEqual(checkTools(document, new KnownTools([])), []);
});

test("nodes are checked again only if a variable's type or values change", () => {
  const document = flow('inputs: {account: "{{size}}"}');
  const known = new KnownTools([toolsOfRevision(revision(variables(["account", "int"])))]);
  const get = known.get.bind(known);
  let calls = 0;
  known.get = (id) => {
    calls++;
    return get(id);
  };
  const replace = (text: string, by: string) => {
    calls = 0;
    const start = document.text.indexOf(text);
    document.edit([{ start, end: start + text.length, text: by }]);
    return checkTools(document, known).map(({ code }) => code);
  };
  checkTools(document, known);
  assert.ok(calls > 0);
  assert.deepEqual(replace("amount: {type: number}", "amount: {type: number, description: x}"), []);
  assert.equal(calls, 0);
  assert.deepEqual(replace('["1", "2"]', '["1", "two"]'), ["tool-input-type"]);
  assert.deepEqual(replace("{type: string, enum", "{type: number, enum"), []);
  assert.deepEqual(replace("size: {type: number", "sizes: {type: number"), []);
});

test("only what is needed is copied from a revision", () => {
  const secret = "s3cr3t";
  const source = revision(
    {
      configuration: {
        url: secret,
        headers: [{ key: "a", value: secret }],
        query_params: [{ key: "q", value: secret }],
        body: { b: secret },
        variables: [{ name: "account", type: "str", required: true, default: secret }],
      },
      input_defaults: { account: secret },
      merged_input_preview: { account: secret },
      transfer_target: { destination: secret, mode: "cold", destination_source: null },
    },
    { tool_input_defaults: { account: secret }, trigger_config: { x: secret } },
  );
  const definitions = toolsOfRevision(source);
  assert.ok(!JSON.stringify(definitions).includes(secret));
  const [tool] = definitions.tools as [ToolDefinition];
  assert.deepEqual(tool.transfer, { mode: "cold", dynamic: false });
  assert.deepEqual(tool.inputs, [{ name: "account", type: "str", required: true, hasDefault: true }]);
});

test("any value can be parsed as a revision", () => {
  for (const odd of [
    null,
    1,
    "x",
    [],
    {},
    { tools: 5 },
    { tools: [null, 1, {}, { tool: null }, { tool: { id: 5 } }, { tool: { id: "x", active_revision: 5 } }] },
  ])
    assert.ok(toolsOfRevision(odd).tools.length <= 1);
});
