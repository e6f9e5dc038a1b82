/**
 * How well calls are traced, the table of docs/calls.md, and how fast. Usage: npm run bench:calls [-- flows calls].
 * The calls come from the sandbox and from a second generator (other-calls.ts); foreign calls are those of another flow.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FlowDocument } from "../flow";
import { CallTally, CallTracer, readCall } from "../flow/calls";
import { type Program, programOf } from "../flow/run";
import { CALLER_KINDS, simulateCall } from "../sandbox";
import { otherCall } from "./other-calls";

const folder = join(__dirname, "..", "test", "corpus", "valid");
const [flows = 50, perFlow = 100] = process.argv.slice(2).map(Number);
const programs = readdirSync(folder)
  .sort()
  .map((name) => programOf(FlowDocument.read(readFileSync(join(folder, name), "utf8"))))
  .filter(({ entry }) => entry !== undefined)
  .slice(0, flows);
const tracers = programs.map((program) => new CallTracer(program));

interface Made {
  readonly call: Record<string, unknown>;
  readonly path: readonly string[];
  readonly ended: boolean;
}

function fromSandbox(program: Program, number: number, heavy: boolean): Made | undefined {
  const caller = CALLER_KINDS[number % CALLER_KINDS.length] as (typeof CALLER_KINDS)[number];
  const made = simulateCall(program, () => undefined, {
    seed: `bench/${number}`,
    caller,
    paraphrase: heavy ? "heavy" : "light",
  });
  if (!made) return undefined;
  const call = {
    id: `call-${number}`,
    transcript: made.lines.map((line, id) => ({ id, created_at: "", ...line })),
    variables: made.variables,
    callEndedReason: made.reason,
    callEndedBy: made.endedBy,
  };
  return { call, path: made.path, ended: made.endedBy === "ASSISTANT" };
}

const percent = (part: number, whole: number) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(2)} %`);

/** The cells of one row. */
function measure(make: (program: Program, number: number) => Made | undefined): (number | string)[] {
  const verdicts = { placed: 0, partly: 0, unplaced: 0 };
  let [calls, foreignUnplaced, endsRight] = [0, 0, 0];
  // The steps of the traces, those that are right, and the nodes that the calls really entered.
  let [steps, right, entered, certain, certainRight] = [0, 0, 0, 0, 0];
  programs.forEach((program, index) => {
    const tracer = tracers[index] as CallTracer;
    for (let number = 0; number < perFlow; number++) {
      const made = make(program, index * 1000 + number);
      const call = made && readCall(made.call);
      if (!call) continue;
      const trace = tracer.trace(call);
      calls++;
      verdicts[trace.verdict]++;
      entered += made.path.length;
      steps += trace.steps.length;
      trace.steps.forEach(({ node, certainty }, place) => {
        const isRight = made.path[place] === node;
        if (isRight) right++;
        if (certainty !== "certain") return;
        certain++;
        if (isRight) certainRight++;
        else if (process.env.SHOW)
          console.log("certain but wrong", program.document.text.slice(0, 40), number, place, node, made.path);
      });
      if (trace.verdict === "placed" && trace.end?.node === made.path.at(-1)) endsRight++;
      const other = tracers[(index + 1 + (number % (programs.length - 1))) % programs.length] as CallTracer;
      if (other.trace(call).verdict === "unplaced") foreignUnplaced++;
    }
  });
  return [
    calls,
    `${percent(certainRight, certain)} of ${certain}`,
    percent(right, steps),
    percent(right, entered),
    ((2 * right) / Math.max(1, steps + entered)).toFixed(3),
    percent(verdicts.placed, calls),
    percent(verdicts.partly, calls),
    percent(verdicts.unplaced, calls),
    percent(endsRight, verdicts.placed),
    percent(foreignUnplaced, calls),
  ];
}

console.log(
  "| calls | certain right | precision | recall | F1 | placed | partly | unplaced | end right | foreign unplaced |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
for (const [name, make] of [
  ["sandbox, light", (program: Program, number: number) => fromSandbox(program, number, false)],
  ["sandbox, heavy", (program: Program, number: number) => fromSandbox(program, number, true)],
  ["other generator, light", (program: Program, number: number) => otherCall(program, number, false)],
  ["other generator, heavy", (program: Program, number: number) => otherCall(program, number, true)],
] as const) {
  const began = performance.now();
  const [calls, ...cells] = measure(make);
  console.log(`| ${[`${name} (${calls})`, ...cells].join(" | ")} |`);
  if (process.env.SHOW) console.log(`${Math.round(performance.now() - began)} ms`);
}

/** A call of 20 turns of a flow: those of the sandbox, and as many others as it takes. */
function longCall(program: Program, number: number): Record<string, unknown> {
  const { call } = fromSandbox(program, number, number % 2 === 1) as Made;
  const turns = (call.transcript as { text: string }[]).slice(0, 20);
  for (let more = 0; turns.length < 20; more++)
    turns.splice(1 + ((more * 3) % turns.length), 0, {
      ...(turns[more % turns.length] as { text: string }),
      text: `Let me repeat that for you, number ${number + more}.`,
    });
  return { ...call, transcript: turns };
}

console.log("\n| calls of 20 turns | processor time | memory |\n|---|---|---|");
const supportLine = readFileSync(join(__dirname, "..", "examples", "support-line.flow.yaml"), "utf8");
const program = programOf(FlowDocument.read(supportLine));
for (const count of [2500, 5000, 10_000]) {
  const tracer = new CallTracer(program);
  const tally = new CallTally();
  let micros = 0;
  for (let number = 0; number < count; number++) {
    const call = readCall(longCall(program, number));
    const before = process.cpuUsage();
    if (call) tally.add(tracer.trace(call));
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  console.log(`| ${count} | ${(micros / 1e6).toFixed(1)} s | ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB |`);
}
