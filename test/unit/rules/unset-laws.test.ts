/**
 * Reads of variables that may be unset, in random flows after random edits: cached results equal those of a fresh
 * parse, and all details of a read agree. `unset-runs.test.ts` compares them with runs. `UNSET_FLOWS` raises the count.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyze, checkDocument, diagnosticsIn, FlowDocument, fixesFor, type Problem } from "../../../flow";
import { firstReads } from "../../../flow/rules/analyses/unset";
import { DiagnosticList } from "../../../server/diagnostics/diagnostic-list";
import { Converter } from "../../../server/protocol/to-protocol";
import { cases } from "../../support/cases";
import { listsOf } from "../../support/links";
import { pick, type Random, seeded } from "../run/random-flows";

interface Node {
  readonly id: string;
  readonly type: "message" | "collect" | "mystery" | "end";
  readonly sets?: string;
  readonly reads: readonly string[];
  readonly edges: readonly {
    readonly to: string;
    readonly asks?: string;
    readonly knows?: boolean;
    readonly isEvent?: boolean;
  }[];
}

/** More variables than fit in one word of bits, a few of which are used by most nodes. */
const NAMES = Array.from({ length: 40 }, (_, number) => `v${number}`);
const variable = (random: Random) => pick(random, random() < 0.7 ? NAMES.slice(0, 3) : NAMES);
const idOf = (random: Random, size: number) => `n${Math.floor(random() * size)}`;

function nodeNamed(id: string, random: Random, size: number): Node {
  const canStop = id !== "n0";
  const type =
    random() < 0.25
      ? "collect"
      : canStop && random() < 0.06
        ? "mystery"
        : canStop && random() < 0.06
          ? "end"
          : "message";
  const some = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) });
  return {
    id,
    type,
    ...(type === "collect" && { sets: variable(random) }),
    reads: random() < 0.7 ? some(3).map(() => variable(random)) : [],
    edges:
      type === "end"
        ? []
        : some(3).map(() => ({
            to: idOf(random, size + 1),
            ...(random() < 0.2 && { asks: variable(random), knows: random() < 0.7 }),
            ...(random() < 0.2 && { isEvent: true }),
          })),
  };
}

function textOf(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ id, type, sets, reads, edges }) => [
    `  ${id}:`,
    `    type: ${type}`,
    ...(sets === undefined ? [] : [`    variable: ${sets}`]),
    `    instructions: "Say ${reads.map((name) => `{{${name}}}`).join(" and ")}."`,
    ...(edges.length > 0 ? ["    edges:"] : []),
    ...edges.map(({ to, asks, knows, isEvent }) => {
      const fields = [
        isEvent ? "on: error" : "",
        asks === undefined ? "" : `when: "{{${asks}}} is ${knows ? "known" : "unknown"}"`,
      ];
      return `      - {${[`to: ${to}`, ...fields.filter((field) => field !== "")].join(", ")}}`;
    }),
  ]);
  return [
    "entry: n0",
    "context_variables:",
    ...NAMES.map((name) => `  ${name}: {type: string}`),
    "nodes:",
    ...lines,
    "",
  ].join("\n");
}

function edited(nodes: readonly Node[], random: Random): Node[] {
  const at = Math.floor(random() * nodes.length);
  const node = nodes[at] as Node;
  const kind = random();
  const size = nodes.length;
  if (kind < 0.15) return nodes.toSpliced(at, 0, nodeNamed(`m${Math.floor(random() * 1e6)}`, random, size));
  if (kind < 0.25 && size > 3) return nodes.toSpliced(at, node.id === "n0" ? 0 : 1);
  if (kind < 0.4) return nodes.with(at, nodeNamed(node.id, random, size));
  if (kind < 0.45) return nodes.toSpliced(at, 1).toSpliced(0, 0, node);
  if (kind < 0.55) return nodes.with(at, { ...node, reads: [...node.reads, variable(random)] });
  if (node.type === "end") return [...nodes];
  const edges = node.edges.length > 0 ? node.edges : [{ to: "n0" }];
  const which = Math.floor(random() * edges.length);
  const { asks, knows } = edges[which] as Node["edges"][number];
  if (asks !== undefined && random() < 0.5)
    return nodes.with(at, { ...node, edges: edges.with(which, { to: edges[which]?.to ?? "", asks, knows: !knows }) });
  return nodes.with(at, { ...node, edges: edges.with(which, { to: pick(random, nodes).id }) });
}

