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

/** The findings of graph rules. */
export class ShapeFindings {
  #shape = -1;
  /** By block number, which doesn't change while the shape stays the same. */
  #byNumber: readonly (GraphFindings | undefined)[] = [];
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
    const byNumber = new Array<RuleFinding<GraphFinding>[] | undefined>(document.blocks.length).fill(undefined);
    let numberOf: ReturnType<typeof numbersIn> | undefined;
    for (const rule of this.#rules)
      rule.checkGraph?.(flow, (finding) => {
        numberOf ??= numbersIn(document);
        const number = numberOf(finding.at);
        const list = number === undefined ? inFile : (byNumber[number] ?? []);
        list.push({ rule, finding });
        if (number !== undefined) byNumber[number] = list;
      });
    this.#inFile = inFile;
    this.#byNumber = byNumber;
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
