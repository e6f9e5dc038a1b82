/**
 * What a look at the platform means: the pure decision of sync. Given what is known, what was seen and how it came to be
 * seen, it says how the journal changes. Nothing here asks, waits or sends.
 *
 * What was seen is filed in one of two ways: as the base, where it is what was meant, in the platform's own form where it
 * has one; else as the remote graph, which is to be merged into the file before anything else is sent.
 */
import { applyOps, type ElementRef, type Graph, sameGraph } from "../flow";
import type { JournalRecord, Known } from "./journal/journal";
import {
  adopt,
  asWritten,
  carry,
  inBoth,
  inOtherForm,
  type Pairs,
  pairsBetween,
  withoutLeftovers,
} from "./normal-form/normal-form";
import { withoutOthers } from "./normal-form/others";
import { addedElsewhere, advanced, differOnlyIn, ofBatch, sentBy, showsBatch } from "./normal-form/sent-fields";
import { taken } from "./normal-form/taken";

export interface Seen {
  readonly graph: Graph;
  readonly version: number;
  /** How many versions the looking itself has made. */
  readonly made: number;
}

/**
 * What is known of the batch in flight. `applied` and `unchanged`: what was seen is its very answer, and says so; `assumed`:
 * the answer does not say whether anything was changed. `passed-over`: it was
 * made for another version. `refused`: for another reason. `unknown`: no answer came. Of the last three another copy of
 * the batch may have been applied.
 */
export type Answer = "applied" | "assumed" | "unchanged" | "passed-over" | "refused" | "unknown";

export interface Decision {
  readonly change: Partial<JournalRecord>;
  /** The batch in flight was applied, and what was seen is what it made: the next one may follow. */
  readonly applied: boolean;
  /** Elements that the batch has sent and the platform, by its own answer, did not store. */
  readonly notStored: readonly ElementRef[];
  /** Changes of the batch that left no trace: the platform ignored them. */
  readonly notTaken: readonly ElementRef[];
}

/** So long a batch without an answer may still be on its way. */
export const LATE_MS = 5 * 60_000;

export function reconcile(record: JournalRecord, seen: Seen, answer: Answer, now: number): Decision {
  const { base, inFlight } = record;
  const { graph, version } = seen;
  const carried = carry(graph, record.remote?.pairs ?? [], base?.pairs ?? []);
  const filed = base && inFlight ? outcome(record, base, seen, carried, answer, now) : undefined;
  const known: Known = filed?.known ?? { graph, version, pairs: carried };
  const isBase = () => base !== undefined && sameGraph(asWritten(graph, carried), view(base));
  const change: Partial<JournalRecord> = filed?.applied
    ? { base: known, remote: undefined, ...(filed.notTaken?.length ? {} : { doubts: undefined }) }
    : isBase()
      ? { base: unlessSame(base, known), remote: undefined }
      : { remote: unlessSame(record.remote, known), ...(filed?.base ? { base: filed.base } : {}) };
  const applied = filed?.applied === true && !isWithoutLast(record, version, answer);
  const isAlone = isDirect(answer) && answer !== "unchanged" && (applied || filed?.isAlone === true);
  return {
    change: {
      ...change,
      ...(filed?.doubts ? { doubts: filed.doubts } : {}),
      inFlight: undefined,
      ...suspicion(record, seen, answer, applied, isAlone, now),
    },
    applied,
    notStored: filed?.notStored ?? [],
    notTaken: filed?.notTaken ?? [],
  };
}

/** What was seen, with the graph that is known if it is the same: the journal writes another one anew. */
function unlessSame(before: Known | undefined, now: Known): Known {
  return before && sameGraph(before.graph, now.graph) ? { ...now, graph: before.graph } : now;
}

/** The last batch of a chain got no answer, and the version is the one that the batches before it have made. */
function isWithoutLast({ base, inFlight }: JournalRecord, version: number, answer: Answer): boolean {
  const before = inFlight?.answered?.length ?? 0;
  return before > 0 && !isDirect(answer) && version - (base?.version ?? 0) === before;
}

