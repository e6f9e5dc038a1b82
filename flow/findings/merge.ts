/**
 * Our problems and the platform's findings of one file, each matter once: where both complain of the same thing the more
 * severe of the two decides, and both are named. A finding that is hidden behind a milder problem would still keep the
 * flow from running.
 */
import type { FlowDocument } from "../document";
import type { Problem, Severity } from "../rules/engine/rule";
import type { FindingData } from "./file-findings";
import { isSameRule } from "./same-rule";
import { SEVERITY_RANK } from "./tally";

export interface Merged {
  readonly problems: readonly Problem[];
  /** What only the platform says. */
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
  const alone = findings.filter((finding) => {
    if ((finding.data as Partial<FindingData> | undefined)?.isOutdated) return true;
    // One finding makes one of our problems worse, and two of the platform's two of them.
    const at = places.of(finding).next((index) => merged[index]?.alsoBy === undefined);
    if (at === undefined) return true;
    merged[at] = both(merged[at] as Problem, finding);
    return false;
  });
  return { problems: merged, findings: alone };
}

/** The problems that a finding may be about, found without going through all of them for each: there may be thousands. */
class Places {
  readonly #queues = new Map<string, Map<unknown, Queue>>();

  constructor(
    private readonly problems: readonly Problem[],
    private readonly document: FlowDocument,
  ) {}

  of({ code, span }: Problem): Queue {
    const queues = this.#queues.get(code) ?? this.#sort(code);
    this.#queues.set(code, queues);
    // A finding without a place stands at the start of the file; what it says is then true of the file.
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

  /** The first that is free, else the first of all. */
  next(isFree: (index: number) => boolean): number | undefined {
    while (this.#next < this.indexes.length && !isFree(this.indexes[this.#next] as number)) this.#next++;
    return this.indexes[this.#next] ?? this.indexes[0];
  }
}

const NONE = new Queue([]);

function both(own: Problem, finding: Problem): Problem {
  // What was edited since is no longer the platform's word on this text.
  if (finding.unnecessary) return own;
  if (SEVERITY_RANK[finding.severity] >= SEVERITY_RANK[own.severity]) return { ...own, alsoBy: "platform" };
  const message = `${own.message} Platform ${said[finding.severity]}: ${finding.message}`;
  return { ...own, severity: finding.severity, message, alsoBy: "platform" };
}

const said: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note", hint: "hint" };
