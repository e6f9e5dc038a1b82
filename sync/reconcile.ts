/**
 * Decides what a graph read from the platform means: given the journal, the graph and how it was obtained, it returns
 * the change of the journal. Pure: it doesn't make requests, wait or send.
 *
 * The graph is recorded in one of two ways: as the base if it is the expected one, possibly in the platform's normal
 * form; otherwise as the remote graph, which is merged into the file before anything else is sent.
 */
import { applyOps, type ElementRef, type Graph, sameGraph } from "../flow";
import type { JournalRecord, Known } from "./journal/record";
import { hasOtherIds } from "./normal-form/ids";
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
  /** How many versions the read itself has made. */
  readonly made: number;
}

/**
 * What is known about the batch in flight. `applied` and `unchanged`: its answer says so; `assumed`: the answer doesn't
 * say whether anything changed. `passed-over`: skipped because of its version. `refused`: rejected for another reason.
 * `unknown`: no answer. In the last three cases another copy of the batch may have been applied.
 */
export type Answer = "applied" | "assumed" | "unchanged" | "passed-over" | "refused" | "unknown";

export interface Decision {
  readonly change: Partial<JournalRecord>;
  /** The batch in flight was applied and produced this graph, so the next one may follow. */
  readonly applied: boolean;
  /** Elements sent in the batch that are missing from the platform's answer. */
  readonly notStored: readonly ElementRef[];
  /** Changes of the batch that had no effect: the platform ignored them. */
  readonly notTaken: readonly ElementRef[];
}

/** How long an unanswered batch may still arrive. */
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
      ? { base: known, remote: undefined }
      : { remote: known, ...(filed?.base ? { base: filed.base } : {}) };
  const applied = filed?.applied === true;
  const isAlone = isDirect(answer) && answer !== "unchanged" && (applied || filed?.isAlone === true);
  return {
    change: {
      ...change,
      ...(filed?.doubts ? { doubts: filed.doubts } : {}),
      ...(inFlight && hasOtherIds(inFlight.ops, graph) ? { changesIds: true } : {}),
      inFlight: undefined,
      ...suspicion(record, seen, answer, applied, isAlone, now),
    },
    applied,
    notStored: filed?.notStored ?? [],
    notTaken: filed?.notTaken ?? [],
  };
}

/** The platform's graph as this file, or any other, would write it. */
export function view({ graph, pairs = [] }: Known, file?: Graph): Graph {
  return asWritten(graph, file ? adopt(pairs, file) : pairs);
}

interface Outcome {
  readonly known: Known;
  /** The base with the part of the batch that was applied. */
  readonly base?: Known;
  /** The graph results from the batch alone, without changes by others. */
  readonly applied: boolean;
  /** More versions were made than the batch's, but the graph is the expected one, without other changes. */
  readonly isAlone?: boolean;
  readonly doubts?: Pairs;
  readonly notStored?: readonly ElementRef[];
  readonly notTaken?: readonly ElementRef[];
}

/** The outcome of the batch in flight; undefined if nothing shows that it was applied. */
function outcome(
  record: JournalRecord,
  base: Known,
  { graph, version }: Seen,
  carried: Pairs,
  answer: Answer,
  now: number,
): Outcome | undefined {
  const { ops = [] } = record.inFlight ?? {};
  const was = view(base);
  const meant = applyOps(was, ops).graph;
  if (!meant) return undefined;
  const current = (all: Pairs) => withoutLeftovers(all, base.pairs ?? [], meant);
  const asMeant: Known = { graph, version, pairs: current(carried) };
  if (sameGraph(meant, view(asMeant))) return { known: asMeant, applied: true };
  const sent = sentBy(ops);
  const { pairs, missing } = pairsBetween(meant, graph);
  // While an earlier batch may still arrive, it may have made a version that no answer accounts for.
  const isSure = isDirect(answer) || now >= (record.lateUntil ?? 0);
  // A read may have made a version; this is the maximum left for others.
  const versions = version - base.version;
  const isShown = () => showsBatch(sent, base.graph, graph);
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
  // If the batch had no effect, new elements aren't from it.
  const mayBeForm = isSure && took.hasArrived;
  // If versions jump, one batch makes any number of them.
  const made = versions > 1 && isDirect(answer) && (record.jumps ?? 0) >= JUMPS ? 1 : versions;
  if (mayBeForm && isAnswerAlone(answer, made, sent, base.graph, graph, isShown)) {
    const others = withoutOthers(base, graph, sent, took.pairs, missing);
    if (!others.hasOtherChanges) return asTaken;
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
  // There may be changes by others. Values that are equal in another form are ours; values that an earlier answer to
  // the same batch had, or that are defaults elsewhere, are the platform's normal form; everything else is merged as
  // another's change.
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

/** Whether only the batch in flight separates the base from this graph, so that the differences are its normal form. */
function isAnswerAlone(
  answer: Answer,
  versions: number,
  sent: ReturnType<typeof sentBy>,
  before: Graph,
  after: Graph,
  isShown: () => boolean,
): boolean {
  // A platform whose versions don't move: only elements of the batch may differ, and the batch must have an effect.
  if (versions === 0) return isDirect(answer) && differOnlyIn(sent, before, after) && isShown();
  if (versions !== 1 || answer === "unchanged") return false;
  if (answer === "applied" || isShown()) return true;
  return answer === "assumed" && differOnlyIn(sent, before, after);
}

/** Whether the graph is from the answer to the batch itself. */
function isDirect(answer: Answer): boolean {
  return answer === "applied" || answer === "assumed" || answer === "unchanged";
}

/** After this many batches in a row that made more than one version without any other change, versions are known to jump. */
const JUMPS = 2;

/**
 * A batch makes one version. If more were made, ours may have overwritten another change. On a platform whose versions jump
 * with our own batches, they say nothing about others.
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
  const from = (remote ?? base)?.version ?? version;
  const late = now < lateUntil;
  const ours = !inFlight || answer === "unchanged" ? late : answer !== "passed-over";
  // A rejected batch or one without effect made no version; an earlier one that was given up may have.
  const mayHave = answer === "refused" || answer === "unchanged" ? !late : wasApplied || answer !== "unknown" || !late;
  const sent = inFlight && mayHave ? 1 : 0;
  const more = version > from + made + sent;
  const inARow = !isAlone || jumps >= JUMPS ? jumps : more ? jumps + 1 : 0;
  const isJump = inARow >= JUMPS;
  // The versions that seemed to be others' changes before were jumps, too.
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

/** Whether the batch in flight was accepted but isn't in the graph yet: it may still be applied. */
export function isAwaited({ base, inFlight }: JournalRecord, seen: Graph, now: number): boolean {
  if (!inFlight?.unclear || !base) return false;
  const { ops } = inFlight;
  return now < inFlight.unclear.until && !showsBatch(sentBy(ops), base.graph, seen) && !hasOtherIds(ops, seen);
}

/** What a record keeps while a batch is awaited. */
export function awaited({ inFlight, lateUntil }: JournalRecord): Partial<JournalRecord> {
  return { inFlight, lateUntil };
}
