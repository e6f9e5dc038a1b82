/**
 * A journal as text: a digest on the first line, and the record as JSON on the second. The digest detects changes by
 * other programs, and anything without the shape of a record is rejected.
 */
import { applyOps, emptyGraph, type Graph, type GraphOp, graphFromWire, graphToWire } from "../../flow";
import { sha256 } from "../../system";
import type { Identity } from "../environment";
import type { Pair, Pairs } from "../normal-form/normal-form";
import type { EdgeNames, InFlight, JournalRecord, Known, OverwriteRisk, Unclear } from "./record";

/** Changes with what is written. A journal in another format is set aside; unreleased versions wrote 1 and 2. */
const FORMAT = 3;

export function encode({ base, remote, ...rest }: JournalRecord, identity: Identity): string {
  const head = JSON.stringify({ format: FORMAT, identity, ...rest });
  const body = `${head.slice(0, -1)}${knownText("base", base)}${knownText("remote", remote)}}`;
  return `${digest(body)}\n${body}\n`;
}

function knownText(name: string, known: Known | undefined): string {
  if (!known) return "";
  const { version, graph, pairs = [] } = known;
  const learned = pairs.length > 0 ? `"pairs":${JSON.stringify(pairs)},` : "";
  return `,"${name}":{"version":${version},${learned}"graph":${graphText(graph)}}`;
}

/** Cached, because a long chain writes the same graph several times. Graphs are immutable. */
export const graphText = textOnce((graph: Graph) => JSON.stringify(graphToWire(graph)));

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
  const [sum, body, end, ...rest] = text.split("\n");
  if (body === undefined || digest(body) !== sum || end !== "" || rest.length > 0) return undefined;
  try {
    return recordOf(JSON.parse(body));
  } catch (error) {
    // The digest is valid, so it was written this way: by another version, or by another program.
    if (error instanceof InvalidJournal || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

class InvalidJournal extends Error {}

type Check<T> = (value: unknown) => T;

function recordOf(value: unknown): JournalRecord {
  const record = object(value);
  if (record.format !== FORMAT) throw new InvalidJournal("format");
  const has = <K extends keyof JournalRecord>(name: K, check: Check<NonNullable<JournalRecord[K]>>) =>
    record[name] === undefined || record[name] === null ? {} : { [name]: check(record[name]) };
  return {
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
}

function knownOf(value: unknown): Known {
  const { graph: wire, version, pairs } = object(value);
  const graph = graphFromWire(wire);
  if (!graph) throw new InvalidJournal("graph");
  return { graph, version: number(version), ...(pairs === undefined ? {} : { pairs: pairsOf(pairs) }) };
}

function inFlightOf(value: unknown): InFlight {
  const { ops, baseVersion, unclear } = object(value);
  const rest = unclear === undefined ? {} : { unclear: unclearOf(unclear) };
  return { ops: opsOf(ops), baseVersion: number(baseVersion), ...rest };
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
