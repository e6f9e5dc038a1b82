/**
 * Runs the rules over a document and caches their results: findings about one block with the block, findings about the
 * graph with its shape. So a text edit costs the rules of one block, and merging the results.
 */
import { analyze } from "../../analysis";
import { AttachedCache } from "../../attached-cache";
import type { Block, FlowDocument, NodeBlock } from "../../document";
import type { Field } from "../../fields";
import { IncrementalFilter, IncrementalMap } from "../../incremental-map";
import { enumValues, valuesIn } from "../../run/edge-condition";
import { rules } from "../index";
import { unknownIgnore } from "../unknown-ignore";
import {
  BlockDiagnostic,
  FileDiagnostic,
  type FlowDiagnostic,
  GraphDiagnostic,
  problemOf,
  sameFinding,
} from "./diagnostic";
import { type RuleFinding, ShapeFindings } from "./graph-findings";
import { Groups } from "./groups";
import { mayIgnore, suppressed, unknownCodes } from "./ignore";
import type { BlockFinding, Declared, GraphFinding, Problem, Rule, RuleSettings, Severity } from "./rule";
import { eachField } from "./walk";

/** All problems of a document, in the order of the text. */
export function checkDocument(document: FlowDocument, settings: RuleSettings = defaults): Problem[] {
  return checkerOf(document).check(settings);
}

/**
 * All diagnostics by block, for callers that update after every edit: unchanged diagnostics are the same objects as
 * before. Settings are compared by identity.
 */
export function diagnosticsIn(document: FlowDocument, settings: RuleSettings = defaults): readonly FlowDiagnostic[] {
  return checkerOf(document).diagnostics(settings);
}

const defaults: RuleSettings = {};

function checkerOf(document: FlowDocument): Checker {
  let checker = checkers.get(document);
  if (!checker) {
    checker = new Checker(document, rules);
    checkers.set(document, checker);
  }
  return checker;
}

/**
 * Call this after checking trial edits. It points the analysis at the document again, because older problems compute
 * their details from it on request.
 */
export function settle(document: FlowDocument): void {
  if (checkers.has(document)) analyze(document);
}

/** The severity of a rule under the settings; undefined if it's off. */
export function severityOf(rule: Pick<Rule, "code" | "severity">, settings: RuleSettings): Severity | undefined {
  const own = Object.hasOwn(settings, rule.code) ? settings[rule.code] : undefined;
  return own === "off" ? undefined : (own ?? rule.severity);
}

const codes = new Set(rules.map(({ code }) => code));
const checkers = new AttachedCache<FlowDocument, Checker>();

type BlockFindings = readonly RuleFinding<BlockFinding>[];

const nothing: readonly never[] = [];

/** The diagnostics of one block, and the results they were made from. */
interface Slot {
  readonly block: Block;
  readonly alone: BlockFindings;
  readonly declared: BlockFindings;
  readonly grouped: readonly RuleFinding<readonly BlockFinding[]>[];
  graph: readonly RuleFinding<GraphFinding>[] | undefined;
  readonly found: readonly FlowDiagnostic[];
}

/** Exported for the test that counts calls of rules. */
export class Checker {
  readonly #alone: IncrementalMap<Block, BlockFindings>;
  #declaredRules: IncrementalMap<Block, BlockFindings> | undefined;
  readonly #declarations = new IncrementalMap<Block, string>(declarationOf);
  #declared = "";
  readonly #groups: Groups[];
  readonly #ignoring = new IncrementalFilter<Block>(mayIgnore);
  readonly #shape: ShapeFindings;
  /** By block number; undefined for blocks without results. */
  #slots: (Slot | undefined)[] = [];
  #settings: RuleSettings | undefined;
  readonly #severities = new Map<Rule, Severity | undefined>();

