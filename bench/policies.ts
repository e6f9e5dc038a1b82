/** Processor times of checking 20 policies on a flow of 10,000 nodes: from scratch, after a text edit and an edge edit. */
import { FlowDocument } from "../flow";
import { FlowPolicies, readPolicyFile } from "../flow/policy";
import { processorTime, type Row } from "./measure";

const NODES = 10_000;

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

/** Five of each kind; some are proved for all conditions, some given the conditions, and some are violated far down. */
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

export function run(): readonly Row[] {
  const text = flowOf(NODES);
  const { policies, problems } = readPolicyFile(policiesOf(NODES));
  if (policies.length !== 20 || problems.length > 0) throw new Error(problems.map(({ message }) => message).join());
  // Parsed before anything is measured: otherwise the garbage of parsing is collected while policies are checked.
  const documents = Array.from({ length: 12 }, () => FlowDocument.read(text));
  const whole = documents.map((each) => processorTime(() => new FlowPolicies(each).update(policies)));
  const document = FlowDocument.read(text);
  const checked = new FlowPolicies(document);
  checked.update(policies);
  const edit = (start: number, text: string): number => {
    document.edit([{ start, end: start + 1, text }]);
    return processorTime(() => checked.update(policies));
  };
  const before = checked.judged;
  const placeIn = (round: number, what: string) =>
    text.indexOf(what, text.indexOf(`\n  n${2 + ((round * 37) % (NODES - 20))}:\n`));
  const rounds = Array.from({ length: 200 }, (_, round) => round);
  const words = rounds.map((round) => edit(placeIn(round, "Tell"), "tT"[round % 2] as string));
  if (checked.judged > before) throw new Error("An edit of words checked policies again.");
  const edges = rounds.flatMap((round) => {
    // Changes the target of the first edge and restores it.
    const edge = placeIn(round, "- {to: n");
    const digit = edge + text.slice(edge).search(/[,}]/) - 1;
    return [edit(digit, String((Number(text[digit]) + 1) % 10)), edit(digit, text[digit] as string)];
  });
  return [
    // On a busy machine, other programs use the caches too, so only the best round reflects the code.
    { what: `20 policies on ${NODES} nodes, from scratch`, times: whole, limit: 100, share: 0 },
    { what: "after an edit of words", times: words },
    { what: "after an edit of an edge", times: edges, limit: 300, share: 0.95 },
  ];
}
