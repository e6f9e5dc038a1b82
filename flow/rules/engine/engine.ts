/**
 * Runs the rules over a document and keeps what cannot have changed: findings about one entry with the entry, findings
 * about the shape with the shape. A text edit so costs the rules of one entry and the merging of what was found.
 */
import { analyze } from "../../analysis";
import { AttachedCache } from "../../attached-cache";
import type { Entry, FlowDocument, NodeEntry } from "../../document";
import type { Field } from "../../fields";
import { IncrementalFilter, IncrementalMap } from "../../incremental-map";
import { enumValues, valuesIn } from "../../run/edge-condition";
import type { Value } from "../../values";
import { rules } from "../index";
import { unknownIgnore } from "../unknown-ignore";
import {
  EntryDiagnostic,
  FileDiagnostic,
  type FlowDiagnostic,
  GraphDiagnostic,
  problemOf,
  sameFinding,
} from "./diagnostic";
import { type RuleFinding, ShapeFindings } from "./graph-findings";
import { Groups } from "./groups";
import { mayIgnore, suppressed, unknownCodes } from "./ignore";
import { type ChangedEntry, OrderedDiagnostics } from "./ordered";
import type { Declared, EntryFinding, FieldCheck, GraphFinding, Problem, Rule, RuleSettings, Severity } from "./rule";
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

type EntryFindings = readonly RuleFinding<EntryFinding>[];

const nothing: readonly never[] = [];

/** What is found in one entry, and what it was made from. */
interface Slot {
  readonly entry: Entry;
  readonly alone: EntryFindings;
  readonly declared: EntryFindings;
  readonly grouped: readonly RuleFinding<readonly EntryFinding[]>[];
  graph: readonly RuleFinding<GraphFinding>[] | undefined;
  readonly found: readonly FlowDiagnostic[];
}

/** Exported for the test that counts how often a rule is asked. */
export class Checker {
  readonly #alone: IncrementalMap<Entry, EntryFindings>;
  #declaredRules: IncrementalMap<Entry, EntryFindings> | undefined;
  readonly #declarations = new IncrementalMap<Entry, string>(declarationOf);
  #declared = "";
  readonly #groups: Groups[];
  readonly #ignoring = new IncrementalFilter<Entry>(mayIgnore);
  readonly #shape: ShapeFindings;
  #slots: (Slot | undefined)[] = [];
  /** What the slots were filled from, beside the entries. */
  #graphFindings: ShapeFindings["byNumber"] | undefined;
  #groupFindings: readonly Grouped[] = [];
  #inEntries = new OrderedDiagnostics();
  #settings: RuleSettings | undefined;
  readonly #severities = new Map<Rule, Severity | undefined>();

