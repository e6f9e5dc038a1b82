/**
 * A journal as text: a digest on the first line, the record as JSON on the second, and a change of the record on each
 * further line, so that a long chain of batches doesn't rewrite a large graph for each. The digest of a change includes
 * the previous one, so a change is valid only at its position. Digests detect changes by other programs, and anything
 * without the shape of a record is rejected. A last line without a line break was torn while it was appended; its
 * writer hasn't acted on it, so it is ignored.
 */
import { applyOps, emptyGraph, type Graph, type GraphOp, graphFromWire, graphToWire } from "../../flow";
import { sha256 } from "../../system";
import type { Identity } from "../environment";
import { type Pair, type Pairs, withoutEvidence } from "../normal-form/normal-form";
import type { EdgeNames, InFlight, JournalRecord, Known, OverwriteRisk, Unclear } from "./record";

/** Format 1 had no changes, so an old version must not read this format and miss them. */
const FORMAT = 2;
const FORMATS: readonly unknown[] = [1, FORMAT];

/** Text of a journal and its digest, which the next change includes. */
export interface Written {
  readonly text: string;
  readonly sum: string;
}

export function encode({ base, remote, inFlight, ...rest }: JournalRecord, identity: Identity): Written {
  const head = JSON.stringify({ format: FORMAT, identity, proved: true, ...rest });
  const flight = inFlight ? `,"inFlight":${inFlightText(inFlight)}` : "";
  const body = `${head.slice(0, -1)}${flight}${knownText("base", base)}${knownText("remote", remote)}}`;
  const sum = digest(body);
  return { text: `${sum}\n${body}\n`, sum };
}

/**
 * The line that changes one record into the other; undefined if the graphs differ, so the whole record must be written.
 */
export function encodeChange(from: JournalRecord, to: JournalRecord, after: string): Written | undefined {
  if (!isSameKnown(from.base, to.base) || !isSameKnown(from.remote, to.remote)) return undefined;
  const names = new Set([...Object.keys(from), ...Object.keys(to)]) as Set<keyof JournalRecord>;
  const changes: string[] = [];
  for (const name of names)
    if (name !== "base" && name !== "remote" && from[name] !== to[name])
      changes.push(`"${name}":${changeText(name, from, to)}`);
  const body = `{${changes.join()}}`;
  const sum = digest(`${after}\n${body}`);
  return { text: `${sum} ${body}\n`, sum };
}

function isSameKnown(one: Known | undefined, other: Known | undefined): boolean {
  if (one === other || !one || !other) return one === other;
  const isSame = one.graph === other.graph && one.version === other.version;
  return isSame && JSON.stringify(one.pairs ?? []) === JSON.stringify(other.pairs ?? []);
}

function changeText(name: keyof JournalRecord, from: JournalRecord, to: JournalRecord): string {
  if (name !== "inFlight" || !to.inFlight) return JSON.stringify(to[name] ?? null);
  const { ops, baseVersion, answered } = to.inFlight;
  const before = from.inFlight && [...(from.inFlight.answered ?? []), from.inFlight.ops];
  const follows = before?.length === answered?.length && before?.every((batch, index) => batch === answered?.[index]);
  return follows ? `{"follows":true,"ops":${opsText(ops)},"baseVersion":${baseVersion}}` : inFlightText(to.inFlight);
}

function knownText(name: string, known: Known | undefined): string {
  if (!known) return "";
  const { version, graph, pairs = [] } = known;
  const learned = pairs.length > 0 ? `"pairs":${JSON.stringify(pairs)},` : "";
  return `,"${name}":{"version":${version},${learned}"graph":${graphText(graph)}}`;
}

function inFlightText({ ops, baseVersion, answered = [], unclear }: InFlight): string {
  const before = answered.length > 0 ? `,"answered":[${answered.map(opsText).join()}]` : "";
  const unclearText = unclear ? `,"unclear":${JSON.stringify(unclear)}` : "";
  return `{"ops":${opsText(ops)},"baseVersion":${baseVersion}${before}${unclearText}}`;
}

/** Cached, because a long chain writes the same graph and batches many times. Both are immutable. */
export const graphText = textOnce((graph: Graph) => JSON.stringify(graphToWire(graph)));
const opsText = textOnce((ops: readonly GraphOp[]) => JSON.stringify(ops));

export function textOnce<T extends object>(textOf: (value: T) => string): (value: T) => string {
  const texts = new WeakMap<T, string>();
  return (value) => {
    const text = texts.get(value) ?? textOf(value);
    texts.set(value, text);
    return text;
  };
}

export function digest(text: string): string {
  return sha256(text);
}

