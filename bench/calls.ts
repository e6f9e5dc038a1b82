/**
 * How accurately and how fast calls are traced: the table of docs/calls.md. Arguments: the number of flows, and of
 * calls of each. The calls come from the sandbox and from a second generator (test/unit/calls/other-calls.ts); foreign calls are those
 * of another flow.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FlowDocument } from "../flow";
import { CallTally, CallTracer, readCall } from "../flow/calls";
import { type Program, programOf } from "../flow/run";
import { CALLER_KINDS, simulateCall } from "../sandbox";
import { type OtherCall, otherCall } from "../test/unit/calls/other-calls";
import { processorTime, show } from "./measure";

const folder = join(__dirname, "..", "test", "corpus", "valid");
const [flows = 50, perFlow = 100] = process.argv.slice(3).map(Number);
const programs = readdirSync(folder)
  .sort()
  .map((name) => programOf(FlowDocument.read(readFileSync(join(folder, name), "utf8"))))
  .filter(({ entry }) => entry !== undefined)
  .slice(0, flows);
const tracers = programs.map((program) => new CallTracer(program));

function fromSandbox(program: Program, number: number, heavy: boolean): OtherCall | undefined {
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
function measure(make: (program: Program, number: number) => OtherCall | undefined): (number | string)[] {
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

export async function run(): Promise<undefined> {
  console.log(
    "| calls | certain right | precision | recall | F1 | placed | partly | unplaced | end right | foreign unplaced |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const generator of ["sandbox", "other generator"])
    for (const paraphrase of ["light", "heavy"]) {
      const make = generator === "sandbox" ? fromSandbox : otherCall;
      const [calls, ...cells] = measure((program, number) => make(program, number, paraphrase === "heavy"));
      console.log(`| ${[`${generator}, ${paraphrase} (${calls})`, ...cells].join(" | ")} |`);
    }
  console.log("\n| calls of 20 turns | processor time | memory |\n|---|---|---|");
  const supportLine = readFileSync(join(__dirname, "..", "examples", "support-line.flow.yaml"), "utf8");
  const program = programOf(FlowDocument.read(supportLine));
  for (const count of [2500, 5000, 10_000]) {
    const tracer = new CallTracer(program);
    const tally = new CallTally();
    let ms = 0;
    for (let number = 0; number < count; number++) {
      const call = readCall(longCall(program, number));
      if (call) ms += processorTime(() => tally.add(tracer.trace(call)));
    }
    console.log(`| ${count} | ${show(ms / 1000)} s | ${show(process.memoryUsage().heapUsed / 1e6)} MB |`);
  }
}

/** A call with 20 turns about a flow: those of the sandbox, and as many others as needed. */
function longCall(program: Program, number: number): Record<string, unknown> {
  const { call } = fromSandbox(program, number, number % 2 === 1) as OtherCall;
  const turns = (call.transcript as { text: string }[]).slice(0, 20);
  for (let more = 0; turns.length < 20; more++)
    turns.splice(1 + ((more * 3) % turns.length), 0, {
      ...(turns[more % turns.length] as { text: string }),
      text: `Let me repeat that for you, number ${number + more}.`,
    });
  return { ...call, transcript: turns };
}
