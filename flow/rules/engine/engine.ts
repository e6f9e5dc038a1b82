/**
 * Runs the rules over a document and caches their results: findings about one block with the block, findings about the
 * graph with its shape. So a text edit costs the rules of one block, and merging the results: in a flow of
 * 2,000 nodes with many findings, it reaches the diagnostics in 1.8 ms.
 */

import { analyze } from "../../analysis";
import { AttachedCache } from "../../attached-cache";
import { getOrCreate } from "../../collections";
import type { Block, FlowDocument } from "../../document";
import type { Field } from "../../fields";
import { IncrementalMap } from "../../incremental-map";
import { enumValues, valuesIn } from "../../run/edge-condition";
import type { Value } from "../../values";
import { rules } from "../index";
import { unknownIgnore } from "../unknown-ignore";
import { type FlowDiagnostic, GraphDiagnostic, problemOf, sameFinding, TextDiagnostic } from "./diagnostic";
import { type RuleFinding, ShapeFindings } from "./graph-findings";
import { type GroupFindings, Groups } from "./groups";
import { mayIgnore, suppressed, unknownCodes } from "./ignore";
import { type ChangedBlock, OrderedDiagnostics } from "./ordered";
import type { BlockFinding, Declared, FieldCheck, GraphFinding, Problem, Rule, RuleSettings, Severity } from "./rule";
import { eachField } from "./walk";

/** All problems of a document, in the order of the text. */
export function checkDocument(document: FlowDocument, settings: RuleSettings = defaults): Problem[] {
  return checkerOf(document).check(settings);
}

/**
 * All diagnostics by block, for callers that update after every edit: unchanged diagnostics are the same objects as
 * before. Settings are compared by identity. The next check may change the returned list.
 */
export function diagnosticsIn(document: FlowDocument, settings: RuleSettings = defaults): readonly FlowDiagnostic[] {
  return checkerOf(document).diagnostics(settings);
}

const defaults: RuleSettings = {};

function checkerOf(document: FlowDocument): Checker {
  return getOrCreate(checkers, document, () => new Checker(document, rules));
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
  readonly grouped: readonly BlockFinding[];
  graph: readonly RuleFinding<GraphFinding>[] | undefined;
  readonly found: readonly FlowDiagnostic[];
}

/** Exported for the test that counts calls of rules. */
export class Checker {
  readonly #alone: IncrementalMap<Block, BlockFindings>;
  #declaredRules: IncrementalMap<Block, BlockFindings> | undefined;
  readonly #declarations = new IncrementalMap<Block, string>(declarationOf);
  #declared = "";
  readonly #groups: Groups | undefined;
  readonly #ignoring = new IncrementalMap<Block, boolean>(mayIgnore);
  readonly #shape: ShapeFindings;
  #slots: (Slot | undefined)[] = [];
  /** The results that the slots were filled from, apart from the blocks. */
  #graphFindings: ShapeFindings["byNumber"] | undefined;
  #groupFindings: GroupFindings = new Map();
  #inBlocks = new OrderedDiagnostics();
  #settings: RuleSettings | undefined;
  readonly #severities = new Map<Rule, Severity | undefined>();

