/**
 * Runs the rules over a document and keeps what cannot have changed: findings about one entry with the entry, findings
 * about the shape with the shape. A text edit so costs the rules of one entry and the merging of what was found.
 */
import { analyse } from "../analysis";
import type { Entry, FlowDocument, NodeEntry } from "../document";
import type { Field } from "../fields";
import { Kept } from "../kept";
import { readTemplates } from "../model";
import { enumValues, valuesIn } from "../run/edge-condition";
import type { Span } from "../text";
import { pairOf, type Value } from "../values";
import { mayIgnore, suppressed } from "./ignore";
import { rules } from "./index";
import type {
  At,
  Declared,
  EntryFinding,
  FieldCheck,
  GraphFinding,
  Problem,
  Rule,
  RuleSettings,
  Severity,
} from "./rule";
import { eachField } from "./walk";

/** Everything there is to say about a document, in the order of the text. */
export function checkDocument(document: FlowDocument, settings: RuleSettings = {}): Problem[] {
  let checker = checkers.get(document);
  if (!checker) {
    checker = new Checker(document, rules);
    checkers.set(document, checker);
  }
  return checker.check(settings);
}

/** The severity of a rule under some settings; undefined where it is off. */
export function severityOf(rule: Pick<Rule, "code" | "severity">, settings: RuleSettings): Severity | undefined {
  const own = Object.hasOwn(settings, rule.code) ? settings[rule.code] : undefined;
  return own === "off" ? undefined : (own ?? rule.severity);
}

const checkers = new WeakMap<FlowDocument, Checker>();

interface Found<Finding> {
  readonly rule: Rule;
  readonly finding: Finding;
}
type FoundInEntry = readonly Found<EntryFinding>[];

const nothing: readonly never[] = [];

/** Exported for the test that counts how often a rule is asked. */
export class Checker {
  readonly #alone: Kept<Entry, FoundInEntry>;
  #declaredRules: Kept<Entry, FoundInEntry> | undefined;
  readonly #declarations = new Kept<Entry, string>(declarationOf);
  #declared = "";
  readonly #groups: Groups[];
  readonly #ignoring = new Kept<Entry, boolean>(mayIgnore);
  #shape = -1;
  #graph: readonly Found<GraphFinding>[] = [];

  constructor(
    private readonly document: FlowDocument,
    private readonly rules: readonly Rule[],
  ) {
    const alone = rules.filter((rule) => rule.checkEntry);
    const findings = new Findings<EntryFinding>();
    const ofFields = new FieldRules(rules, findings);
    this.#alone = new Kept((entry) => {
      for (let index = 0; index < alone.length; index++) {
        const rule = alone[index] as Rule;
        rule.checkEntry?.(entry, findings.by(rule));
      }
      ofFields.check(entry);
      return findings.take();
    });
    this.#groups = rules.filter((rule) => rule.groupBy).map((rule) => new Groups(rule));
  }

  check(settings: RuleSettings): Problem[] {
    const { document } = this;
    const entries = document.tops.concat(document.variables, document.nodes);
    const severities = new Map<Rule, Severity | undefined>();
    for (const rule of this.rules) severities.set(rule, severityOf(rule, settings));
    const problems: Problem[] = [];
    const add = (entry: Entry, found: FoundInEntry) => {
      const start = document.startOf(entry);
      for (const { rule, finding } of found) {
        const severity = severities.get(rule);
        if (severity) problems.push(fromEntry(rule.code, severity, finding, start));
      }
    };
    const addAll = (results: readonly FoundInEntry[]) => {
      for (let i = 0; i < results.length; i++) {
        const found = results[i] as FoundInEntry;
        if (found.length > 0) add(entries[i] as Entry, found);
      }
    };
    for (const problem of document.problems) {
      const rule = this.rules.find((each) => each.code === problem.code);
      const severity = rule ? severities.get(rule) : "error";
      if (severity) problems.push({ ...problem, severity });
    }
    addAll(this.#alone.update(entries).results);
    addAll(this.#withDeclarations(entries));
    for (const groups of this.#groups) for (const [node, found] of groups.update(document.nodes)) add(node, [found]);
    if (this.#shape !== document.shape) {
      this.#shape = document.shape;
      const flow = analyse(document);
      const findings = new Findings<GraphFinding>();
      for (const rule of this.rules) rule.checkGraph?.(flow, findings.by(rule));
      this.#graph = findings.take();
    }
    for (const { rule, finding } of this.#graph) {
      const severity = severities.get(rule);
      if (severity) problems.push(fromGraph(rule.code, severity, finding, document));
    }
    problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    if (problems.length === 0) return problems;
    const ignoring = this.#ignoring.update(entries).results;
    return suppressed(
      document,
      problems,
      entries.filter((_, index) => ignoring[index]),
    );
  }

  #withDeclarations(entries: readonly Entry[]): readonly FoundInEntry[] {
    const { document } = this;
    const { results, left, came } = this.#declarations.update(document.variables);
    const declared = left.length > 0 || came.length > 0 ? results.join("\n") : this.#declared;
    if (!this.#declaredRules || declared !== this.#declared) {
      this.#declared = declared;
      const asking = this.rules.filter((rule) => rule.checkDeclared);
      const declarations: Declared = { valuesOf: valuesIn(document) };
      const findings = new Findings<EntryFinding>();
      this.#declaredRules = new Kept((entry) => {
        for (const rule of asking) rule.checkDeclared?.(entry, declarations, findings.by(rule));
        return findings.take();
      });
    }
    return this.#declaredRules.update(entries).results;
  }
}

/** What rules find, one after the other. One function hears all: there are tens of rules and ten thousands of entries. */
class Findings<Finding> {
  #found: Found<Finding>[] = [];
  #rule: Rule | undefined;

