/**
 * Reads a policy file. Reading never throws: it returns the policies that can be read and a list of problems with
 * places. A policy that could be misread is left out, and its problem says so.
 */

import { MAX_PATTERN_LENGTH, namePattern, pathPattern } from "../pattern";
import { readListText } from "../reading/list-text";
import type { ReadProblem } from "../reading/problem";
import { MAX_YAML_LENGTH } from "../reading/yaml";
import { SEVERITIES, type Severity } from "../rules/engine/rule";
import { briefly, type Span, shift } from "../text";
import { keyText, type MapValue, type Pair, pairOf, pairsByKey, scalarText, textOf, type Value } from "../values";
import { nearest } from "../wording";
import { type Selector, type SelectorKey, selectorKeys } from "./selector";

/** Longer files aren't read, because policies are judged after every edit of every flow. */
export const MAX_POLICY_LENGTH = MAX_YAML_LENGTH;

export interface PolicyFile {
  readonly text: string;
  readonly policies: readonly Policy[];
  readonly problems: readonly PolicyProblem[];
}

export interface PolicyProblem {
  readonly message: string;
  readonly span: Span;
  /** The suggested replacement. */
  readonly near?: string;
  /** The fix of a syntax error. */
  readonly data?: ReadProblem["data"];
}

export interface Policy {
  readonly id: string;
  /** The place of the ID, or of the policy if it has none. */
  readonly idSpan: Span;
  readonly span: Span;
  readonly demand: Demand;
  readonly because: string | undefined;
  /** Patterns of paths, relative to the policy file; undefined: all flows. */
  readonly flows: readonly string[] | undefined;
  readonly flowsSpan: Span | undefined;
  readonly severity: Severity;
  readonly exceptions: readonly PolicyException[];
  /** Its own tests, in the order of the file. */
  readonly examples: readonly PolicyExample[];
}

export interface PolicyException {
  /** A pattern of paths, relative to the policy file; undefined: all flows of the policy. */
  readonly flow: Written | undefined;
  /** The ID of a node; undefined: the whole flow. */
  readonly node: Written | undefined;
  /** The last day on which it counts, as YYYY-MM-DD. */
  readonly until: Written;
  readonly because: string;
  readonly span: Span;
}

export interface Written {
  readonly text: string;
  readonly span: Span;
}

/** A path on which the policy holds, or which breaks it. */
export interface PolicyExample {
  readonly expects: "holds" | "breaks";
  readonly steps: readonly ExampleStep[];
  readonly span: Span;
}

/** A node as a selector would find it, and the edge that leaves it where that matters. */
export interface ExampleStep {
  readonly keys: ReadonlyMap<SelectorKey, string>;
  readonly by: string | undefined;
}

export type Demand = (
  | {
      readonly kind: "passes";
      readonly to: Selector;
      readonly passes: Selector;
      readonly by: string | undefined;
      readonly bySpan: Span | undefined;
    }
  | { readonly kind: "never"; readonly from: Selector; readonly to: Selector; readonly without: Selector | undefined }
  | { readonly kind: "always"; readonly after: Selector; readonly always: Selector }
  | { readonly kind: "at-most"; readonly most: number; readonly from: Selector; readonly to: Selector }
) & {
  /** IDs of nodes that are excepted in the flow that is judged. */
  readonly except?: readonly string[];
};

/** The key that determines the kind of a policy, with the others it requires. */
const kinds = {
  every_path_to: ["passes"],
  never: [],
  after: ["always"],
  at_most: ["from", "to"],
} as const;
type Kind = keyof typeof kinds;

const common = ["id", "because", "flows", "severity", "except", "holds", "breaks"];

const UNREADABLE_PATTERN = `Invalid pattern. It may have up to ${MAX_PATTERN_LENGTH} characters, and ranges such as [a-z] must be ascending.`;

