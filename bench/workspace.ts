/**
 * A workspace of 2,000 flows of 100 nodes: `check` compared with only parsing the files with `yaml`, and the language
 * server's first pass while typing. `--quick`: 200 flows.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseDocument } from "yaml";
import { inProject } from "../scripts/project";
import { flowOf } from "./flows";
import { editsOf, MeasuredServer } from "./lsp";
import { commandTimes, machine, percentile, show, timesOf } from "./measure";
import { ourSide } from "./sides";

const NODES = 100;

export async function run(folder: string): Promise<undefined> {
  const files = process.argv.includes("--quick") ? 200 : 2000;
  const flows = path.join(folder, "flows");
  const state = path.join(folder, "state");
  mkdirSync(flows);
  for (let i = 0; i < files; i++) {
    const text = flowOf(NODES, "clean", i).replaceAll("caller of", `caller ${i} of`);
    writeFileSync(path.join(flows, `flow-${i}.flow.yaml`), text);
  }
  console.log(`${files} flows of ${NODES} nodes; ${machine()}`);
  const [reading = 0] = await timesOf(1, async () => {
    for (const name of readdirSync(flows)) parseDocument(readFileSync(path.join(flows, name), "utf8"));
  });
  const [check = 0] = commandTimes(1, [inProject("dist/cli.js"), "check", "--quiet"], flows);
  console.log(`yaml: ${show(reading)} ms; check: ${show(check)} ms, ${(reading / check).toFixed(1)} times faster`);
  const quiet = await session(undefined, state, 0);
  const alone = await session(flows, path.join(folder, "alone"), files, { types: false });
  const pass = await session(flows, state, files);
  console.log(
    `all files known after ${alone.done} ms, ${pass.done} ms while typing; edit median/p95 ${pass.edits}, without files ${quiet.edits}; peak memory ${Math.max(alone.memory, pass.memory)} MB`,
  );
}

/** Milliseconds between keystrokes. Users type more slowly. */
const LETTER_MS = 50;
/** The minimum number of keystrokes. */
const LETTERS = 200;

/** Waits until the server knows all files, while typing. */
async function session(
  folder: string | undefined,
  state: string,
  files: number,
  { types = true } = {},
): Promise<{ done: number; edits: string; memory: number }> {
  const side = await ourSide();
  const text = flowOf(NODES);
  const begun = performance.now();
  const server = await MeasuredServer.start(side.node, side.args, side.settings, {
    ...(folder === undefined ? {} : { folder: pathToFileURL(folder).href }),
    env: { ...process.env, ASSISTANT_FLOW_STATE_DIR: state },
  });
  try {
    await server.open(text);
    const edits = editsOf(server, text, NODES);
    const times: number[] = [];
    let done = 0;
    const pass = server.checkedFiles().then((known) => {
      if (known < files) throw new Error(`${known} of ${files} files are known.`);
      done = performance.now() - begun;
    });
    for (let round = 0; types && (done === 0 || round < LETTERS); round++) {
      await setTimeout(LETTER_MS);
      times.push(await edits.words(round));
    }
    await pass;
    const shown = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1)).join("/");
    return { done: Math.round(done), edits: shown, memory: Math.round(server.peakMemory()) };
  } finally {
    await server.stop();
  }
}
