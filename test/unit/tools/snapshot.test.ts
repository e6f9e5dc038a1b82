/** The snapshot file: stable bytes, and one clear reason if it can't be used. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSnapshot, snapshotText, toolsOfRevision } from "../../../flow/tools";

const revision = {
  id: "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002",
  tools: [
    {
      tool: {
        id: "B0000000-0000-0000-0000-000000000002",
        name: "Hand over",
        tool_type: "transfer",
        active_revision: {
          transfer_target: { destination: "+15550100", mode: "warm", destination_source: { type: "api_tool" } },
        },
      },
    },
    {
      tool: {
        id: "a0000000-0000-0000-0000-000000000001",
        name: "Look up account",
        description: "Finds an account.",
        tool_type: "api_call",
        active_revision: {
          stale_input_fields: ["old"],
          configuration: {
            url: "https://secret.example.com",
            variables: [{ name: "account", type: "str", required: true, description: "The number." }],
          },
          response_schema: { field_mappings: [{ path: "$.plan", alias: "plan" }, { path: "$.balance" }] },
        },
      },
    },
  ],
  knowledge_base_ids: ["b", "a"],
};

test("a snapshot has the documented shape, sorted by ID", () => {
  assert.deepEqual(JSON.parse(snapshotText(toolsOfRevision(revision))), {
    version: 1,
    tools: [
      {
        id: "a0000000-0000-0000-0000-000000000001",
        name: "Look up account",
        description: "Finds an account.",
        type: "api_call",
        inputs: [{ name: "account", type: "str", required: true, has_default: false, description: "The number." }],
        outputs: [{ path: "$.plan", alias: "plan" }, { path: "$.balance" }],
        transfer: null,
      },
      {
        id: "B0000000-0000-0000-0000-000000000002",
        name: "Hand over",
        description: "",
        type: "transfer",
        outputs: [],
        transfer: { mode: "warm", dynamic: true },
      },
    ],
    knowledge_base_ids: ["a", "b"],
  });
});

test("the same tools in another order give the same bytes, and reading gives them back", () => {
  const text = snapshotText(toolsOfRevision(revision));
  assert.equal(snapshotText(toolsOfRevision({ ...revision, tools: [...revision.tools].reverse() })), text);
  const read = readSnapshot(text);
  assert.ok("tools" in read);
  assert.equal(snapshotText(read), text);
  assert.deepEqual(readSnapshot(`\uFEFF${text}`), read);
  assert.ok(!text.includes("secret") && !text.includes("+1555"));
});

test("an unusable snapshot gives one reason and no tools", () => {
  const reasons: readonly [source: string, reason: RegExp][] = [
    ["", /aren't valid JSON/],
    ["{", /aren't valid JSON/],
    ["[]", /doesn't contain tool definitions/],
    ["{}", /doesn't contain tool definitions/],
    ['{"tools": []}', /doesn't contain tool definitions/],
    ['{"version": 1, "tools": {}}', /doesn't contain tool definitions/],
    ['{"version": 2, "tools": []}', /version that isn't supported/],
    ['{"version": "1", "tools": []}', /version that isn't supported/],
    ['{"version": 1, "tools": [{}]}', /Tool 1 .* has no ID/],
    ['{"version": 1, "tools": [null]}', /Tool 1 .* has no ID/],
    [" ".repeat(5 * 1024 * 1024 + 1), /larger than 5 MB/],
    ["[".repeat(100_000), /aren't valid JSON/],
  ];
  for (const [source, reason] of reasons) {
    const read = readSnapshot(source);
    assert.ok("problem" in read, source.slice(0, 40));
    assert.match(read.problem, reason);
  }
});

test("a field of another type makes a snapshot unusable, and its tool and field are named", () => {
  const tool = (fields: object) => JSON.stringify({ version: 1, tools: [{ id: "a" }, { id: "b", ...fields }] });
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  for (const [fields, named] of [
    [{ name: 5 }, "name"],
    [{ description: ["x"] }, "description"],
    [{ type: {} }, "type"],
    [{ inputs: {} }, "inputs"],
    [{ inputs: [null] }, "inputs"],
    [{ inputs: [{ name: "" }] }, "inputs"],
    [{ inputs: [{ name: "x", required: "yes" }] }, "inputs"],
    [{ outputs: [{}] }, "outputs"],
    [{ outputs: [{ path: 5 }] }, "outputs"],
    [{ transfer: "cold" }, "transfer"],
    [{ transfer: { mode: 5 } }, "transfer"],
  ] as const) {
    const problem = `Tool 2 of the tool definitions has an invalid \`${named}\`. Save them again.`;
    assert.deepEqual(readSnapshot(tool(fields)), { problem }, JSON.stringify(fields));
  }
  const nested = readSnapshot(`{"version": 1, "tools": [{"id": "a", "inputs": [${deep}]}]}`);
  assert.ok("problem" in nested);
  const many = JSON.stringify({ version: 1, tools: Array.from({ length: 10_001 }, (_, id) => ({ id: `${id}` })) });
  assert.match((readSnapshot(many) as { problem: string }).problem, /more than 10,000 tools/);
  for (const [list, item] of [
    ["inputs", { name: "a" }],
    ["outputs", { path: "$.a" }],
  ] as const) {
    const most = readSnapshot(tool({ [list]: Array(1000).fill(item) }));
    assert.ok("tools" in most);
    const more = readSnapshot(tool({ [list]: Array(1001).fill(item) })) as { problem: string };
    assert.match(more.problem, /^Tool 2 .* has more than 1,000 inputs or outputs/);
  }
  assert.ok("problem" in readSnapshot('{"version": 1, "tools": [], "knowledge_base_ids": [5]}'));
});

test("names of JavaScript's own, missing fields and fields of later versions are fine", () => {
  const read = readSnapshot(
    '{"version": 1, "__proto__": {"x": 1}, "later": [], "tools": [{"id": "__proto__", "later": 5, "inputs": [{"name": "__proto__"}], "outputs": [{"alias": "a"}], "transfer": null}]}',
  );
  assert.deepEqual(read, {
    tools: [
      {
        id: "__proto__",
        name: "",
        description: "",
        type: "",
        inputs: [{ name: "__proto__", required: false, hasDefault: false }],
        outputs: [{ path: "$.a", alias: "a" }],
        staleInputs: [],
        compatibility: [],
      },
    ],
    knowledgeBaseIds: [],
  });
  assert.equal(({} as { x?: unknown }).x, undefined);
});