/** The record, or undefined if the text isn't a valid journal. */
export function decode(text: string): JournalRecord | undefined {
  const [sum, body, ...rest] = text.split("\n");
  if (sum === undefined || body === undefined || digest(body) !== sum) return undefined;
  try {
    let record = object(JSON.parse(body));
    let after = sum;
    for (const line of rest.slice(0, -1)) {
      const change = line.slice(SUM_LENGTH + 1);
      after = digest(`${after}\n${change}`);
      if (line !== `${after} ${change}`) return undefined;
      record = changed(record, object(JSON.parse(change)));
    }
    return recordOf(record);
  } catch (error) {
    // The digest is valid, so it was written this way: by another version, or by another program.
    if (error instanceof InvalidJournal || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const SUM_LENGTH = 64;

function changed(record: Fields, change: Fields): Fields {
  const next = { ...record, ...change };
  if (change.inFlight === undefined || change.inFlight === null) return next;
  const { follows, ...inFlight } = object(change.inFlight);
  if (!follows) return next;
  const { ops, answered = [] } = object(record.inFlight);
  return { ...next, inFlight: { ...inFlight, answered: [...array(answered), ops] } };
}

class InvalidJournal extends Error {}

type Check<T> = (value: unknown) => T;

function recordOf(value: unknown): JournalRecord {
  const record = object(value);
  if (!FORMATS.includes(record.format)) throw new InvalidJournal("format");
  const has = <K extends keyof JournalRecord>(name: K, check: Check<NonNullable<JournalRecord[K]>>) =>
    record[name] === undefined || record[name] === null ? {} : { [name]: check(record[name]) };
  const known: JournalRecord = {
    ...has("base", knownOf),
    ...has("remote", knownOf),
    ...has("inFlight", inFlightOf),
    ...has("given", number),
    ...has("isShuffled", boolean),
    ...has("changesIds", boolean),
    ...has("names", namesOf),
    ...has("doubts", pairsOf),
    ...has("isFirstPush", boolean),
    ...has("confirmed", (value) => (value === true ? "" : string(value))),
    ...has("enforces", boolean),
    ...has("jumps", number),
    ...has("wanted", string),
    ...has("risks", (list) => array(list).map(riskOf)),
    ...has("lateUntil", number),
  };
  return record.proved === true ? known : withDoubts(known);
}

/** A record from before pairs needed evidence: pairs that may have been learned without it become doubts. */
function withDoubts(record: JournalRecord): JournalRecord {
  const found: Pair[] = [...(record.doubts ?? [])];
  const proved = (known: Known | undefined): Known | undefined => {
    if (!known?.pairs?.length) return known;
    const { kept, doubts } = withoutEvidence(known.pairs);
    for (const each of doubts) found.push(each);
    return { ...known, pairs: kept };
  };
  const [base, remote] = [proved(record.base), proved(record.remote)];
  return {
    ...record,
    ...(base ? { base } : {}),
    ...(remote ? { remote } : {}),
    ...(found.length > 0 ? { doubts: found } : {}),
  };
}

function knownOf(value: unknown): Known {
  const { graph: wire, version, pairs } = object(value);
  const graph = graphFromWire(wire);
  if (!graph) throw new InvalidJournal("graph");
  return { graph, version: number(version), ...(pairs === undefined ? {} : { pairs: pairsOf(pairs) }) };
}

function inFlightOf(value: unknown): InFlight {
  const { ops, baseVersion, answered, unclear } = object(value);
  const before = answered === undefined ? {} : { answered: array(answered).map(opsOf) };
  const rest = unclear === undefined ? {} : { unclear: unclearOf(unclear) };
  return { ops: opsOf(ops), baseVersion: number(baseVersion), ...before, ...rest };
}

function unclearOf(value: unknown): Unclear {
  const { why, isAccepted, until } = object(value);
  return { why: string(why), isAccepted: boolean(isAccepted), until: number(until) };
}

function opsOf(value: unknown): readonly GraphOp[] {
  const list = array(value) as InFlight["ops"];
  // Applying the operations checks their shape; that they refer to missing elements doesn't matter here.
  const { problem } = applyOps(emptyGraph, list);
  if (problem && (problem.kind === "missing" || problem.kind === "wrong-type" || problem.path[0] === "op"))
    throw new InvalidJournal("operation");
  return list;
}

const KINDS: readonly string[] = ["node", "edge", "variable", "top", "order"] satisfies readonly Pair["of"][];

function pairsOf(value: unknown): Pairs {
  return array(value).map((item): Pair => {
    const { of, id, wrote, stores } = object(item);
    if (!KINDS.includes(string(of))) throw new InvalidJournal("pair");
    if (of === "order") for (const side of [wrote, stores]) array(object(side).edges).forEach(string);
    if (of === "top") object(wrote);
    return {
      of: of as Pair["of"],
      id: string(id),
      ...(wrote === undefined ? {} : { wrote: object(wrote) }),
      stores: object(stores),
    };
  });
}

function namesOf(value: unknown): EdgeNames {
  return Object.fromEntries(Object.entries(object(value)).map(([ours, theirs]) => [ours, string(theirs)]));
}

function riskOf(value: unknown): OverwriteRisk {
  const { sent, now, at } = object(value);
  return { sent: number(sent), now: number(now), at: number(at) };
}

function object(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new InvalidJournal("object");
  return value as Fields;
}

function array(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidJournal("list");
  return value;
}

function string(value: unknown): string {
  if (typeof value !== "string") throw new InvalidJournal("text");
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number") throw new InvalidJournal("number");
  return value;
}

function boolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw new InvalidJournal("boolean");
  return value;
}
