/** The findings of rules about the graph, by block. */
import { analyze } from "../../analysis";
import type { Block, FlowDocument, Section } from "../../document";
import { sameFinding } from "./diagnostic";
import type { At, GraphFinding, Rule } from "./rule";

export interface RuleFinding<Finding> {
  readonly rule: Rule;
  readonly finding: Finding;
}

type GraphFindings = readonly RuleFinding<GraphFinding>[];

/** Findings of graph rules. A list stays the same object while its findings do. */
export class ShapeFindings {
  #shape = -1;
  /** By block number, which doesn't change while the shape stays the same. */
  #byNumber: (GraphFindings | undefined)[] = [];
  /** Findings about a block that doesn't exist. */
  #inFile: RuleFinding<GraphFinding>[] = [];
  readonly #rules: readonly Rule[];

  constructor(
    private readonly document: FlowDocument,
    rules: readonly Rule[],
  ) {
    this.#rules = rules.filter((rule) => rule.checkGraph);
  }

  get byNumber(): readonly (GraphFindings | undefined)[] {
    this.#update();
    return this.#byNumber;
  }

  get inFile(): GraphFindings {
    this.#update();
    return this.#inFile;
  }

  /** The current finding equal to an earlier one; undefined if there's none for its block. */
  current(block: Block | undefined, code: string, before: GraphFinding): GraphFinding | undefined {
    const said = block ? this.byNumber[this.document.blocks.indexOf(block)] : this.inFile;
    return said?.find(({ rule, finding }) => rule.code === code && sameFinding(finding, before))?.finding;
  }

  #update(): void {
    const { document } = this;
    if (this.#shape === document.shape) return;
    this.#shape = document.shape;
    const flow = analyze(document);
    const inFile: RuleFinding<GraphFinding>[] = [];
    const lists = new StableLists(this.#byNumber, document.blocks.length);
    let numberOf: ReturnType<typeof numbersIn> | undefined;
    for (const rule of this.#rules)
      rule.checkGraph?.(flow, (finding) => {
        numberOf ??= numbersIn(document);
        const number = numberOf(finding.at);
        if (number === undefined) inFile.push({ rule, finding });
        else lists.add(number, rule, finding);
      });
    this.#inFile = inFile;
    this.#byNumber = lists.take();
  }
}

/** Builds lists, and reuses the previous object for each list that turns out equal. */
class StableLists {
  readonly #now: (RuleFinding<GraphFinding>[] | GraphFindings | undefined)[];
  readonly #lengths: Int32Array;

  constructor(
    private readonly before: readonly (GraphFindings | undefined)[],
    count: number,
  ) {
    this.#now = new Array(count).fill(undefined);
    this.#lengths = new Int32Array(count);
  }

  add(number: number, rule: Rule, finding: GraphFinding): void {
    const length = this.#lengths[number] as number;
    this.#lengths[number] = length + 1;
    const old = this.before[number];
    const now = this.#now[number];
    const isAsBefore = old !== undefined && (length === 0 || now === old);
    const same = isAsBefore ? old[length] : undefined;
    if (same && same.rule === rule && same.finding === finding) this.#now[number] = old;
    else if (length === 0) this.#now[number] = [{ rule, finding }];
    else if (isAsBefore) this.#now[number] = [...old.slice(0, length), { rule, finding }];
    else (now as RuleFinding<GraphFinding>[]).push({ rule, finding });
  }

  take(): (GraphFindings | undefined)[] {
    for (let number = 0; number < this.#lengths.length; number++) {
      const list = this.#now[number];
      if (list && list.length > (this.#lengths[number] as number))
        this.#now[number] = list.slice(0, this.#lengths[number]);
    }
    return this.#now;
  }
}

/** Maps places to the number of their block in the file. */
function numbersIn({ blocks, tops }: FlowDocument): (at: At) => number | undefined {
  const numbers: Record<Section, number[]> = { top: [], nodes: [], context_variables: [] };
  for (let number = 0; number < blocks.length; number++) numbers[(blocks[number] as Block).section].push(number);
  return (at) => {
    if ("node" in at) return numbers.nodes[at.node];
    return "variable" in at
      ? numbers.context_variables[at.variable]
      : numbers.top[tops.findIndex(({ key }) => key === at.top)];
  };
}