export function readPolicyFile(text: string): PolicyFile {
  const whole = { start: 0, end: Math.min(1, text.length) };
  const alone = (message: string): PolicyFile => ({ text, policies: [], problems: [{ message, span: whole }] });
  if (text.length > MAX_POLICY_LENGTH)
    return alone("This file is longer than 256 KB and isn't read. Split it into policy files of subfolders.");
  const { tops, items, problems: unreadable } = readListText(text, "policies");
  const problems: PolicyProblem[] = unreadable.map(({ message, span, data }) => ({
    message,
    span,
    ...(data ? { data } : {}),
  }));
  for (const [key, { keySpan }] of tops)
    if (key !== "policies")
      problems.push({
        message: `"${briefly(key)}" isn't a key of a policy file. Its only key is "policies".`,
        span: keySpan,
      });
  const policies = (items ?? []).flatMap(({ value, base, isBroken }) => {
    // After a syntax error, other problems mostly follow from it.
    const policy = value && new Reader(base, isBroken ? [] : problems).policy(value);
    return policy ? [policy] : [];
  });
  if (!items && problems.length === 0)
    return alone("The policy file has no list of policies. Add `policies:` and a list of policies below it.");
  const seen = new Set<string>();
  for (const { id, idSpan } of policies) {
    if (seen.has(id))
      problems.push({ message: `Two policies have the ID "${briefly(id)}". Rename one of them.`, span: idSpan });
    seen.add(id);
  }
  problems.sort((a, b) => a.span.start - b.span.start);
  return { text, policies, problems };
}

class Reader {
  constructor(
    private readonly base: number,
    private readonly problems: PolicyProblem[],
  ) {}

