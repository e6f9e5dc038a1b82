/** Small random flows, and all possible runs: written independently of the engine, to compare with it. */
import { pick, type Random } from "../run/random-flows";

export const VALUES = [undefined, "x", "y"] as const;
type Value = (typeof VALUES)[number];
export type Values = Readonly<Record<"v" | "w", Value>>;
export const ASSIGNMENTS = VALUES.flatMap((v) => VALUES.map((w): Values => ({ v, w })));

export interface Edge {
  to: string;
  when?: { text: string; holds?: (values: Values) => boolean };
  on?: boolean;
}
export interface Node {
  id: string;
  type: string;
  variable?: "v" | "w";
  edges: Edge[];
}

function condition(random: Random): NonNullable<Edge["when"]> {
  // Mostly the same variable, so that conditions often depend on each other.
  const name = random() < 0.85 ? "v" : "w";
  const value = pick(random, ["x", "y"] as const);
  return pick<NonNullable<Edge["when"]>>(random, [
    { text: "the caller agrees" },
    { text: `{{${name}}} is ${value}`, holds: (values) => values[name] === value },
    { text: `{{${name}}} is not ${value}`, holds: (values) => values[name] !== value },
    { text: `{{${name}}} is known`, holds: (values) => values[name] !== undefined },
    { text: `{{${name}}} is unknown`, holds: (values) => values[name] === undefined },
  ]);
}

export function randomFlow(random: Random, most = 12): Node[] {
  const ids = Array.from({ length: 2 + Math.floor(random() * (most - 1)) }, (_, index) => `n${index}`);
  return ids.map((id): Node => {
    const type = pick(random, ["message", "message", "decision", "collect", "tool", "end", "transfer"]);
    const edges = Array.from({ length: Math.floor(random() * 4) }, (): Edge => {
      const to = random() < 0.03 ? "nowhere" : pick(random, ids);
      return {
        to,
        ...(random() < 0.65 ? { when: condition(random) } : {}),
        ...(random() < (type === "tool" ? 0.3 : 0.03) ? { on: true } : {}),
      };
    });
    return { id, type, edges, ...(/collect|tool/.test(type) ? { variable: pick(random, ["v", "w"] as const) } : {}) };
  });
}

export function textOf(nodes: readonly Node[]): string {
  const written = nodes.map(({ id, type, variable, edges }) => {
    const edge = (each: Edge) =>
      `{to: ${each.to}${each.when ? `, when: "${each.when.text}"` : ""}${each.on ? ", on: error" : ""}}`;
    const own =
      type === "collect" ? `variable: ${variable}, ` : type === "tool" ? `tool: t, saves: {${variable}: $.it}, ` : "";
    return `  ${id}: {type: ${type}, ${own}edges: [${edges.map(edge).join(", ")}]}\n`;
  });
  const variables = ["v", "w"].map((name) => `  ${name}: {type: string, enum_values: [x, y]}\n`).join("");
  return `entry: n0\ncontext_variables:\n${variables}nodes:\n${written.join("")}`;
}

type Move = { edge: Edge; values: Values } | "ends";

/** All possible moves at a node with these values; by shape, a readable condition may hold or fail. */
export function moves({ type, variable, edges }: Node, values: Values, byShape: boolean): Move[] {
  if (type === "end" || type === "transfer") return ["ends"];
  const found: Move[] = [];
  const leave = (each: Values, waiting: readonly Edge[]) => {
    const open: Edge[] = [];
    let isAsked = false;
    for (const edge of waiting) {
      const truth = !edge.when ? true : !edge.when.holds || byShape ? undefined : edge.when.holds(each);
      if (truth === false) continue;
      open.push(edge);
      if (edge.when && !edge.when.holds) isAsked = true;
      if (truth) isAsked = true;
      if (truth) break;
    }
    for (const edge of open) found.push(edge.to === "nowhere" ? "ends" : { edge, values: each });
    if (open.length === 0 || (byShape && !isAsked)) found.push("ends");
  };
  const after = variable ? VALUES.map((value) => ({ ...values, [variable]: value })) : [values];
  for (const each of after)
    leave(
      each,
      edges.filter(({ on }) => !on),
    );
  if (type === "tool" && edges.some(({ on }) => on))
    leave(
      values,
      edges.filter(({ on }) => on),
    );
  return found;
}

export type Way = { readonly nodes: readonly string[]; readonly edges: readonly Edge[] };
/** A policy, and its verdict for a path. */
export interface Wanted {
  text: string;
  /** The part of a path that matters for what follows. */
  summary(way: Way): boolean;
  breaks(way: Way, ended: boolean): boolean;
}

export function randomPolicy(random: Random, nodes: readonly Node[]): Wanted {
  const set = () => {
    if (random() < 0.25) {
      const type = pick(random, ["end", "transfer", "message", "tool"]);
      return {
        text: `{type: ${type}}`,
        has: (id: string) => nodes.some((node) => node.id === id && node.type === type),
      };
    }
    const { id } = pick(random, nodes);
    return { text: `{node: ${id}}`, has: (each: string) => each === id };
  };
  const [a, b, c] = [set(), set(), set()];
  const kind = Math.floor(random() * 4);
  if (kind === 0) {
    const node = pick(random, nodes);
    const by = random() < 0.4 ? pick(random, [undefined, ...node.edges.map(({ to }) => to)]) : undefined;
    const edges = node.edges.filter(({ to }) => to === by);
    const isKept = ({ nodes: path, edges: taken }: Way) =>
      by === undefined ? path.includes(node.id) : taken.some((edge) => edges.includes(edge));
    return {
      text: `every_path_to: ${a.text}, passes: {node: ${node.id}${by === undefined ? "" : `, by: ${by}`}}`,
      summary: isKept,
      breaks: (way) => a.has(way.nodes.at(-1) as string) && !isKept(way),
    };
  }
  if (kind === 1) {
    const isOpen = (path: readonly string[]) =>
      path.some((id, at) => a.has(id) && !path.slice(at + 1).some((each) => c.has(each)));
    return {
      text: `never: {from: ${a.text}, to: ${b.text}, without: ${c.text}}`,
      summary: ({ nodes: path }) => isOpen(path),
      breaks: ({ nodes: path }) => b.has(path.at(-1) as string) && isOpen(path.slice(0, -1)),
    };
  }
  if (kind === 2) {
    const isOwed = ({ nodes: path }: Way) =>
      path.some((id, at) => a.has(id) && !path.slice(at).some((each) => b.has(each)));
    return {
      text: `after: ${a.text}, always: ${b.text}`,
      summary: isOwed,
      breaks: (way, ended) => ended && isOwed(way),
    };
  }
  const most = Math.floor(random() * 5);
  return {
    text: `at_most: ${most}, from: entry, to: ${b.text}`,
    summary: () => false,
    breaks: ({ nodes: path }) => b.has(path.at(-1) as string),
  };
}
