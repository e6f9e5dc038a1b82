/**
 * Soft evidence: how well a turn fits a node or an edge, as a logarithm of how much more likely the turn is there than
 * anywhere else. Both are compared as bags of terms; terms that a flow uses everywhere count little, rare ones count much.
 */
import { TEMPLATES } from "../grammar";
import type { Program, RunEdge, RunNode } from "../run/program";
import { pairOf, textOf, toData } from "../values";
import { rawWords, spoken, Words } from "./words";

/** The share of the terms of a turn that come from the node's own text. The rest is anything. */
const OWN_SHARE = 0.35;
/** The probability of a term that no list knows, and of one that every call has. */
const RARE = 1 / 2_500;
const COMMON = 1 / 90;
/** No single term decides alone. */
const MAX_GAIN = 2.6;

/** Weighted terms that sum to 1. */
type Profile = ReadonlyMap<string, number>;

export interface NodeEvidence {
  readonly profile: Profile;
  readonly variables: readonly string[];
  /** Sentences in quotes, which the assistant says as they are written. */
  readonly fixed: readonly (readonly string[])[];
  /** Whether the assistant is expected to say something at the node. */
  readonly speech: "expected" | "possible" | "none";
  readonly isQuestion: boolean;
}

/** The terms of a flow and of its components, which turns are compared with. */
export class FlowEvidence {
  readonly words: Words;
  /** Terms of callers that refuse to give a value. */
  readonly refusal: ReadonlySet<string>;
  readonly #nodes = new Map<RunNode, NodeEvidence>();
  readonly #edges = new Map<RunEdge, Profile>();
  readonly #frequency = new Map<string, number>();
  readonly #everything = new Set<string>();

  constructor(private readonly programs: readonly Program[]) {
    const nodes = programs.flatMap(({ nodes }) => [...nodes.values()]);
    const texts = nodes.map(
      (node) => `${fieldOf(node, "instructions")} ${node.edges.map(({ when }) => when).join(" ")}`,
    );
    this.words = new Words(texts.join(" "));
    this.refusal = new Set(this.words.terms(this.words.vocabulary.refusal));
    let total = 0;
    for (const node of nodes)
      for (const [term, weight] of this.node(node).profile) {
        this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + weight);
        total += weight;
      }
    for (const [term, weight] of this.#frequency) this.#frequency.set(term, weight / Math.max(total, 8));
    for (const node of nodes) {
      for (const term of this.node(node).profile.keys()) this.#everything.add(term);
      for (const edge of node.edges) for (const term of this.edge(edge).keys()) this.#everything.add(term);
    }
    for (const program of programs)
      for (const term of this.words.terms(textOf(program.document.top("persona")?.value) ?? ""))
        this.#everything.add(term);
  }

  node(node: RunNode): NodeEvidence {
    let evidence = this.#nodes.get(node);
    if (!evidence) {
      evidence = this.#evidenceOf(node);
      this.#nodes.set(node, evidence);
    }
    return evidence;
  }