  constructor(
    private readonly document: FlowDocument,
    private readonly rules: readonly Rule[],
  ) {
    const alone = rules.filter((rule) => rule.checkBlock);
    const findings = new FindingCollector<BlockFinding>();
    const ofFields = new FieldRules(rules, findings);
    this.#alone = new IncrementalMap((block) => {
      // Only the syntax error is reported: other findings may follow from it.
      if (block.isBroken) return nothing;
      for (let index = 0; index < alone.length; index++) {
        const rule = alone[index] as Rule;
        rule.checkBlock?.(block, findings.reporterFor(rule));
      }
      ofFields.check(block);
      return findings.drain();
    });
    const [grouping, ...others] = rules.filter((rule) => rule.groupBy);
    if (others.length > 0) throw new Error("Only one rule can group nodes.");
    this.#groups = grouping && new Groups(grouping);
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
      if (severity) inFile.push(new TextDiagnostic(problem.code, severity, undefined, problem));
    }
    if (document.isInConflict) return inFile.filter(({ code }) => code !== "duplicate-key");
    this.#fillSlots(blocks);
    for (const { rule, finding } of this.#shape.inFile) {
      const severity = this.#severityOf(rule, finding);
      if (severity) inFile.push(new GraphDiagnostic(rule.code, severity, document, this.#shape, finding));
    }
    const { results: mayIgnoreIn } = this.#ignoring.update(blocks);
    const silencing = mayIgnoreIn.includes(true) ? blocks.filter((_, index) => mayIgnoreIn[index]) : nothing;
    const unknown: FlowDiagnostic[] = [];
    const severity = this.#severities.get(unknownIgnore);
    if (severity && (silencing.length > 0 || mayIgnore({ text: document.header })))
      for (const each of unknownCodes(document, silencing, codes))
        unknown.push(new TextDiagnostic(unknownIgnore.code, severity, undefined, each));
    const inBlocks = this.#inBlocks.all;
    const isAll = inFile.length === 0 && unknown.length === 0;
    const found = isAll ? inBlocks : inFile.concat(inBlocks, unknown);
    return found.length === 0 ? found : suppressed(document, found, silencing);
  }

  #use(settings: RuleSettings): void {
    if (settings === this.#settings) return;
    this.#settings = settings;
    this.#slots = [];
    this.#inBlocks = new OrderedDiagnostics();
    for (const rule of this.rules) this.#severities.set(rule, severityOf(rule, settings));
  }

  #fillSlots(blocks: readonly Block[]): void {
    const { results: alone, ...own } = this.#alone.update(blocks);
    const { results: declared, ...asked } = this.#withDeclarations(blocks);
    const grouped =
      this.#groups?.update(this.document.nodes, (node) => this.document.startOf(node)) ?? this.#groupFindings;
    const shape = this.#shape.byNumber;
    const before = this.#slots;
    // Cleared until they're filled, so that the next check starts over if a rule throws.
    this.#slots = [];
    const isAligned = before.length === blocks.length;
    // Most edits change one block, while tens of thousands may have findings.
    const isElsewhereSame = isAligned && shape === this.#graphFindings && grouped === this.#groupFindings;
    const [from, to] = isElsewhereSame
      ? [Math.min(own.from, asked.from), Math.max(own.to, asked.to)]
      : [0, blocks.length];
    [this.#graphFindings, this.#groupFindings] = [shape, grouped];
    const byBlock = isAligned ? undefined : new Map(before.map((slot) => [slot?.block, slot]));
    const slots = isAligned ? before : new Array<Slot | undefined>(blocks.length);
    const changed: ChangedBlock[] = [];
    for (let i = from; i < to; i++) {
      const block = blocks[i] as Block;
      const old = before[i];
      const a = alone[i] as BlockFindings;
      const d = declared[i] as BlockFindings;
      const g = grouped.get(block) ?? nothing;
      const s = shape[i];
      if (a === nothing && d === nothing && g === nothing && s === undefined) slots[i] = undefined;
      else {
        const slot = byBlock ? byBlock.get(block) : old;
        const same = slot?.block === block && slot.alone === a && slot.declared === d && slot.grouped === g;
        slots[i] =
          same && (slot.graph === s || isUnchanged(slot, s, this.document.shape))
            ? slot
            : this.#slot(block, a, d, g, s);
      }
      if (slots[i] !== old) changed.push({ number: i, before: old?.found ?? nothing });
    }
    this.#slots = slots;
    this.#inBlocks.update(slots, isAligned ? changed : undefined);
  }

  #slot(
    block: Block,
    alone: BlockFindings,
    declared: BlockFindings,
    grouped: Slot["grouped"],
    graph: Slot["graph"],
  ): Slot {
    // Only the syntax error is reported: other findings may follow from it.
    if (block.isBroken) return { block, alone, declared, grouped, graph, found: nothing };
    const found: FlowDiagnostic[] = [];
    const add = (rule: Rule, finding: BlockFinding) => {
      const severity = this.#severityOf(rule, finding);
      if (severity) found.push(new TextDiagnostic(rule.code, severity, block, finding));
    };
    for (const { rule, finding } of alone) add(rule, finding);
    for (const { rule, finding } of declared) add(rule, finding);
    for (const finding of grouped) add(this.#groups?.rule as Rule, finding);
    for (const { rule, finding } of graph ?? nothing) {
      const severity = this.#severityOf(rule, finding);
      if (severity) found.push(new GraphDiagnostic(rule.code, severity, this.document, this.#shape, finding));
    }
    return { block, alone, declared, grouped, graph, found };
  }

  /** The severity of a finding, which may have its own if no setting overrides that of the rule. */
  #severityOf(rule: Rule, { severity: own }: Pick<BlockFinding, "severity">): Severity | undefined {
    const severity = this.#severities.get(rule);
    return severity === rule.severity ? (own ?? severity) : severity;
  }

  #withDeclarations(blocks: readonly Block[]): ReturnType<IncrementalMap<Block, BlockFindings>["update"]> {
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
      const findings = new FindingCollector<BlockFinding>();
      this.#declaredRules = new IncrementalMap((block) => {
        for (const rule of block.isBroken ? nothing : asking)
          rule.checkDeclared?.(block, declarations, findings.reporterFor(rule));
        return findings.drain();
      });
    }
    return this.#declaredRules.update(blocks);
  }
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