  constructor(
    private readonly document: FlowDocument,
    private readonly rules: readonly Rule[],
  ) {
    const ofBlocks = rules.filter((rule) => rule.checkBlock);
    const ofFields = fieldRules(rules);
    this.#alone = new IncrementalMap((block) =>
      collect(block, (reporterFor) => {
        for (const rule of ofBlocks) rule.checkBlock?.(block, reporterFor(rule));
        eachField(block, (field, value) => {
          for (const rule of ofFields(field)) rule.checkField?.check(block, field, value, reporterFor(rule));
        });
      }),
    );
    this.#groups = rules.filter((rule) => rule.groupBy).map((rule) => new Groups(rule));
    this.#shape = new ShapeFindings(document, rules);
  }

  check(settings: RuleSettings): Problem[] {
    const problems = this.diagnostics(settings).map((found) => problemOf(this.document, found));
    return problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  }

  /** All diagnostics, block by block. */
  diagnostics(settings: RuleSettings): readonly FlowDiagnostic[] {
    const { document } = this;
    const { blocks } = document;
    this.#use(settings);
    const inFile: FlowDiagnostic[] = [];
    for (const problem of document.explainedProblems) {
      const rule = this.rules.find((each) => each.code === problem.code);
      const severity = rule ? this.#severities.get(rule) : "error";
      if (severity) inFile.push(new FileDiagnostic(problem, severity));
    }
    if (document.isInConflict) return inFile.filter(({ code }) => code !== "duplicate-key");
    const inBlocks = this.#fillSlots(blocks);
    for (const { rule, finding } of this.#shape.inFile) {
      const severity = this.#severities.get(rule);
      if (severity) inFile.push(new GraphDiagnostic(rule.code, severity, document, this.#shape, finding));
    }
    const silencing = this.#ignoring.in(blocks);
    const unknown: FlowDiagnostic[] = [];
    const severity = this.#severities.get(unknownIgnore);
    if (severity && (silencing.length > 0 || mayIgnore({ text: document.header })))
      for (const each of unknownCodes(document, silencing, codes))
        unknown.push(new FileDiagnostic({ code: unknownIgnore.code, ...each }, severity));
    return suppressed(document, inFile.concat(inBlocks, unknown), silencing);
  }

  #use(settings: RuleSettings): void {
    if (settings === this.#settings) return;
    this.#settings = settings;
    this.#slots = [];
    for (const rule of this.rules) this.#severities.set(rule, severityOf(rule, settings));
  }

  /** Returns the diagnostics of all blocks, in file order. */
  #fillSlots(blocks: readonly Block[]): FlowDiagnostic[] {
    const { results: alone } = this.#alone.update(blocks);
    const declared = this.#withDeclarations(blocks);
    const grouped = this.#grouped();
    const { byNumber } = this.#shape;
    const before = this.#slots;
    const found: FlowDiagnostic[] = [];
    const byBlock = before.length === blocks.length ? undefined : new Map(before.map((slot) => [slot?.block, slot]));
    this.#slots = new Array(blocks.length).fill(undefined);
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i] as Block;
      const a = alone[i] as BlockFindings;
      const d = declared[i] as BlockFindings;
      const g = grouped.length > 0 ? groupedOf(block, grouped) : nothing;
      const s = byNumber[i];
      if (a === nothing && d === nothing && g === nothing && s === undefined) continue;
      const old = byBlock ? byBlock.get(block) : before[i];
      const same = old?.block === block && old.alone === a && old.declared === d && sameGroups(old.grouped, g);
      const isKept = same && (old.graph === s || isUnchanged(old, s, this.document.shape));
      const slot = isKept ? old : this.#slot(block, a, d, g, s);
      this.#slots[i] = slot;
      for (const each of slot.found) found.push(each);
    }
    return found;
  }

  #slot(
    block: Block,
    alone: BlockFindings,
    declared: BlockFindings,
    grouped: Slot["grouped"],
    graph: Slot["graph"],
  ): Slot {
    if (block.isBroken) return { block, alone, declared, grouped, graph, found: nothing };
    const found: FlowDiagnostic[] = [];
    const add = (rule: Rule, finding: BlockFinding) => {
      const severity = this.#severities.get(rule);
      const own = severity === rule.severity ? finding.severity : undefined;
      if (severity) found.push(new BlockDiagnostic(rule.code, own ?? severity, block, finding));
    };
    for (const { rule, finding } of alone) add(rule, finding);
    for (const { rule, finding } of declared) add(rule, finding);
    for (const { rule, finding } of grouped) for (const each of finding) add(rule, each);
    for (const { rule, finding } of graph ?? nothing) {
      const severity = this.#severities.get(rule);
      const own = severity === rule.severity ? finding.severity : undefined;
      if (severity) found.push(new GraphDiagnostic(rule.code, own ?? severity, this.document, this.#shape, finding));
    }
    return { block, alone, declared, grouped, graph, found };
  }

  /** The group rules that reported anything, with their findings by node. */
  #grouped(): Grouped[] {
    const { nodes } = this.document;
    const order = (node: NodeBlock) => this.document.startOf(node);
    return this.#groups.flatMap((groups) => {
      const found = groups.update(nodes, order);
      return found.size > 0 ? [{ rule: groups.rule, found }] : [];
    });
  }

  /** The results of rules that need the declared variables, which run again if the declarations change. */
  #withDeclarations(blocks: readonly Block[]): readonly BlockFindings[] {
    const { document } = this;
    const { results, left, came } = this.#declarations.update(document.variables);
    const declared = left.length > 0 || came.length > 0 ? results.join("\n") : this.#declared;
    if (!this.#declaredRules || declared !== this.#declared) {
      this.#declared = declared;
      const asking = this.rules.filter((rule) => rule.checkDeclared);
      const names = new Set(document.variables.map(({ name }) => name));
      const declarations: Declared = {
        isEmpty: names.size === 0,
        has: (variable) => names.has(variable),
        valuesOf: valuesIn(document),
      };
      this.#declaredRules = new IncrementalMap((block) =>
        collect(block, (reporterFor) => {
          for (const rule of asking) rule.checkDeclared?.(block, declarations, reporterFor(rule));
        }),
      );
    }
    return this.#declaredRules.update(blocks).results;
  }
}