  edge(edge: RunEdge): Profile {
    let profile = this.#edges.get(edge);
    if (!profile) {
      const prose = edge.condition?.kind === "clause" ? "" : (edge.when ?? "").replace(TEMPLATES, " ");
      profile = this.#profile([
        [prose, 1],
        [edge.label ?? "", 0.5],
      ]);
      this.#edges.set(edge, profile);
    }
    return profile;
  }

  /** How much more likely a turn is from this text than from anywhere. Negative if it doesn't fit. */
  fit(terms: readonly string[], profile: Profile, ownShare = OWN_SHARE): number {
    if (profile.size === 0) return 0;
    let sum = 0;
    for (const term of terms) {
      const own = profile.get(term) ?? 0;
      sum += own === 0 ? Math.log(1 - ownShare) : this.#gain(own, term, ownShare);
    }
    return Math.max(sum, -3);
  }

  #gain(own: number, term: string, ownShare: number): number {
    return Math.min(MAX_GAIN, Math.log(1 - ownShare + (ownShare * own) / this.background(term)));
  }

  background(term: string): number {
    const general = this.words.isCommon(term) ? COMMON : RARE;
    return Math.max(general, 0.6 * (this.#frequency.get(term) ?? 0));
  }

  /** The share of the rare terms of a turn that the flow has anywhere, and how many such terms there are. */
  shareOf(terms: readonly string[]): { readonly own: number; readonly all: number } {
    let own = 0;
    let all = 0;
    for (const term of terms) {
      if (this.words.isCommon(term) || /^\p{N}+$/u.test(term)) continue;
      all++;
      if (this.#everything.has(term)) own++;
    }
    return { own, all };
  }

  /** Whether a turn contains a value as it is spoken. */
  contains(spokenTurn: string, value: unknown): boolean {
    const text = spoken(typeof value === "object" ? "" : String(value), this.words.vocabulary.digits).trim();
    return text !== "" && spokenTurn.includes(` ${text} `);
  }

  spoken(text: string): string {
    return spoken(text, this.words.vocabulary.digits);
  }

  #evidenceOf(node: RunNode): NodeEvidence {
    const instructions = fieldOf(node, "instructions");
    const program = this.programs.find(({ nodes }) => nodes.get(node.id) === node);
    const described = node.variable === undefined ? undefined : program?.document.variable(node.variable);
    const description = textOf(pairOf(described?.value, "description")?.value) ?? "";
    const { closing, handover, waiting } = this.words.vocabulary;
    const implied = { end: closing, transfer: handover, tool: waiting }[node.type ?? ""] ?? "";
    const profile = this.#profile([
      [instructions.replace(TEMPLATES, " "), 1],
      [fieldOf(node, "name"), 0.4],
      [node.id.replace(/[_-]+/g, " "), 0.3],
      [(node.variable ?? "").replace(/[_-]+/g, " "), 0.5],
      [description, 0.3],
      [implied, instructions === "" ? 1 : 0.4],
    ]);
    const isSilent = node.type === "tool" || node.type === "decision" || node.type === "component";
    const asks = node.type === "collect" || (node.edges.length > 1 && node.edges.some(isProse));
    return {
      profile,
      variables: [...new Set([...instructions.matchAll(TEMPLATES)].map(([, name = ""]) => name))],
      fixed: quotesIn(instructions).map((text) => rawWords(text.replace(TEMPLATES, " "))),
      speech:
        instructions === ""
          ? node.type === "tool"
            ? "possible"
            : isSilent
              ? "none"
              : "possible"
          : isSilent
            ? "possible"
            : "expected",
      isQuestion: asks,
    };
  }

  #profile(parts: readonly (readonly [string, number])[]): Profile {
    const weights = new Map<string, number>();
    let total = 0;
    for (const [text, weight] of parts)
      for (const term of this.words.terms(text)) {
        const own = this.words.isCommon(term) ? weight * 0.5 : weight;
        const before = weights.get(term) ?? 0;
        if (own <= before) continue;
        weights.set(term, own);
        total += own - before;
      }
    // Short instructions must not count as if each of their words were certain to be spoken.
    const sum = Math.max(total, 3);
    for (const [term, weight] of weights) weights.set(term, weight / sum);
    return weights;
  }
}

function isProse({ condition }: RunEdge): boolean {
  return condition !== undefined && condition.kind !== "clause";
}

function fieldOf(node: RunNode, name: string): string {
  const data = toData(node.block.fields.get(name)?.value);
  return typeof data === "string" ? data : "";
}

/** Text in quotes inside instructions. An apostrophe inside a word isn't a quote. */
export function quotesIn(text: string): string[] {
  const found = text.matchAll(
    /"([^"]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|(?<![\p{L}\p{N}])'([^'\n]+(?:'\p{L}[^'\n]*){0,20})'(?!\p{L})/gu,
  );
  return [...found].map((match) => match.slice(1).find((part) => part !== undefined) ?? "");
}
