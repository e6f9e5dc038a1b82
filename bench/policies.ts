/**
 * Checks 20 policies on a flow of 10,000 nodes: from scratch, after a text edit, and after an edge edit. Fails if a
 * limit is exceeded. `npm run bench:policies`
 */
import { availableParallelism, loadavg } from "node:os";
import { FlowDocument } from "../flow";
import { FlowPolicies, readPolicyFile } from "../flow/policy";

const NODES = Number(process.env.NODES ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 200);
const WHOLE = Number(process.env.WHOLE ?? 12);
const LIMITS = { whole: 100, edge: 15 };

/**
 * A conversation with loops: every eighth node asks, others decide, call a tool that may fail, or leave a choice to the
 * model. Policies refer to `verify` and `refund`.
 */
function flowOf(nodes: number): string {
  const lines = [
    "entry: n0",
    "context_variables:",
    "  plan: {type: string, enum_values: [basic, plus, max]}",
    "  verified: {type: string, enum_values: [yes, no]}",
    "  mood: {type: string, enum_values: [calm, cross]}",
    "  ticket: {type: string}",
    "nodes:",
  ];
  for (let n = 0; n < nodes - 4; n++) {
    const next = n === nodes - 5 ? "verify" : `n${n + 1}`;
    const far = `n${(n * 7 + 3) % (nodes - 4)}`;
    const [type, own, edges] = kindOf(n, next, far);
    lines.push(`  n${n}:`, `    type: ${type}`, `    name: Step number ${n}`);
    lines.push(`    instructions: Tell the caller about step ${n} and ask how to go on.`, ...own);
    lines.push("    edges:", ...edges.map((edge) => `      - ${edge}`));
  }
  lines.push(
    "  verify: {type: collect, variable: verified, instructions: Check who it is., edges: [{to: refund, when: '{{verified}} is yes'}, {to: person}]}",
    "  refund: {type: tool, tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003, saves: {ticket: $.id}, edges: [{to: bye}, {to: person, on: error}]}",
    "  person: {type: transfer, instructions: Hand over.}",
    "  bye: {type: end}",
  );
  return `${lines.join("\n")}\n`;
}

function kindOf(n: number, next: string, far: string): [type: string, own: string[], edges: string[]] {
  switch (n % 8) {
    case 0:
      return ["collect", [`    variable: ${n % 16 ? "plan" : "mood"}`], [`{to: ${next}}`]];
    case 2:
      return [
        "decision",
        [],
        [`{to: ${far}, when: "{{plan}} is basic"}`, `{to: ${next}, when: "{{plan}} is not basic"}`],
      ];
    case 4:
      return ["decision", [], [`{to: ${far}, when: "{{mood}} is cross"}`, `{to: ${next}}`]];
    case 6:
      return [
        "tool",
        ["    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001", "    saves: {plan: $.plan}"],
        [`{to: ${next}}`, `{to: ${n % 64 === 6 ? "person" : far}, on: error}`],
      ];
    default:
      return ["message", [], [`{to: ${far}, when: the caller asks about number ${n}, label: asks}`, `{to: ${next}}`]];
  }
}

/** Five of each kind; some are proved by shape, some by conditions, and some are violated far down. */
function policiesOf(nodes: number): string {
  const middle = `n${Math.floor(nodes / 2)}`;
  const late = `n${nodes - 5}`;
  return `policies:
  - {id: p1, every_path_to: {node: refund}, passes: {node: verify, by: "{{verified}} is yes"}}
  - {id: p2, every_path_to: {sets: ticket}, passes: {node: verify}}
  - {id: p3, every_path_to: {node: bye}, passes: {node: refund}}
  - {id: p4, every_path_to: {tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003}, passes: {sets: mood}}
  - {id: p5, every_path_to: {node: refund}, passes: {node: ${late}}}
  - {id: n1, never: {from: {node: refund}, to: {node: verify}}}
  - {id: n2, never: {from: {node: verify}, to: {name: "step number 7*"}}}
  - {id: n3, never: {from: entry, to: {node: bye}, without: {node: verify}}}
  - {id: n4, never: {from: {node: ${middle}}, to: {node: bye}, without: {type: tool}}}
  - {id: n5, never: {from: {type: transfer}, to: {type: end}}}
  - {id: a1, after: {node: refund}, always: {sets: ticket}}
  - {id: a2, after: {node: verify}, always: {sets: verified}}
  - {id: a3, after: entry, always: {sets: mood}}
  - {id: a4, after: {node: ${middle}}, always: {node: verify}}
  - {id: a5, after: {node: bye}, always: {type: end}}
  - {id: m1, at_most: ${nodes}, from: entry, to: {type: transfer}}
  - {id: m2, at_most: ${nodes}, from: {type: collect}, to: {type: transfer}}
  - {id: m3, at_most: 1, from: {node: refund}, to: {type: transfer}}
  - {id: m4, at_most: 3, from: {node: verify}, to: {type: end}}
  - {id: m5, at_most: ${nodes}, from: {type: decision}, to: {node: verify}}
`;
}