  /** The function to report to, for a rule that is asked next. */
  by(rule: Rule): (finding: Finding) => void {
    this.#rule = rule;
    return this.#report;
  }

  /** What was found since it was last asked. */
  take(): readonly Found<Finding>[] {
    if (this.#found.length === 0) return nothing;
    const found = this.#found;
    this.#found = [];
    return found;
  }

  readonly #report = (finding: Finding) => {
    this.#found.push({ rule: this.#rule as Rule, finding });
  };
}

/** The rules about fields, by the field they care for. */
class FieldRules {
  readonly #byField = new Map<Field, readonly { readonly rule: Rule; readonly check: FieldCheck["check"] }[]>();
  #entry: Entry | undefined;

  constructor(
    private readonly rules: readonly Rule[],
    private readonly findings: Findings<EntryFinding>,
  ) {}

  check(entry: Entry): void {
    this.#entry = entry;
    eachField(entry, this.#visit);
  }

  // Made once rather than for each entry.
  readonly #visit = (field: Field, value: Value | undefined) => {
    const concerned = this.#concerned(field);
    for (let index = 0; index < concerned.length; index++) {
      const { rule, check } = concerned[index] as (typeof concerned)[number];
      check(this.#entry as Entry, field, value, this.findings.by(rule));
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

/** Nodes that share a key. Kept up to date by the nodes that left and came, never by looking at all of them. */
class Groups {
  readonly #nodes = new Kept<NodeEntry, true>(() => true);
  /** The one node with a number, or all of them. */
  readonly #members = new Map<number, NodeEntry | Set<NodeEntry>>();
  readonly #shared = new Set<Set<NodeEntry>>();

  constructor(private readonly rule: Rule) {}

  update(nodes: readonly NodeEntry[]): [NodeEntry, Found<EntryFinding>][] {
    const { left, came } = this.#nodes.update(nodes);
    for (const node of left) this.#leave(node);
    for (const node of came) this.#come(node);
    const found: [NodeEntry, Found<EntryFinding>][] = [];
    if (this.#shared.size === 0) return found;
    const order = new Map(nodes.map((node, number) => [node, number]));
    for (const group of this.#shared) {
      const members = [...group];
      members.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      this.rule.checkGroup?.(members, (node, finding) => found.push([node, { rule: this.rule, finding }]));
    }
    return found;
  }

  #come(node: NodeEntry): void {
    const key = this.rule.groupBy?.(node);
    if (key === undefined) return;
    const members = this.#members.get(key);
    if (members === undefined) this.#members.set(key, node);
    else if (members instanceof Set) members.add(node);
    else {
      const group = new Set([members, node]);
      this.#members.set(key, group);
      this.#shared.add(group);
    }
  }

  #leave(node: NodeEntry): void {
    const key = this.rule.groupBy?.(node);
    const members = key === undefined ? undefined : this.#members.get(key);
    if (key === undefined || members === undefined) return;
    if (!(members instanceof Set)) {
      this.#members.delete(key);
      return;
    }
    members.delete(node);
    const [last] = members;
    if (members.size > 1 || last === undefined) return;
    this.#members.set(key, last);
    this.#shared.delete(members);
  }
}

function declarationOf(entry: Entry): string {
  return JSON.stringify([entry.key, enumValues(entry) ?? null]);
}

function fromEntry(code: string, severity: Severity, finding: EntryFinding, start: number): Problem {
  const moved = (span: Span) => ({ start: start + span.start, end: start + span.end });
  const { related } = finding;
  return {
    code,
    severity,
    message: finding.message,
    span: moved(finding.span),
    ...(related && { related: related.map(({ message, span }) => ({ message, span: moved(span) })) }),
    ...(finding.data !== undefined && { data: finding.data }),
    ...(finding.unnecessary && { unnecessary: true }),
  };
}

function fromGraph(code: string, severity: Severity, finding: GraphFinding, document: FlowDocument): Problem {
  const { related } = finding;
  return {
    code,
    severity,
    message: finding.message,
    span: placeOf(document, finding.at),
    ...(related && { related: related.map(({ message, at }) => ({ message, span: placeOf(document, at) })) }),
    ...(finding.data !== undefined && { data: finding.data }),
    ...(finding.unnecessary && { unnecessary: true }),
  };
}

function placeOf(document: FlowDocument, at: At): Span {
  if ("top" in at) {
    const entry = document.top(at.top);
    if (!entry) return { start: 0, end: 0 };
    const use = at.use === undefined ? undefined : readTemplates(entry.value, entry.text)[at.use];
    return document.absolute(entry, use?.span ?? (entry.value?.kind === "scalar" ? entry.value.span : entry.keySpan));
  }
  if ("variable" in at) {
    const entry = document.variables[at.variable];
    return entry ? document.absolute(entry, fieldSpan(entry, at.field) ?? entry.keySpan) : { start: 0, end: 0 };
  }
  const entry = document.nodes[at.node];
  if (!entry) return { start: 0, end: 0 };
  if (at.use !== undefined) return document.absolute(entry, entry.refs[at.use]?.span ?? entry.keySpan);
  if (at.edge !== undefined) {
    const edge = entry.edges[at.edge];
    const field = at.field === undefined ? undefined : pairOf(edge?.value, at.field);
    return document.absolute(entry, (field?.value ?? field?.key)?.span ?? edge?.toSpan ?? edge?.span ?? entry.keySpan);
  }
  return document.absolute(entry, fieldSpan(entry, at.field) ?? entry.keySpan);
}

function fieldSpan(entry: Entry, field: string | undefined): Span | undefined {
  const pair = field === undefined ? undefined : pairOf(entry.value, field);
  return (pair?.value ?? pair?.key)?.span;
}