  constructor(
    private readonly document: FlowDocument,
    private readonly rules: readonly Rule[],
  ) {
    const alone = rules.filter((rule) => rule.checkEntry);
    const findings = new FindingCollector<EntryFinding>();
    const ofFields = new FieldRules(rules, findings);
    this.#alone = new IncrementalMap((entry) => {
      // Of an entry that could not be read, that alone is said: the rest may follow from it.
      if (entry.isBroken) return nothing;
      for (let index = 0; index < alone.length; index++) {
        const rule = alone[index] as Rule;
        rule.checkEntry?.(entry, findings.reporterFor(rule));
      }
      ofFields.check(entry);
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
    const { entries } = document;
    this.#use(settings);
    const inFile: FlowDiagnostic[] = [];
    for (const problem of document.explainedProblems) {
      const rule = this.rules.find((each) => each.code === problem.code);
      const severity = rule ? this.#severities.get(rule) : "error";
      if (severity) inFile.push(new FileDiagnostic(problem, severity));
    }
    if (document.isInConflict) return inFile.filter(({ code }) => code !== "duplicate-key");
    this.#fillSlots(entries);
    for (const { rule, finding } of this.#shape.inFile) {
      const severity = this.#severities.get(rule);
      if (severity) inFile.push(new GraphDiagnostic(rule.code, severity, document, this.#shape, finding));
    }
    const silencing = this.#ignoring.in(entries);
    const unknown: FlowDiagnostic[] = [];
    const severity = this.#severities.get(unknownIgnore);
    if (severity && (silencing.length > 0 || mayIgnore({ text: document.header })))
      for (const each of unknownCodes(document, silencing, codes))
        unknown.push(new FileDiagnostic({ code: unknownIgnore.code, ...each }, severity));
    const inEntries = this.#inEntries.all;
    const isAll = inFile.length === 0 && unknown.length === 0;
    const found = isAll ? inEntries : inFile.concat(inEntries, unknown);
    return found.length === 0 ? found : suppressed(document, found, silencing);
  }

  #use(settings: RuleSettings): void {
    if (settings === this.#settings) return;
    this.#settings = settings;
    this.#slots = [];
    this.#inEntries = new OrderedDiagnostics();
    for (const rule of this.rules) this.#severities.set(rule, severityOf(rule, settings));
  }

  #fillSlots(entries: readonly Entry[]): void {
    const { results: alone, ...own } = this.#alone.update(entries);
    const { results: declared, ...asked } = this.#withDeclarations(entries);
    const grouped = this.#grouped();
    const shape = this.#shape.byNumber;
    const before = this.#slots;
    // Until they are filled: where a rule fails, the next check starts anew.
    this.#slots = [];
    const isAligned = before.length === entries.length;
    // Most edits change one entry, and there may be ten thousands with findings.
    const isElsewhereSame = isAligned && shape === this.#graphFindings && sameGrouped(grouped, this.#groupFindings);
    const [from, to] = isElsewhereSame
      ? [Math.min(own.from, asked.from), Math.max(own.to, asked.to)]
      : [0, entries.length];
    [this.#graphFindings, this.#groupFindings] = [shape, grouped];
    const byEntry = isAligned ? undefined : new Map(before.map((slot) => [slot?.entry, slot]));
    const slots = isAligned ? before : new Array<Slot | undefined>(entries.length);
    const changed: ChangedEntry[] = [];
    for (let i = from; i < to; i++) {
      const entry = entries[i] as Entry;
      const old = before[i];
      const a = alone[i] as EntryFindings;
      const d = declared[i] as EntryFindings;
      const g = grouped.length > 0 ? groupedOf(entry, grouped) : nothing;
      const s = shape[i];
      if (a === nothing && d === nothing && g === nothing && s === undefined) slots[i] = undefined;
      else {
        const slot = byEntry ? byEntry.get(entry) : old;
        const same = slot?.entry === entry && slot.alone === a && slot.declared === d && sameGroups(slot.grouped, g);
        slots[i] =
          same && (slot.graph === s || isUnchanged(slot, s, this.document.shape))
            ? slot
            : this.#slot(entry, a, d, g, s);
      }
      if (slots[i] !== old) changed.push({ number: i, before: old?.found ?? nothing });
    }
    this.#slots = slots;
    this.#inEntries.update((number) => slots[number]?.found ?? nothing, slots.length, isAligned ? changed : undefined);
  }

  #slot(
    entry: Entry,
    alone: EntryFindings,
    declared: EntryFindings,
    grouped: Slot["grouped"],
    graph: Slot["graph"],
  ): Slot {
    // Of an entry that could not be read, that alone is said: the rest may follow from it.
    if (entry.isBroken) return { entry, alone, declared, grouped, graph, found: nothing };
    const found: FlowDiagnostic[] = [];
    const add = (rule: Rule, finding: EntryFinding) => {
      const severity = this.#severities.get(rule);
      const own = severity === rule.severity ? finding.severity : undefined;
      if (severity) found.push(new EntryDiagnostic(rule.code, own ?? severity, entry, finding));
    };
    for (const { rule, finding } of alone) add(rule, finding);
    for (const { rule, finding } of declared) add(rule, finding);
    for (const { rule, finding } of grouped) for (const each of finding) add(rule, each);
    for (const { rule, finding } of graph ?? nothing) {
      const severity = this.#severities.get(rule);
      const own = severity === rule.severity ? finding.severity : undefined;
      if (severity) found.push(new GraphDiagnostic(rule.code, own ?? severity, this.document, this.#shape, finding));
    }
    return { entry, alone, declared, grouped, graph, found };
  }

  /** The rules about groups that found something, with what they found by node. */
  #grouped(): Grouped[] {
    const { nodes } = this.document;
    const order = (node: NodeEntry) => this.document.startOf(node);
    return this.#groups.flatMap((groups) => {
      const found = groups.update(nodes, order);
      return found.size > 0 ? [{ rule: groups.rule, found }] : [];
    });
  }

  #withDeclarations(entries: readonly Entry[]): ReturnType<IncrementalMap<Entry, EntryFindings>["update"]> {
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
      const findings = new FindingCollector<EntryFinding>();
      this.#declaredRules = new IncrementalMap((entry) => {
        for (const rule of entry.isBroken ? nothing : asking)
          rule.checkDeclared?.(entry, declarations, findings.reporterFor(rule));
        return findings.drain();
      });
    }
    return this.#declaredRules.update(entries);
  }
}

interface Grouped {
  readonly rule: Rule;
  readonly found: ReadonlyMap<Entry, readonly EntryFinding[]>;
}

function groupedOf(entry: Entry, grouped: readonly Grouped[]): Slot["grouped"] {
  let own: RuleFinding<readonly EntryFinding[]>[] | undefined;
  for (const { rule, found } of grouped) {
    const finding = found.get(entry);
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
  #entry: Entry | undefined;

  constructor(
    private readonly rules: readonly Rule[],
    private readonly findings: FindingCollector<EntryFinding>,
  ) {
    this.#byField = fieldTables.get(rules) ?? new Map();
    fieldTables.set(rules, this.#byField);
  }

  check(entry: Entry): void {
    this.#entry = entry;
    eachField(entry, this.#visit);
  }

  // Made once rather than for each entry.
  readonly #visit = (field: Field, value: Value | undefined) => {
    const concerned = this.#concerned(field);
    for (let index = 0; index < concerned.length; index++) {
      const { rule, check } = concerned[index] as (typeof concerned)[number];
      check(this.#entry as Entry, field, value, this.findings.reporterFor(rule));
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

function declarationOf(entry: Entry): string {
  return JSON.stringify([entry.key, enumValues(entry) ?? null]);
}