/** Wall time and processor time in milliseconds; on a busy machine only the latter reflects the code. */
interface Time {
  readonly clock: number;
  readonly processor: number;
}

function timeOf(work: () => void): Time {
  const begun = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - begun, processor: (user + system) / 1000 };
}

function at(share: number, times: readonly Time[]): Time {
  const one = (which: keyof Time) =>
    times.map((time) => time[which]).sort((a, b) => a - b)[Math.floor((times.length - 1) * share)] as number;
  return { clock: one("clock"), processor: one("processor") };
}

function main(): void {
  const text = flowOf(NODES);
  const { policies, problems } = readPolicyFile(policiesOf(NODES));
  if (policies.length !== 20 || problems.length > 0) throw new Error(problems.map(({ message }) => message).join());
  const whole: Time[] = [];
  for (let round = 0; round < WHOLE; round++) {
    const document = FlowDocument.read(text);
    whole.push(timeOf(() => void new FlowPolicies(document).update(policies)));
  }
  const document = FlowDocument.read(text);
  const judged = new FlowPolicies(document);
  judged.update(policies);
  const edit = (start: number, end: number, text: string): Time => {
    document.edit([{ start, end, text }]);
    return timeOf(() => void judged.update(policies));
  };
  const words: Time[] = [];
  const edges: Time[] = [];
  const before = judged.judged;
  const placeIn = (node: number, what: string) => text.indexOf(what, text.indexOf(`\n  n${node}:\n`));
  for (let round = 0; round < ROUNDS; round++) {
    const word = placeIn(2 + ((round * 37) % (NODES - 20)), "Tell");
    words.push(edit(word, word + 1, "tT"[round % 2] as string));
  }
  const again = judged.judged - before;
  for (let round = 0; round < ROUNDS; round++) {
    // Changes the target of the first edge and restores it.
    const target = text.slice(placeIn(2 + ((round * 37) % (NODES - 20)), "- {to: n")).search(/[,}]/);
    const digit = placeIn(2 + ((round * 37) % (NODES - 20)), "- {to: n") + target - 1;
    edges.push(edit(digit, digit + 1, String((Number(text[digit]) + 1) % 10)));
    edges.push(edit(digit, digit + 1, text[digit] as string));
  }
  const searched = (judged.judged - before - again) / edges.length;
  const verdicts = new Map<string, number>();
  for (const policy of policies) {
    const verdict = judged.verdict(policy)?.verdict ?? "none";
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  const shown = ({ clock, processor }: Time) => `${clock.toFixed(1)} ms (processor ${processor.toFixed(1)})`;
  console.log(
    `20 policies on ${NODES} nodes: ${[...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`,
  );
  console.log(`whole check: first ${shown(whole[0] as Time)}, median ${shown(at(0.5, whole))}`);
  console.log(`edit of words: p95 ${shown(at(0.95, words))}; ${again} policies judged again in ${words.length} edits`);
  console.log(
    `edit of an edge: median ${shown(at(0.5, edges))}, p95 ${shown(at(0.95, edges))}; ${searched.toFixed(1)} policies searched again`,
  );
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  const isOver = at(0.5, whole).processor > LIMITS.whole || again > 0 || at(0.95, edges).processor > LIMITS.edge;
  console.log(`limits: whole check ${LIMITS.whole} ms, words nothing again, edge p95 ${LIMITS.edge} ms`);
  if (isOver) process.exitCode = 1;
}

main();