/** Collects findings of rules through one shared callback, to avoid a closure for each rule and block. */
class FindingCollector<Finding> {
  #found: RuleFinding<Finding>[] = [];
  #rule: Rule | undefined;

  /** The callback for the rule that runs next. */
  reporterFor(rule: Rule): (finding: Finding) => void {
    this.#rule = rule;
    return this.#report;
  }

  /** Returns and clears the collected findings. */
  drain(): readonly RuleFinding<Finding>[] {
    if (this.#found.length === 0) return nothing;
    const found = this.#found;
    this.#found = [];
    return found;
  }

  readonly #report = (finding: Finding) => {
    this.#found.push({ rule: this.#rule as Rule, finding });
  };
}

type FieldTable = Map<Field, readonly { readonly rule: Rule; readonly check: FieldCheck["check"] }[]>;

/** Shared by all documents with the same rules. */
const fieldTables = new WeakMap<readonly Rule[], FieldTable>();

/** The rules about fields, indexed by field. */
class FieldRules {
  readonly #byField: FieldTable;
  #block: Block | undefined;

  constructor(
    private readonly rules: readonly Rule[],
    private readonly findings: FindingCollector<BlockFinding>,
  ) {
    this.#byField = fieldTables.get(rules) ?? new Map();
    fieldTables.set(rules, this.#byField);
  }

  check(block: Block): void {
    this.#block = block;
    eachField(block, this.#visit);
  }

  // Created once rather than for each block.
  readonly #visit = (field: Field, value: Value | undefined) => {
    const concerned = this.#concerned(field);
    for (let index = 0; index < concerned.length; index++) {
      const { rule, check } = concerned[index] as (typeof concerned)[number];
      check(this.#block as Block, field, value, this.findings.reporterFor(rule));
    }
  };

  #concerned(field: Field) {
    let concerned = this.#byField.get(field);
    if (!concerned) {
      concerned = this.rules.flatMap((rule) =>
        rule.checkField?.concerns(field) ? [{ rule, check: rule.checkField.check }] : [],
      );
      this.#byField.set(field, concerned);
    }
    return concerned;
  }
}

function declarationOf(block: Block): string {
  return JSON.stringify([block.key, enumValues(block) ?? null]);
}
