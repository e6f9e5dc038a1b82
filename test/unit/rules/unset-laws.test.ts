/**
 * Reads that may come before anything sets the variable, in random flows and after random edits: what is found is what a
 * plain search finds, and what is kept from before an edit is what is found in the text read anew. `UNSET_FLOWS` raises
 * the count.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyze, checkDocument, FlowDocument, fixesFor, foundIn, type Problem } from "../../../flow";
import { firstReads } from "../../../flow/rules/unset";
import { DiagnosticList } from "../../../server/diagnostic-list";
import { Converter } from "../../../server/to-protocol";
import { pick, type Random, seeded } from "../run/random-flows";

interface Node {
  readonly id: string;
  readonly type: "message" | "collect" | "mystery" | "end";
  readonly sets?: string;
  readonly reads: readonly string[];
  readonly edges: readonly { readonly to: string; readonly asks?: string; readonly isEvent?: boolean }[];
}

/** More variables than fit into one word of bits, of which a few are used by most nodes. */
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
            ...(random() < 0.1 && { asks: variable(random) }),
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
    ...edges.map(({ to, asks, isEvent }) => {
      const fields = [isEvent ? "on: error" : "", asks === undefined ? "" : `when: "{{${asks}}} is known"`];
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
  return nodes.with(at, { ...node, edges: edges.with(which, { to: pick(random, nodes).id }) });
}

/** After how many steps each node is come to with a variable unset, where the given nodes let it go no further. */
function stepsTo(nodes: readonly Node[], name: string, stopsAtReads: boolean): Map<string, number> {
  const steps = new Map<string, number>();
  let here = nodes.some(({ id }) => id === "n0") ? ["n0"] : [];
  for (let step = 0; here.length > 0; step++) {
    for (const id of here) steps.set(id, step);
    const next = here
      .flatMap((id) => nodes.find((node) => node.id === id) ?? [])
      .flatMap((node) => {
        const own = node.type === "collect" && node.sets === name;
        const isRead = node.reads.includes(name) && !own;
        const isAsked = node.edges.some(({ asks }) => asks === name) || (own && node.reads.includes(name));
        if (node.type === "mystery" || isAsked || (isRead && stopsAtReads)) return [];
        return node.edges.filter(({ isEvent }) => !own || isEvent).map(({ to }) => to);
      });
    here = [...new Set(next)].filter((id) => !steps.has(id) && nodes.some((node) => node.id === id));
  }
  return steps;
}

/** Everything there is to say of a problem, whenever it is worked out. */
function whole(problems: readonly Problem[]): unknown {
  return problems.map(({ code, severity, message, span, data, related, also, why, unnecessary }) => ({
    ...{ code, severity, message, span, data, related, also, why, unnecessary },
  }));
}

function checkReads(document: FlowDocument, nodes: readonly Node[], where: string): number {
  const flow = analyze(document);
  const reads = firstReads(flow);
  const nameAt = (node: number, use: number) => `${flow.nodes[node]?.id} ${flow.nodes[node]?.refs[use]?.name}`;
  const first = new Set<string>();
  const others = new Set<string>();
  for (const read of reads.numbers) {
    const [node, use] = [reads.nodeOf(read), reads.useOf(read)];
    const [id, name] = nameAt(node, use).split(" ") as [string, string];
    first.add(`${id} ${name}`);
    const listed = reads.othersOf(node, use);
    assert.equal(listed.length, reads.countOthers(read), where);
    assert.deepEqual(reads.othersOf(node, use, 2), listed.slice(0, 2), where);
    for (const other of listed) if (other.node !== node) others.add(nameAt(other.node, other.use));
    const { path, cut } = reads.pathTo(node, use);
    assert.equal(cut, false);
    assert.equal(path.length - 1, stepsTo(nodes, name, true).get(id), `the shortest way to ${id}, ${where}`);
    for (const [step, from] of path.slice(0, -1).entries())
      assert.ok(flow.next[from]?.includes(path[step + 1] as number), where);
  }
  const wantedFirst = new Set<string>();
  const wantedOthers = new Set<string>();
  for (const name of NAMES) {
    const isSet = nodes.some(({ type, sets }) => type === "collect" && sets === name);
    if (!isSet) continue;
    const [alone, all] = [stepsTo(nodes, name, true), stepsTo(nodes, name, false)];
    for (const { id, type, sets, reads: read } of nodes) {
      if (!read.includes(name) || (type === "collect" && sets === name)) continue;
      if (alone.has(id)) wantedFirst.add(`${id} ${name}`);
      else if (all.has(id)) wantedOthers.add(`${id} ${name}`);
    }
  }
  assert.deepEqual([...first].sort(), [...wantedFirst].sort(), where);
  assert.deepEqual([...others].sort(), [...wantedOthers].sort(), where);
  return first.size;
}

const FLOWS = Number(process.env.UNSET_FLOWS ?? 40);
const EDITS = 12;

test(`after each of ${FLOWS * EDITS} edits, what may be unset is what a plain search finds, and nothing kept is stale`, () => {
  let met = 0;
  for (let seed = 1; seed <= FLOWS; seed++) {
    const random = seeded(seed);
    const size = 3 + Math.floor(random() * 12);
    let nodes = Array.from({ length: size }, (_, number) => nodeNamed(`n${number}`, random, size));
    const document = FlowDocument.read(textOf(nodes));
    const settings = {};
    const list = new DiagnosticList(true, () => undefined);
    const shown = (each: FlowDocument, its: DiagnosticList) => {
      const sources = { around: [], found: foundIn(each, settings), notes: [], findings: [] };
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
      // Fixes are tried on the document: afterwards every problem still tells of the document as it is.
      if (random() < 0.2 && problems.length > 0) fixesFor(pick(random, problems), document);
      assert.deepEqual(whole(problems), whole(checkDocument(fresh)), where);
      assert.deepEqual(shown(document, list), shown(fresh, new DiagnosticList(true, () => undefined)), where);
      met += checkReads(document, nodes, where);
    }
  }
  assert.ok(met > (FLOWS * EDITS) / 2, `${met} reads in ${FLOWS * EDITS} flows`);
});