/** What the platform has, read as the file has it, or as another file would. */
export function view({ graph, pairs = [] }: Known, file?: Graph): Graph {
  return asWritten(graph, file ? adopt(pairs, file) : pairs);
}

interface Outcome {
  readonly known: Known;
  /** The base with as much of the batch as was seen to be there. */
  readonly base?: Known;
  /** It is what the platform made of the batch, and nobody else was at work. */
  readonly applied: boolean;
  /** Where more versions were made than the batch's: what was seen is what was meant, and nothing else is new. */
  readonly isAlone?: boolean;
  readonly doubts?: Pairs;
  readonly notStored?: readonly ElementRef[];
  readonly notTaken?: readonly ElementRef[];
}

/** What became of the batch in flight; undefined: nothing shows that it was applied. */
function outcome(
  record: JournalRecord,
  base: Known,
  { graph, version }: Seen,
  carried: Pairs,
  answer: Answer,
  now: number,
): Outcome | undefined {
  const { ops: last = [], answered = [] } = record.inFlight ?? {};
  const withoutLast = isWithoutLast(record, version, answer);
  const ops = [...answered.flat(), ...(withoutLast ? [] : last)];
  const was = view(base);
  const meant = applyOps(was, ops).graph;
  if (!meant) return undefined;
  const current = (all: Pairs) => withoutLeftovers(all, base.pairs ?? [], meant);
  const asMeant: Known = { graph, version, pairs: current(carried) };
  if (sameGraph(meant, view(asMeant))) return { known: asMeant, applied: true };
  const sent = sentBy(ops);
  const { pairs, missing } = pairsBetween(meant, graph);
  // While an earlier batch may still arrive, a version that nobody answered for may be of that one's making.
  const isSure = withoutLast || isDirect(answer) || now >= (record.lateUntil ?? 0);
  // A look may have made a version, or not: what is between is what there is at most.
  const versions = version - base.version - answered.length + (withoutLast ? 1 : 0);
  // Each batch before the last was answered for: only what the last one has sent can show that it was applied as well.
  const isShown = () => showsBatch(sentBy(last), applyOps(base.graph, answered.flat()).graph ?? base.graph, graph);
  const isUnmoved = sameGraph(base.graph, graph);
  const hasMoved = isUnmoved ? versions > 0 && answer !== "unchanged" : versions > 0 || (isDirect(answer) && isShown());
  const { doubts: earlier = [], isFirstPush = false } = record;
  const evidence = { hasMoved, isUnmoved, isShown, doubts: earlier, isFirstPush };
  const took = taken({ base, was, meant, seen: graph, pairs, missing, ...evidence });
  const { notTaken } = took;
  const asTaken: Outcome = {
    known: { graph, version, pairs: current(took.pairs) },
    applied: true,
    notStored: hasMoved ? missing : [],
    notTaken,
  };
  if (isDirect(answer) && isUnmoved) return asTaken;
  // Where nothing of the batch is there, what is new is not of its making.
  const mayBeForm = isSure && took.hasArrived;
  // Where versions jump, one batch makes any number of them.
  const made = versions > 1 && isDirect(answer) && (record.jumps ?? 0) >= JUMPS ? 1 : versions;
  if (mayBeForm && isAnswerAlone(withoutLast ? "applied" : answer, made, sent, base.graph, graph, isShown)) {
    const others = withoutOthers(base, graph, sent, took.pairs, missing);
    if (!others.wereAtWork) return asTaken;
    const own = current(others.pairs);
    const agreed = advanced(base.graph, sent, meant, graph, own);
    const notStored = hasMoved ? others.missing : [];
    return {
      known: { graph, version, pairs: own },
      base: { ...base, graph: agreed },
      applied: false,
      notStored,
      notTaken,
    };
  }
  if (answer === "unchanged") return undefined;
  // Others were at work, or may have been. What says the same in another form is ours; what came back to the same batch
  // before, or is a default elsewhere, is how the platform keeps it; everything else is merged as somebody's change.
  const open = ofBatch(took.pairs, sent);
  const doubts = isDirect(answer) ? open : [];
  const defaults = addedElsewhere(pairs, sent, base.pairs ?? []);
  const learned = carry(graph, [...inOtherForm(open), ...inBoth(doubts, earlier), ...defaults], carried);
  const agreed = advanced(base.graph, sent, meant, graph, learned);
  const known: Known = { graph, version, pairs: learned };
  return {
    known,
    base: { ...base, graph: agreed },
    applied: false,
    isAlone: sameGraph(meant, view(known)),
    ...(doubts.length > 0 ? { doubts } : {}),
  };
}

