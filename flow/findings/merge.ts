/**
 * Merges our problems and the platform's findings for one file, so that each issue appears once: if both report the
 * same, the more severe one decides, and both sources are named. A finding hidden by a milder problem would still
 * prevent the flow from running.
 */
import type { FlowDocument } from "../document";
import type { Problem, Severity } from "../rules/engine/rule";
import type { FindingData } from "./file-findings";
import { isSameRule } from "./same-rule";
import { SEVERITY_RANK } from "./tally";

export interface Merged {
  readonly problems: readonly Problem[];
  /** Findings that only the platform reports. */
  readonly findings: readonly Problem[];
}

export function mergeFindings(
  problems: readonly Problem[],
  findings: readonly Problem[],
  document: FlowDocument,
): Merged {
  if (findings.length === 0) return { problems, findings };
  const merged = [...problems];
  const places = new Places(problems, document);
  const repeats = new Repeats(problems);
  const alone = findings.filter((finding) => {
    if (repeats.includes(finding)) return false;
    if ((finding.data as Partial<FindingData> | undefined)?.isOutdated) return true;
    // One finding raises one of our problems, and two findings raise two of them.
    const at = places.of(finding).next((index) => merged[index]?.alsoBy === undefined);
    if (at === undefined) return true;
    merged[at] = both(merged[at] as Problem, finding);
    return false;
  });
  return { problems: merged, findings: alone };
}

/** The rule that a platform problem is about, for compile messages that begin with one: `variable.unknown: …`. */
export function ruleOf({ code, data }: Problem): string {
  return (data as { readonly repeats?: string } | undefined)?.repeats ?? code;
}

/** Recognizes compile messages that repeat one of our problems. Each problem accounts for one message. */
class Repeats {
  readonly #left = new Map<string, number>();

  constructor(private readonly problems: readonly Problem[]) {}

  includes(finding: Problem): boolean {
    const rule = ruleOf(finding);
    if (rule === finding.code) return false;
    const left = this.#left.get(rule) ?? this.problems.filter(({ code }) => isSameRule(code, rule)).length;
    this.#left.set(rule, left - 1);
    return left > 0;
  }
}

/** Finds the problems that a finding may be about without scanning all of them: there may be thousands. */
class Places {
  readonly #queues = new Map<string, Map<unknown, Queue>>();

  constructor(
    private readonly problems: readonly Problem[],
    private readonly document: FlowDocument,
  ) {}

  of({ code, span }: Problem): Queue {
    const queues = this.#queues.get(code) ?? this.#sort(code);
    this.#queues.set(code, queues);
    // A finding without a place is at the start of the file, and matches any place.
    return queues.get(span.start === 0 ? ANYWHERE : this.document.blockAt(span.start)) ?? NONE;
  }

  #sort(code: string): Map<unknown, Queue> {
    const queues = new Map<unknown, Queue>();
    for (const [index, own] of this.problems.entries()) {
      if (!isSameRule(own.code, code)) continue;
      for (const place of [ANYWHERE, this.document.blockAt(own.span.start)]) {
        const queue = queues.get(place);
        if (queue) queue.indexes.push(index);
        else queues.set(place, new Queue([index]));
      }
    }
    return queues;
  }
}

const ANYWHERE = Symbol("anywhere");

class Queue {
  #next = 0;
  constructor(readonly indexes: number[]) {}

  /** The first free index, else the first of all. */
  next(isFree: (index: number) => boolean): number | undefined {
    while (this.#next < this.indexes.length && !isFree(this.indexes[this.#next] as number)) this.#next++;
    return this.indexes[this.#next] ?? this.indexes[0];
  }
}

const NONE = new Queue([]);

function both(own: Problem, finding: Problem): Problem {
  // After an edit, the finding no longer applies to this text.
  if (finding.unnecessary) return own;
  if (SEVERITY_RANK[finding.severity] >= SEVERITY_RANK[own.severity]) return { ...own, alsoBy: "platform" };
  const message = `${own.message} Platform ${said[finding.severity]}: ${finding.message}`;
  return { ...own, severity: finding.severity, message, alsoBy: "platform" };
}

const said: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note", hint: "hint" };