  policy(value: Value): Policy | undefined {
    if (value.kind !== "map") return this.#complain("A policy must be a map of keys and values.", value);
    const fields = pairsByKey(value);
    const given = (Object.keys(kinds) as Kind[]).filter((each) => fields.has(each));
    const [kind] = given;
    const slip = kind === undefined ? this.#slipOf(Object.keys(kinds), fields) : undefined;
    if (slip)
      return this.#complain(
        `A policy has no key "${keyText(slip.pair)}". Did you mean "${slip.near}"?`,
        slip.pair.key,
        slip.near,
      );
    if (kind === undefined || given.length > 1) {
      const all = "`every_path_to`, `never`, `after` and `at_most`";
      return this.#complain(
        kind === undefined ? `A policy needs one of ${all}.` : `A policy has only one of ${all}.`,
        kind === undefined ? value : (fields.get(given[1] as Kind)?.key ?? value),
      );
    }
    this.#unknownKeys(value, `A policy with \`${kind}\``, [kind, ...kinds[kind], ...common]);
    const id = textOf(fields.get("id")?.value);
    if (!id) return this.#complain("A policy needs an `id`.", fields.get("id") ?? value);
    const demand = this.#demand(kind, fields, value);
    const flows = this.#flows(fields.get("flows"));
    const severity = this.#severity(fields.get("severity"));
    const because = this.#because(fields.get("because"));
    const exceptions = this.#list(
      fields.get("except"),
      "a list of exceptions, each with `flow` or `node`, `until` and `because`",
    ).flatMap((item) => this.#exception(item) ?? []);
    const examples = (["holds", "breaks"] as const)
      .flatMap((expects) =>
        this.#list(fields.get(expects), "a list of paths, such as [[greet, {type: transfer}]]").flatMap((path) => {
          const steps = path.kind === "list" ? path.items.map((step) => this.#step(step)) : [];
          if (steps.length === 0)
            return this.#complain("An example must be a path: a list of nodes, each an ID or a selector.", path) ?? [];
          const read = steps.flatMap((step) => step ?? []);
          return read.length === steps.length ? [{ expects, steps: read, span: this.#span(path) }] : [];
        }),
      )
      .sort((a, b) => a.span.start - b.span.start);
    if (!demand || flows === false) return undefined;
    return {
      id,
      idSpan: this.#span(fields.get("id")?.value ?? value),
      span: this.#span(value),
      demand,
      because,
      flows,
      flowsSpan: flows && this.#span(fields.get("flows")?.value ?? value),
      severity,
      exceptions,
      examples,
    };
  }

  #because(pair: Pair | undefined): string | undefined {
    const because = textOf(pair?.value);
    if (pair && because === undefined) this.#complain("`because` needs text: the reason.", pair);
    return because;
  }

  /** An invalid exception has no effect. */
  #exception(item: Value): PolicyException | undefined {
    if (item.kind !== "map") return this.#complain("An exception must be a map of keys and values.", item);
    const fields = pairsByKey(item);
    const isWrong = this.#unknownKeys(item, "An exception", ["flow", "node", "until", "because"]);
    const [flow, node, until, because] = ["flow", "node", "until", "because"].map((key) => {
      const pair = fields.get(key);
      const text = textOf(pair?.value)?.trim();
      return pair?.value && text ? { text, span: this.#span(pair.value) } : undefined;
    });
    for (const [key, given] of Object.entries({ flow, node }))
      if (fields.has(key) && !given) return this.#complain(`\`${key}\` needs text.`, fields.get(key));
    if (!flow && !node)
      return this.#complain("An exception needs `flow` or `node`: without either, the policy has no effect.", item);
    if (flow && !pathPattern(flow.text)) return this.#complain(UNREADABLE_PATTERN, fields.get("flow"));
    if (!until || !isDate(until.text)) {
      const message = until
        ? `"${briefly(until.text)}" isn't a date. Write \`until\`, the last day of the exception, as YYYY-MM-DD.`
        : "An exception needs `until`, its last day, written as YYYY-MM-DD.";
      return this.#complain(message, fields.get("until") ?? item);
    }
    if (!because)
      return this.#complain("An exception needs `because`, the reason for it.", fields.get("because") ?? item);
    if (isWrong) return undefined;
    return { flow, node, until, because: because.text, span: this.#span(item) };
  }

  #step(step: Value): ExampleStep | undefined {
    const id = textOf(step);
    if (id === "" || (id === undefined && step.kind !== "map"))
      return this.#complain("A node of an example must be an ID or a selector, such as {type: transfer}.", step);
    // In a test's path, `...` matches any nodes.
    if (id === "...") return this.#complain("An example lists every node of its path. Replace `...` with nodes.", step);
    if (id !== undefined) return { keys: new Map([["node", id]]), by: undefined };
    const selector = this.#selector("A node of an example", { value: step, span: step.span }, step, ["by"]);
    const by = pairOf(step, "by");
    if (by && textOf(by.value) === undefined)
      return this.#complain("`by` must be an edge's ID, `when`, label or target.", by);
    return selector && { keys: selector.keys, by: textOf(by?.value)?.trim() };
  }

  /** The items of an optional list, which must not be empty or something else. */
  #list(pair: Pair | undefined, what: string): readonly Value[] {
    if (!pair) return [];
    if (pair.value?.kind === "list" && pair.value.items.length > 0) return pair.value.items;
    this.#complain(`\`${keyText(pair)}\` is ${what}.`, pair);
    return [];
  }

  /** A key similar to one of these. */
  #slipOf(known: readonly string[], fields: ReadonlyMap<string, Pair>): { pair: Pair; near: string } | undefined {
    for (const pair of fields.values()) {
      const near = common.includes(keyText(pair)) ? undefined : nearest(keyText(pair), known, true);
      if (near !== undefined) return { pair, near };
    }
    return undefined;
  }

  #demand(kind: Kind, fields: ReadonlyMap<string, Pair>, at: MapValue): Demand | undefined {
    const select = (key: string, from = fields) => this.#selector(key, from.get(key), at);
    if (kind === "every_path_to") {
      const by = pairOf(fields.get("passes")?.value, "by");
      const [to, passes] = [select("every_path_to"), this.#selector("passes", fields.get("passes"), at, ["by"])];
      const words = textOf(by?.value);
      if (by && words === undefined) return this.#complain("`by` must be an edge's ID, `when`, label or target.", by);
      const bySpan = by?.value && this.#span(by.value);
      return to && passes && { kind: "passes", to, passes, by: words?.trim(), bySpan };
    }
    if (kind === "never") {
      const { value } = fields.get("never") as Pair;
      if (value?.kind !== "map") return this.#complain("`never` needs `from` and `to`.", fields.get("never"));
      const inside = pairsByKey(value);
      if (this.#unknownKeys(value, "`never`", ["from", "to", "without"])) return undefined;
      const [from, to] = [select("from", inside), select("to", inside)];
      const without = inside.has("without") ? select("without", inside) : undefined;
      if (!from || !to || (inside.has("without") && !without)) return undefined;
      return { kind: "never", from, to, without };
    }
    if (kind === "after") {
      const [after, always] = [select("after"), select("always")];
      return after && always && { kind: "always", after, always };
    }
    const most = fields.get("at_most")?.value;
    const number = most?.kind === "scalar" ? most.value : undefined;
    const [from, to] = [select("from"), select("to")];
    if (typeof number !== "number" || !Number.isInteger(number) || number < 0)
      return this.#complain("`at_most` must be a whole number of steps.", fields.get("at_most"));
    return from && to && { kind: "at-most", most: number, from, to };
  }

  #selector(
    name: string,
    pair: Pick<Pair, "value" | "span"> | undefined,
    policy: Value,
    more: readonly string[] = [],
  ): Selector | undefined {
    if (!pair) return this.#complain(`This policy needs \`${name}\`.`, policy);
    const { value } = pair;
    const what = name.includes(" ") ? name : `\`${name}\``;
    const span = this.#span(value ?? pair);
    if (textOf(value) === "entry") return { isEntry: true, keys: new Map(), places: new Map(), span };
    if (value?.kind !== "map")
      return this.#complain(`\`${name}\` must be \`entry\` or a selector: {${selectorKeys.join(": …, ")}: …}.`, pair);
    if (this.#unknownKeys(value, what, [...selectorKeys, ...more])) return undefined;
    const keys = new Map<SelectorKey, string>();
    const places = new Map<SelectorKey, Span>();
    for (const [key, each] of pairsByKey(value)) {
      if (more.includes(key)) continue;
      if (each.value?.kind !== "scalar" || each.value.value === null)
        return this.#complain(`\`${key}\` must be a string.`, each);
      const text = scalarText(each.value);
      if (key === "name" && !namePattern(text))
        return this.#complain(`\`name\` may have up to ${MAX_PATTERN_LENGTH} characters.`, each);
      keys.set(key as SelectorKey, text);
      places.set(key as SelectorKey, this.#span(each.value));
    }
    if (keys.size === 0)
      return this.#complain(`${what} selects no nodes. Use one of ${selectorKeys.join(", ")}.`, pair);
    return { isEntry: false, keys, places, span };
  }

  #flows(pair: Pair | undefined): readonly string[] | undefined | false {
    if (!pair) return undefined;
    const items = pair.value?.kind === "list" ? pair.value.items : [pair.value];
    const patterns = items.map(textOf);
    if (patterns.length > 0 && patterns.every((each) => each !== undefined)) {
      const unread = patterns.findIndex((each) => !pathPattern(each as string));
      if (unread < 0) return patterns as string[];
      this.#complain(UNREADABLE_PATTERN, items[unread] ?? pair);
      return false;
    }
    this.#complain('`flows` must be a path pattern, such as "billing/**", or a list of them.', pair);
    return false;
  }

  #severity(pair: Pair | undefined): Severity {
    const found = SEVERITIES.find((each) => each === textOf(pair?.value));
    if (pair && !found) this.#complain(`\`severity\` must be one of ${SEVERITIES.join(", ")}.`, pair);
    return found ?? "error";
  }

  #unknownKeys(value: MapValue, what: string, known: readonly string[]): boolean {
    const unknown = value.pairs.filter((pair) => !known.includes(keyText(pair)));
    for (const pair of unknown) {
      const near = nearest(keyText(pair), known, true);
      const advice = near ? `Did you mean "${near}"?` : `Known keys: ${known.join(", ")}.`;
      this.#complain(`${what} has no key "${briefly(keyText(pair))}". ${advice}`, pair.key, near);
    }
    return unknown.length > 0;
  }

  #complain(message: string, at: { readonly span: Span } | undefined, near?: string): undefined {
    const span = at ? this.#span(at) : { start: this.base, end: this.base };
    this.problems.push({ message, span, ...(near === undefined ? {} : { near }) });
    return undefined;
  }

  #span({ span }: { readonly span: Span }): Span {
    return shift(span, this.base);
  }
}

/** Whether text is a day of the calendar, written as YYYY-MM-DD. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
