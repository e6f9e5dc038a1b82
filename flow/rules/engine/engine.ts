/**
 * Runs the rules over a document and keeps what cannot have changed: findings about one entry with the entry, findings
 * about the shape with the shape. A text edit so costs the rules of one entry and the merging of what was found.
 */
import { analyze } from "../../analysis";
import { AttachedCache } from "../../attached-cache";
import type { Block, FlowDocument, NodeBlock } from "../../document";
import type { Field } from "../../fields";
import { IncrementalFilter, IncrementalMap } from "../../incremental-map";
import { enumValues, valuesIn } from "../../run/edge-condition";
import type { Value } from "../../values";
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
import { type ChangedBlock, OrderedDiagnostics } from "./ordered";
import type { BlockFinding, Declared, FieldCheck, GraphFinding, Problem, Rule, RuleSettings, Severity } from "./rule";
import { eachField } from "./walk";

/** Everything there is to say about a document, in the order of the text. */
export function checkDocument(document: FlowDocument, settings: RuleSettings = defaults): Problem[] {
  return checkerOf(document).check(settings);
}

/**
 * The same by entry, for whoever shows it after every edit: findings are the same objects as before where nothing about
 * them changed. Settings are compared by identity. The list is good until the next check, which may change it.
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
 * After trials in which a document was checked: what the analysis keeps is of the document again, for problems that were
 * found before and tell the rest of what they know only when they are asked.
 */
export function settle(document: FlowDocument): void {
  if (checkers.has(document)) analyze(document);
}

/** The severity of a rule under some settings; undefined where it is off. */
export function severityOf(rule: Pick<Rule, "code" | "severity">, settings: RuleSettings): Severity | undefined {
  const own = Object.hasOwn(settings, rule.code) ? settings[rule.code] : undefined;
  return own === "off" ? undefined : (own ?? rule.severity);
}

const codes = new Set(rules.map(({ code }) => code));
const checkers = new AttachedCache<FlowDocument, Checker>();

type BlockFindings = readonly RuleFinding<BlockFinding>[];

const nothing: readonly never[] = [];

/** What is found in one entry, and what it was made from. */
interface Slot {
  readonly block: Block;
  readonly alone: BlockFindings;
  readonly declared: BlockFindings;
  readonly grouped: readonly RuleFinding<readonly BlockFinding[]>[];
  graph: readonly RuleFinding<GraphFinding>[] | undefined;
  readonly found: readonly FlowDiagnostic[];
}

/** Exported for the test that counts how often a rule is asked. */
export class Checker {
  readonly #alone: IncrementalMap<Block, BlockFindings>;
  #declaredRules: IncrementalMap<Block, BlockFindings> | undefined;
  readonly #declarations = new IncrementalMap<Block, string>(declarationOf);
  #declared = "";
  readonly #groups: Groups[];
  readonly #ignoring = new IncrementalFilter<Block>(mayIgnore);
  readonly #shape: ShapeFindings;
  #slots: (Slot | undefined)[] = [];
  /** What the slots were filled from, beside the entries. */
  #graphFindings: ShapeFindings["byNumber"] | undefined;
  #groupFindings: readonly Grouped[] = [];
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
      // Of an entry that could not be read, that alone is said: the rest may follow from it.
      if (block.isBroken) return nothing;
      for (let index = 0; index < alone.length; index++) {
        const rule = alone[index] as Rule;
        rule.checkBlock?.(block, findings.reporterFor(rule));
      }
      ofFields.check(block);
      return findings.drain();
    });
    this.#groups = rules.filter((rule) => rule.groupBy).map((rule) => new Groups(rule));
    this.#shape = new ShapeFindings(document, rules);
  }

  check(settings: RuleSettings): Problem[] {
    const problems = this.diagnostics(settings).map((found) => problemOf(this.document, found));
    return problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  }

  /** Everything that is found, entry by entry. */
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
    this.#fillSlots(blocks);
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
    const grouped = this.#grouped();
    const shape = this.#shape.byNumber;
    const before = this.#slots;
    // Until they are filled: where a rule fails, the next check starts anew.
    this.#slots = [];
    const isAligned = before.length === blocks.length;
    // Most edits change one entry, and there may be ten thousands with findings.
    const isElsewhereSame = isAligned && shape === this.#graphFindings && sameGrouped(grouped, this.#groupFindings);
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
      const g = grouped.length > 0 ? groupedOf(block, grouped) : nothing;
      const s = shape[i];
      if (a === nothing && d === nothing && g === nothing && s === undefined) slots[i] = undefined;
      else {
        const slot = byBlock ? byBlock.get(block) : old;
        const same = slot?.block === block && slot.alone === a && slot.declared === d && sameGroups(slot.grouped, g);
        slots[i] =
          same && (slot.graph === s || isUnchanged(slot, s, this.document.shape))
            ? slot
            : this.#slot(block, a, d, g, s);
      }
      if (slots[i] !== old) changed.push({ number: i, before: old?.found ?? nothing });
    }
    this.#slots = slots;
    this.#inBlocks.update((number) => slots[number]?.found ?? nothing, slots.length, isAligned ? changed : undefined);
  }

  #slot(
    block: Block,
    alone: BlockFindings,
    declared: BlockFindings,
    grouped: Slot["grouped"],
    graph: Slot["graph"],
  ): Slot {
    // Of an entry that could not be read, that alone is said: the rest may follow from it.
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

  /** The rules about groups that found something, with what they found by node. */
  #grouped(): Grouped[] {
    const { nodes } = this.document;
    const order = (node: NodeBlock) => this.document.startOf(node);
    return this.#groups.flatMap((groups) => {
      const found = groups.update(nodes, order);
      return found.size > 0 ? [{ rule: groups.rule, found }] : [];
    });
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
 * Whether the rules about the shape say the same of an entry as before. Elsewhere the shape changed, so what they now say
 * takes the place of what they said: the rest of it, which is told when somebody asks, may be another.
 */
function isUnchanged(slot: Slot, now: Slot["graph"], shape: number): boolean {
  const before = slot.graph;
  if (!before || !now || before.length !== now.length) return false;
  for (let index = 0; index < now.length; index++) {
    const [old, each] = [before[index], now[index]] as [RuleFinding<GraphFinding>, RuleFinding<GraphFinding>];
    if (old.rule !== each.rule || !sameFinding(old.finding, each.finding)) return false;
  }
  slot.graph = now;
  // Those about the shape come last in a slot, in this order, without those of rules that are off.
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

function sameGrouped(a: readonly Grouped[], b: readonly Grouped[]): boolean {
  return a.length === b.length && a.every(({ found }, index) => found === b[index]?.found);
}

function sameGroups(a: Slot["grouped"], b: Slot["grouped"]): boolean {
  return a.length === b.length && a.every(({ finding }, index) => finding === b[index]?.finding);
}

/** What rules find, one after the other. One function hears all: there are tens of rules and ten thousands of entries. */
class FindingCollector<Finding> {
  #found: RuleFinding<Finding>[] = [];
  #rule: Rule | undefined;

  /** The function to report to, for a rule that is asked next. */
  reporterFor(rule: Rule): (finding: Finding) => void {
    this.#rule = rule;
    return this.#report;
  }

  /** What was found since it was last asked. */
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

/** One for each set of rules, since a folder may have thousands of files. */
const fieldTables = new WeakMap<readonly Rule[], FieldTable>();

/** The rules about fields, by the field they care for. */
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

  // Made once rather than for each entry.
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
