/**
 * Tests of flows: `assistant-flow test` on a flow of 500 nodes from the start of the process, tests in the editor after an
 * edit, and generated tests, which take at most 2.3 times as long for twice the nodes. Flows in which each of n nodes can end the conversation aren't measured: they need n tests, the
 * paths of which have n²/2 nodes, so the generated file itself grows by 4.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { inProject } from "../scripts/project";
import { RunTestsRequest, type TestRunView } from "../server/test-messages";
import { chainOf, flowOf } from "./flows";
import { MeasuredServer } from "./lsp";
import { commandTimes, type Row, timesOf } from "./measure";
import { ourSide } from "./sides";

/** Tests that leave the chain at one of its choices. */
function testsOf(count: number, nodes: number): string {
  const choices = Math.ceil((nodes - 11) / 50);
  const tests = Array.from({ length: count }, (_, number) => {
    const stays = number % (choices + 1);
    const steps = Array.from({ length: stays }, () => "      - take: the caller agrees");
    if (stays < choices) steps.push(`      - take: n${nodes - 1}`);
    return [
      `  - name: test ${number} stays for ${stays}`,
      "    steps:",
      `      - give: {plan: ${["basic", "plus", "max"][number % 3]}}`,
      ...steps,
      "    expect:",
      `      path: [n0, ..., n${nodes - 1}]`,
      `      ends: n${nodes - 1}`,
    ].join("\n");
  });
  return `flow: bench.flow.yaml\ntests:\n${tests.join("\n")}\n`;
}

/** The times from an edit of the flow to results and coverage, over the real protocol. */
async function editTimes(folder: string, flow: string, tests: string): Promise<readonly number[]> {
  const uriOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const { node, args, settings } = await ourSide();
  const server = await MeasuredServer.start(node, args, settings, { folder: pathToFileURL(folder).href });
  const count = tests.split("- name:").length - 1;
  const edit = async (round: number) => {
    const text = flow.replace("Step number 7 ", `Step number 7, edit ${round}, `);
    const unsaved = [{ uri: uriOf("bench.flow.yaml"), text }];
    const params = { files: [{ uri: uriOf("bench.flowtest.yaml") }], unsaved };
    const view = await server.connection.sendRequest<TestRunView>(RunTestsRequest.method, params);
    if (view.files[0]?.results.length !== count || view.coverage[0]?.nodes.length === 0)
      throw new Error(`There aren't ${count} results, or there's no coverage.`);
  };
  try {
    return await timesOf(60, edit, 5);
  } finally {
    await server.stop();
  }
}

export async function run(folder: string): Promise<readonly Row[]> {
  const cli = inProject("dist/cli.js");
  const flow = chainOf(500);
  const rows: Row[] = [];
  for (const count of [100, 200, 1_000, 2_000]) {
    const place = path.join(folder, String(count));
    const tests = testsOf(count, 500);
    mkdirSync(place);
    writeFileSync(path.join(place, "bench.flow.yaml"), flow);
    writeFileSync(path.join(place, "bench.flowtest.yaml"), tests);
    const limit = count === 1_000 ? { limit: 1000, share: 0 } : {};
    rows.push({ what: `${count} tests`, times: commandTimes(7, [cli, "test"], place), ...limit });
    const json = commandTimes(5, [cli, "test", "--coverage", "--format", "json"], place);
    rows.push({ what: `${count} tests, JSON and coverage`, times: json });
    // VS Code adds a debounce of 15 ms and rendering.
    if (count === 200 || count === 1_000)
      rows.push({ what: `${count} tests, after an edit`, times: await editTimes(place, flow, tests) });
  }
  for (const nodes of [150, 300, 600, 1_200]) {
    writeFileSync(path.join(folder, "grown.flow.yaml"), flowOf(nodes));
    const times = commandTimes(3, [cli, "test", "--generate", "grown.flow.yaml"], folder);
    rows.push({ what: `test --generate, ${nodes} nodes`, times });
  }
  return rows;
}