interface Grouped {
  readonly rule: Rule;
  readonly found: ReadonlyMap<Block, readonly BlockFinding[]>;
}

function groupedOf(block: Block, grouped: readonly Grouped[]): Slot["grouped"] {
  let own: RuleFinding<readonly BlockFinding[]>[] | undefined;
  for (const { rule, found } of grouped) {
    const finding = found.get(block);
    if (!finding) continue;
    own ??= [];
    own.push({ rule, finding });
  }
  return own ?? nothing;
}

/**
 * Whether the graph findings of a block are equal to the previous ones. The new ones replace them in the diagnostics,
 * because the details may differ.
 */
function isUnchanged(slot: Slot, now: Slot["graph"], shape: number): boolean {
  const before = slot.graph;
  if (!before || !now || before.length !== now.length) return false;
  for (let index = 0; index < now.length; index++) {
    const [old, each] = [before[index], now[index]] as [RuleFinding<GraphFinding>, RuleFinding<GraphFinding>];
    if (old.rule !== each.rule || !sameFinding(old.finding, each.finding)) return false;
  }
  slot.graph = now;
  // Graph diagnostics come last in a slot, in this order, without those of disabled rules.
  let last = slot.found.length - 1;
  for (let index = now.length - 1; index >= 0; index--) {
    const { rule, finding } = now[index] as RuleFinding<GraphFinding>;
    const found = slot.found[last];
    if (!(found instanceof GraphDiagnostic) || found.code !== rule.code) continue;
    found.replaceFinding(finding, shape);
    last--;
  }
  return true;
}

function sameGroups(a: Slot["grouped"], b: Slot["grouped"]): boolean {
  return a.length === b.length && a.every(({ finding }, index) => finding === b[index]?.finding);
}

/** The findings of rules about one block. `run` asks for the reporter of each rule before it runs the rule. */
function collect(
  block: Block,
  run: (reporterFor: (rule: Rule) => (finding: BlockFinding) => void) => void,
): BlockFindings {
  // Only the syntax error is reported: other findings may follow from it.
  if (block.isBroken) return nothing;
  let found: RuleFinding<BlockFinding>[] | undefined;
  let current: Rule;
  // One reporter for all rules: a large file has tens of thousands of blocks.
  const report = (finding: BlockFinding) => {
    found ??= [];
    found.push({ rule: current, finding });
  };
  run((rule) => {
    current = rule;
    return report;
  });
  return found ?? nothing;
}

/** The rules about each field. */
function fieldRules(rules: readonly Rule[]): (field: Field) => readonly Rule[] {
  const all = rules.filter((rule) => rule.checkField);
  const byField = new Map<Field, readonly Rule[]>();
  return (field) => {
    let concerned = byField.get(field);
    if (!concerned) {
      concerned = all.filter((rule) => rule.checkField?.concerns(field));
      byField.set(field, concerned);
    }
    return concerned;
  };
}

function declarationOf(block: Block): string {
  return JSON.stringify([block.key, enumValues(block) ?? null]);
}