/** Whether the only thing between the base and what was seen is the batch in flight: then what differs is its normal form. */
function isAnswerAlone(
  answer: Answer,
  versions: number,
  sent: ReturnType<typeof sentBy>,
  before: Graph,
  after: Graph,
  isShown: () => boolean,
): boolean {
  // A platform whose versions don't move: only what the batch was about may be different, and the batch must show.
  if (versions === 0) return isDirect(answer) && differOnlyIn(sent, before, after) && isShown();
  if (versions !== 1 || answer === "unchanged") return false;
  if (answer === "applied" || isShown()) return true;
  return answer === "assumed" && differOnlyIn(sent, before, after);
}

/** What was seen is the answer to the batch itself. */
function isDirect(answer: Answer): boolean {
  return answer === "applied" || answer === "assumed" || answer === "unchanged";
}

/** After so many batches of ours in a row that made more than one version, with nothing else new, versions are known to jump. */
const JUMPS = 2;

/**
 * A batch makes one version. Where more were made, and one of ours may be among them, it may lie over another's. On a platform
 * whose versions jump with our own batches, they say nothing about others.
 */
function suspicion(
  { base, remote, inFlight, risks = [], enforces, jumps = 0, lateUntil = 0 }: JournalRecord,
  { version, made }: Seen,
  answer: Answer,
  wasApplied: boolean,
  isAlone: boolean,
  now: number,
): Partial<JournalRecord> {
  const isOpen = inFlight !== undefined && (answer === "unknown" || answer === "refused") && !wasApplied;
  const from = ((remote ?? base)?.version ?? version) + (inFlight?.answered?.length ?? 0);
  const late = now < lateUntil;
  const ours = !inFlight || answer === "unchanged" ? late : answer !== "passed-over";
  // A batch that was refused, or has changed nothing, made none; one sent before it, and given up, may have.
  const mayHave = answer === "refused" || answer === "unchanged" ? !late : wasApplied || answer !== "unknown" || !late;
  const sent = inFlight && mayHave ? 1 : 0;
  const more = version > from + made + sent;
  const inARow = !isAlone || jumps >= JUMPS ? jumps : more ? jumps + 1 : 0;
  const isJump = inARow >= JUMPS;
  // What was taken for others' changes before were jumps, too.
  const kept = isJump && jumps < JUMPS ? risks.filter((risk) => risk.now !== from) : risks;
  const isRisk = ours && more && !enforces && !isJump;
  return {
    ...(isOpen ? { lateUntil: now + LATE_MS } : {}),
    ...(inARow === jumps ? {} : { jumps: inARow }),
    ...(isRisk || kept.length < risks.length
      ? { risks: isRisk ? [...kept, { sent: from, now: version, at: now }] : kept }
      : {}),
  };
}

/** Whether something said yes to the batch in flight, and what was seen doesn't show it: it may still be applied. */
export function isAwaited({ base, inFlight }: JournalRecord, seen: Graph, now: number): boolean {
  if (!inFlight?.unclear || !base) return false;
  const sent = sentBy([...(inFlight.answered ?? []).flat(), ...inFlight.ops]);
  return now < inFlight.unclear.until && !showsBatch(sent, base.graph, seen);
}

/** What stays of a record while a batch is waited for. */
export function awaited({ inFlight, lateUntil }: JournalRecord): Partial<JournalRecord> {
  return { inFlight, lateUntil };
}
