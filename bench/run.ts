/**
 * Tests of flows: 1,000 tests on a flow of 500 nodes in under a second from the start of the process, and a time that grows
 * with the steps that are run. The peer is the same work with a tenth of the tests. Generating tests takes at most 2.3 times as
 * long for twice the nodes. Flows in which each of n nodes can end the conversation aren't measured: they need n tests, the
 * paths of which have n²/2 nodes, so the generated file itself grows by 4.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { inProject } from "../scripts/project";
import { RunTestsRequest, type TestRunView } from "../server/test-messages";
import { flowOf as forkedFlow } from "./flows";
import { bench, commandTimes } from "./harness";
import { MeasuredServer } from "./lsp";
import { column, machine, median, percentile } from "./measure";
import { ourSide } from "./sides";

/** A chain of nodes that ask, call or leave a choice; each path is as long as the flow. */
function flowOf(nodes: number): string {
  const lines = [
    "entry: n0",
    "context_variables:",
    "  plan: {type: string, enum_values: [basic, plus, max]}",
    "nodes:",
  ];
  for (let n = 0; n < nodes - 1; n++) {
    const next = `n${n + 1}`;
    lines.push(`  n${n}:`);
    if (n === 0) lines.push("    type: collect", "    variable: plan", "    instructions: Ask for the plan.");
    else
      lines.push("    type: message", `    instructions: Step number ${n} tells the caller about the {{plan}} plan.`);
    lines.push("    edges:");
    if (n % 50 === 10) lines.push(`      - {to: ${next}, when: the caller agrees}`, `      - {to: n${nodes - 1}}`);
    else
      lines.push(
        `      - {to: n${nodes - 1}, when: "{{plan}} is max and {{plan}} is unknown"}`,
        `      - {to: ${next}}`,
      );
  }
  lines.push(`  n${nodes - 1}: {type: end}`);
  return `${lines.join("\n")}\n`;
}

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

/** The median and p95 from an edit of the flow to results and coverage, over the real protocol. */
async function editTimes(folder: string, flow: string, tests: string, edits: number): Promise<readonly number[]> {
  const [flowFile, testFile] = [path.join(folder, "bench.flow.yaml"), path.join(folder, "bench.flowtest.yaml")];
  writeFileSync(flowFile, flow);
  writeFileSync(testFile, tests);
  const { node, args, settings } = await ourSide();
  const server = await MeasuredServer.start(node, args, settings, { folder: pathToFileURL(folder).href });
  try {
    const files = [{ uri: pathToFileURL(testFile).href }];
    const times: number[] = [];
    // The first runs start and warm up the thread.
    for (let edit = -5; edit < edits; edit++) {
      const text = flow.replace("Step number 7 ", `Step number 7, edit ${edit}, `);
      const unsaved = [{ uri: pathToFileURL(flowFile).href, text }];
      const begun = performance.now();
      const view = await server.connection.sendRequest<TestRunView>(RunTestsRequest.method, { files, unsaved });
      if (edit >= 0) times.push(performance.now() - begun);
      const count = tests.split("- name:").length - 1;
      if (view.files[0]?.results.length !== count || view.coverage[0]?.nodes.length === 0)
        throw new Error(`There aren't ${count} results, or there's no coverage.`);
    }
    return [median(times), percentile(times, 0.95)];
  } finally {
    await server.stop();
  }
}

void bench(async (folder) => {
  const inFolder = (name: string) => {
    const place = path.join(folder, name);
    mkdirSync(place);
    return place;
  };
  const measure = (times: number, place: string, options: readonly string[]) =>
    commandTimes(times, [inProject("dist/cli.js"), "test", ...options], place)
      .map(column)
      .join(" ");
  console.log(`${machine()}; ms, best and median`);
  console.log(`${"500 nodes, from the start of the process".padEnd(44)}   text          json and coverage`);
  for (const count of [100, 1_000, 2_000]) {
    const place = inFolder(String(count));
    writeFileSync(path.join(place, "bench.flow.yaml"), flowOf(500));
    writeFileSync(path.join(place, "bench.flowtest.yaml"), testsOf(count, 500));
    const json = measure(5, place, ["--coverage", "--format", "json"]);
    console.log(`${`${count} tests`.padEnd(44)} ${measure(7, place, [])}   ${json}`);
  }
  // VS Code adds a debounce of 15 ms and rendering.
  console.log(`${"500 nodes, an edit to results and coverage".padEnd(44)} median    p95`);
  for (const count of [200, 1_000]) {
    const times = await editTimes(inFolder(`edits-${count}`), flowOf(500), testsOf(count, 500), 60);
    console.log(`${`${count} tests`.padEnd(44)} ${times.map(column).join(" ")}`);
  }
  console.log(`${"test --generate".padEnd(44)}   best median   × for twice the nodes`);
  let before: number | undefined;
  for (const nodes of [150, 300, 600, 1_200]) {
    writeFileSync(path.join(folder, "grown.flow.yaml"), forkedFlow(nodes));
    const args = [inProject("dist/cli.js"), "test", "--generate", "grown.flow.yaml"];
    const times = commandTimes(3, args, folder);
    const growth = before === undefined ? "" : (times[0] / before).toFixed(2);
    console.log(`${`${nodes} nodes`.padEnd(44)} ${times.map(column).join(" ")}   ${growth}`);
    before = times[0];
  }
});
