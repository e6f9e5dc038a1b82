/** How well each turn of a call fits each node and each edge of its runs. */
import type { RunEdge, RunNode } from "../run/program";
import type { CompiledRuns } from "./compiled-runs";
import type { FlowEvidence, NodeEvidence } from "./evidence";
import type { Turns } from "./turns";

/** Logarithms of how much each of these speaks for a node. */
const GAIN = {
  /** The assistant says the value of a variable that the instructions have. */
  value: 1.5,
  /** A question if the node asks one, a statement if it doesn't. */
  question: 0.3,
  fixedText: 5,
  /** The caller says the value that the node collects. */
  given: 3,
  notGiven: -0.6,
  refused: 0.8,
} as const;

/** Earlier turns still count for an edge, this much for each later turn of the caller. */
const REMEMBERED = 0.4;
const LEAST_FOR_EDGE = -1.2;
const MOST_FOR_EDGE = 4;
const CONDITION_SHARE = 0.3;

export class Fits {
  readonly #nodes: Float64Array;
  readonly #edges: (Float64Array | undefined)[];

  constructor(
    private readonly runs: CompiledRuns,
    private readonly turns: Turns,
    private readonly evidence: FlowEvidence,
  ) {
    this.#edges = new Array(runs.edges.length);
    this.#nodes = this.#ofNodes();
  }

  ofNode(node: number, turn: number): number {
    return this.#nodes[turn * this.runs.nodes.length + node] as number;
  }

  /** How well what the caller said before a time fits an edge, compared with a default edge. */
  ofEdge(edge: number, time: number): number {
    let fits = this.#edges[edge];
    if (!fits) {
      fits = this.#ofOneEdge(this.runs.edges[edge] as RunEdge);
      this.#edges[edge] = fits;
    }
    return fits[time] as number;
  }

  #ofNodes(): Float64Array {
    const { nodes } = this.runs;
    const { terms, spoken, call, said, isAssistant } = this.turns;
    const fits = new Float64Array(said.length * nodes.length);
    nodes.forEach((node, number) => {
      const known = this.evidence.node(node);
      const values = known.variables.flatMap((name) => call.variables?.get(name) ?? []);
      for (let turn = 0; turn < said.length; turn++) {
        const [own, text] = [terms[turn] as readonly string[], spoken[turn] as string];
        fits[turn * nodes.length + number] = isAssistant[turn]
          ? this.#assistantFit(known, values, own, text, said[turn] as number)
          : this.#callerFit(node, own, text);
      }
    });
    return fits;
  }

  #assistantFit(
    known: NodeEvidence,
    values: readonly unknown[],
    terms: readonly string[],
    spoken: string,
    turn: number,
  ) {
    let fit = this.evidence.fit(terms, known.profile);
    for (const value of values) if (this.evidence.contains(spoken, value)) fit += GAIN.value;
    const isQuestion = /[?？؟]/.test(this.turns.call.turns[turn]?.text ?? "");
    fit += known.isQuestion === isQuestion ? GAIN.question : -GAIN.question;
    if (known.fixed.some((words) => words.length > 1 && spoken.includes(` ${words.join(" ")} `))) fit += GAIN.fixedText;
    return fit;
  }

  #callerFit({ variable }: RunNode, terms: readonly string[], spoken: string): number {
    const { variables } = this.turns.call;
    if (variable === undefined || !variables) return 0;
    const value = variables.get(variable);
    if (value !== undefined) return this.evidence.contains(spoken, value) ? GAIN.given : GAIN.notGiven;
    return terms.some((term) => this.evidence.refusal.has(term)) ? GAIN.refused : 0;
  }

  #ofOneEdge(edge: RunEdge): Float64Array {
    const { terms, isAssistant } = this.turns;
    const fits = new Float64Array(terms.length + 1);
    const profile = this.evidence.edge(edge);
    let best = 0;
    for (let turn = 0; turn < terms.length; turn++) {
      if (!isAssistant[turn]) {
        const fit =
          profile.size === 0 ? 0 : this.evidence.fit(terms[turn] as readonly string[], profile, CONDITION_SHARE);
        best = Math.max(LEAST_FOR_EDGE, Math.min(MOST_FOR_EDGE, fit), best * REMEMBERED);
      }
      fits[turn + 1] = best;
    }
    return fits;
  }
}
