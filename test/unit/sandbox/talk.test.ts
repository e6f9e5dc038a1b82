/** Calls of workflows that are linked to an assistant run its pushed flow. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { FlowDocument } from "../../../flow";
import { CallTracer, readCall } from "../../../flow/calls";
import { programOf } from "../../../flow/run";
import { CALL_ENDED_REASONS, fetchTransport, PlatformClient, Secret } from "../../../platform";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { inProject } from "../../../scripts/project";

const program = programOf(FlowDocument.read(readFileSync(inProject("examples/support-line.flow.yaml"), "utf8")));

let sandbox: Sandbox;
let client: PlatformClient;
before(async () => {
  sandbox = await startSandbox({ demo: true, calls: { count: 40, seed: "s" }, adminPort: 0, clockSpeed: 1000 });
  client = clientOf(sandbox);
});
after(() => sandbox.stop());

function clientOf({ baseUrl, workflowBaseUrl, apiKey }: Sandbox): PlatformClient {
  return new PlatformClient(fetchTransport({ baseUrl, workflowBaseUrl, key: new Secret(apiKey) }));
}

async function linkedWorkflow() {
  for await (const workflow of client.workflows()) if (workflow.promptId === sandbox.demo?.assistant) return workflow;
  throw new Error("No workflow is linked.");
}

const pathOf = async (id: string) => {
  const response = await fetch(`${sandbox.adminUrl}/calls/${id}/path`);
  return { status: response.status, body: (await response.json()) as { path: string[]; caller: string } };
};

test("answered calls of the demo's linked workflow are runs of the example flow", async () => {
  const { id: workflowId } = await linkedWorkflow();
  const tracer = new CallTracer(program);
  const verdicts: string[] = [];
  for await (const call of client.calls()) {
    // The first calls of the demo show every reason once, whatever the flow does.
    const number = Number(call.customerLeadId?.replace("lead-", "")) - 1000;
    const isAnswered = call.callEndedReason === "ENDED" || call.callEndedReason === "WARM_TRANSFER";
    if (call.workflowId !== workflowId || !(number >= CALL_ENDED_REASONS.length) || !isAnswered) continue;
    const read = readCall(call);
    assert.ok(read);
    verdicts.push(tracer.trace(read).verdict);
  }
  assert.ok(verdicts.length >= 5, `${verdicts.length} calls`);
  assert.equal(verdicts.includes("unplaced"), false, verdicts.join(" "));
});

test("`--calls` adds calls of the demo's flow, with their path under the admin token alone", async () => {
  const { id: workflowId } = await linkedWorkflow();
  const tracer = new CallTracer(program);
  let traced = 0;
  let right = 0;
  let seen = 0;
  for await (const call of client.calls()) {
    if (call.workflowId !== workflowId || !call.customerLeadId?.startsWith("seed-")) continue;
    seen++;
    assert.equal(JSON.stringify(call).includes('"path"'), false);
    const { body } = await pathOf(call.id);
    assert.equal(body.path[0], "greet");
    if (seen === 1) assert.ok((await fetch(`${sandbox.adminUrl}/admin/calls/${call.id}/path`)).ok);
    assert.equal(
      call.callEndedReason === "WARM_TRANSFER",
      program.nodes.get(body.path.at(-1) ?? "")?.type === "transfer",
    );
    const read = readCall(call);
    assert.ok(read);
    tracer.trace(read).steps.forEach(({ node, certainty }, index) => {
      if (certainty === "certain") assert.equal(node, body.path[index]);
      traced++;
      if (node === body.path[index]) right++;
    });
  }
  assert.equal(seen, 40);
  assert.ok(right / traced > 0.9, `${right} of ${traced}`);
});

test("a call placed for a linked workflow runs the flow; others keep their script and have no path", async () => {
  const workflow = await linkedWorkflow();
  const { id } = await client.createCall({ workflowId: workflow.id, firstName: "Ada", primaryPhone: "+15550104" });
  const { body } = await pathOf(id as string);
  assert.equal(body.path[0], "greet");
  const other = (await client.listWorkflows({ active: "true" })).data.find((each) => each.id !== workflow.id);
  const scripted = await client.createCall({ workflowId: other?.id ?? "", primaryPhone: "+15550100" });
  assert.equal((await pathOf(scripted.id as string)).status, 404);
});

test("the same seed gives the same calls", async () => {
  const again = await startSandbox({ demo: true, calls: { count: 3, seed: "s" }, adminPort: 0 });
  try {
    const find = async (from: PlatformClient) => {
      for await (const call of from.calls())
        if (call.customerLeadId === "seed-2") return call.transcript?.map(({ text }) => text);
      return undefined;
    };
    assert.deepEqual(await find(clientOf(again)), await find(client));
  } finally {
    await again.stop();
  }
});