/** All details of a problem, including the lazy ones. */
function whole(problems: readonly Problem[]): unknown {
  return problems.map(({ code, severity, message, span, data, related, also, why, unnecessary }) => ({
    ...{ code, severity, message, span, data, related, also, why, unnecessary },
  }));
}

function checkReads(document: FlowDocument, where: string): number {
  const flow = analyze(document);
  const reads = firstReads(flow);
  const next = listsOf(flow.out);
  const nameAt = (node: number, use: number) => `${flow.nodes[node]?.id} ${flow.nodes[node]?.refs[use]?.name}`;
  const told = new Set<string>();
  for (const read of reads.numbers) {
    const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
    const listed = reads.othersOf(node, use);
    assert.equal(listed.length, reads.countOthers(read), where);
    assert.deepEqual(reads.othersOf(node, use, 2), listed.slice(0, 2), where);
    const own = new Set([nameAt(node, use), ...listed.map((other) => nameAt(other.node, other.use))]);
    for (const each of own) {
      assert.ok(!told.has(each), `${each} has one cause, ${where}`);
      told.add(each);
    }
    const { path, cut } = reads.pathTo(node, use);
    assert.equal(cut, false);
    assert.equal(path[0], flow.entry, where);
    assert.equal(path.at(-1), node, where);
    for (const [step, from] of path.slice(0, -1).entries())
      assert.ok(next[from]?.includes(path[step + 1] as number), where);
  }
  return reads.numbers.length;
}

const FLOWS = cases(40, "UNSET_FLOWS");
const EDITS = 12;

test(`after each of ${FLOWS * EDITS} edits, all that is told of what may be unset agrees, and nothing kept is stale`, () => {
  let met = 0;
  for (let seed = 1; seed <= FLOWS; seed++) {
    const random = seeded(seed);
    const size = 3 + Math.floor(random() * 12);
    let nodes = Array.from({ length: size }, (_, number) => nodeNamed(`n${number}`, random, size));
    const document = FlowDocument.read(textOf(nodes));
    const settings = {};
    const list = new DiagnosticList(true, () => undefined);
    const shown = (each: FlowDocument, its: DiagnosticList) => {
      const sources = { around: [], found: diagnosticsIn(each, settings), notes: [], findings: [] };
      return its.update(sources, new Converter("file:///a.flow.yaml", each, "utf-16")).items;
    };
    for (let round = 0; round < EDITS; round++) {
      nodes = edited(nodes, random);
      const text = textOf(nodes);
      let head = 0;
      while (head < text.length && text[head] === document.text[head]) head++;
      let tail = 0;
      const most = Math.min(text.length, document.length) - head;
      while (tail < most && text.at(-1 - tail) === document.text.at(-1 - tail)) tail++;
      document.edit([{ start: head, end: document.length - tail, text: text.slice(head, text.length - tail) }]);
      const where = `seed ${seed}, edit ${round}\n${text}`;
      const fresh = FlowDocument.read(text);
      assert.deepEqual(shown(document, list), shown(fresh, new DiagnosticList(true, () => undefined)), where);
      const problems = checkDocument(document, settings);
      // Fixes are tried on the document: afterwards every problem still describes the same document.
      if (random() < 0.2 && problems.length > 0) fixesFor(pick(random, problems), document);
      assert.deepEqual(whole(problems), whole(checkDocument(fresh)), where);
      assert.deepEqual(shown(document, list), shown(fresh, new DiagnosticList(true, () => undefined)), where);
      met += checkReads(document, where);
    }
  }
  assert.ok(met > (FLOWS * EDITS) / 2, `${met} reads in ${FLOWS * EDITS} flows`);
});
