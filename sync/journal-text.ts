/**
 * A journal as text: a digest on the first line, the record as JSON on the second. A file that was torn, changed or written by
 * something else is known by either: whatever does not have the shape of a record is not one.
 */
import { createHash } from "node:crypto";
import { applyOps, emptyGraph, type Graph, type GraphOp, graphFromWire, graphToWire } from "../flow";
import type { InFlight, JournalRecord, Known, OverwriteRisk } from "./journal";
import type { Pair, Pairs } from "./normal-form";
import type { Identity } from "./world";

const FORMAT = 1;

export function encode({ base, remote, inFlight, ...rest }: JournalRecord, identity: Identity): string {
  const head = JSON.stringify({ format: FORMAT, identity, ...rest });
  const body = `${head.slice(0, -1)}${inFlightText(inFlight)}${knownText("base", base)}${knownText("remote", remote)}}`;
  return `${digest(body)}\n${body}\n`;
}

function knownText(name: string, known: Known | undefined): string {
  if (!known) return "";
  const { version, graph, pairs = [] } = known;
  const learned = pairs.length > 0 ? `"pairs":${JSON.stringify(pairs)},` : "";
  return `,"${name}":{"version":${version},${learned}"graph":${graphText(graph)}}`;
}

function inFlightText(inFlight: InFlight | undefined): string {
  if (!inFlight) return "";
  const { ops, baseVersion, answered = [] } = inFlight;
  const before = answered.length > 0 ? `,"answered":[${answered.map(opsText).join()}]` : "";
  return `,"inFlight":{"ops":${opsText(ops)},"baseVersion":${baseVersion}${before}}`;
}

/** A long chain writes the same graph and batches again and again; neither is ever changed in place. */
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
  return createHash("sha256").update(text).digest("hex");
}

/** The record, or undefined where the text is none. */
export function decode(text: string): JournalRecord | undefined {
  const [sum, body] = text.split("\n");
  if (sum === undefined || body === undefined || digest(body) !== sum) return undefined;
  try {
    return recordOf(JSON.parse(body));
  } catch (error) {
    // Its digest fits, so it was written like this: by another version, or by something that is not sync at all.
    if (error instanceof Odd || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Odd extends Error {}

type Check<T> = (value: unknown) => T;

function recordOf(value: unknown): JournalRecord {
  const record = object(value);
  if (record.format !== FORMAT) throw new Odd("format");
  const has = <K extends keyof JournalRecord>(name: K, check: Check<NonNullable<JournalRecord[K]>>) =>
    record[name] === undefined || record[name] === null ? {} : { [name]: check(record[name]) };
  return {
    ...has("base", knownOf),
    ...has("remote", knownOf),
    ...has("inFlight", inFlightOf),
    ...has("doubts", pairsOf),
    ...has("confirmed", (value) => (value === true ? "" : string(value))),
    ...has("enforces", boolean),
    ...has("wanted", string),
    ...has("risks", (list) => array(list).map(riskOf)),
    ...has("lateUntil", number),
  };
}

function knownOf(value: unknown): Known {
  const { graph: wire, version, pairs } = object(value);
  const graph = graphFromWire(wire);
  if (!graph) throw new Odd("graph");
  return { graph, version: number(version), ...(pairs === undefined ? {} : { pairs: pairsOf(pairs) }) };
}

function inFlightOf(value: unknown): InFlight {
  const { ops, baseVersion, answered } = object(value);
  const before = answered === undefined ? {} : { answered: array(answered).map(opsOf) };
  return { ops: opsOf(ops), baseVersion: number(baseVersion), ...before };
}

function opsOf(value: unknown): readonly GraphOp[] {
  const list = array(value) as InFlight["ops"];
  // What an operation must have is checked by applying it; that nothing is there to apply it to is no matter here.
  const { problem } = applyOps(emptyGraph, list);
  if (problem && (problem.kind === "missing" || problem.kind === "wrong-type" || problem.path[0] === "op"))
    throw new Odd("operation");
  return list;
}

const KINDS: readonly string[] = ["node", "edge", "variable", "top", "order"] satisfies readonly Pair["of"][];

function pairsOf(value: unknown): Pairs {
  return array(value).map((item): Pair => {
    const { of, id, wrote, stores } = object(item);
    if (!KINDS.includes(string(of))) throw new Odd("pair");
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

function riskOf(value: unknown): OverwriteRisk {
  const { sent, now, at } = object(value);
  return { sent: number(sent), now: number(now), at: number(at) };
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Odd("object");
  return value as Readonly<Record<string, unknown>>;
}

function array(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Odd("list");
  return value;
}

function string(value: unknown): string {
  if (typeof value !== "string") throw new Odd("text");
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number") throw new Odd("number");
  return value;
}

function boolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw new Odd("boolean");
  return value;
}
