/**
 * A journal as text: a digest on the first line, and the record as JSON on the second. The digest detects changes by
 * other programs, and anything without the shape of a record is rejected.
 */
import * as z from "zod/mini";
import { applyOps, emptyGraph, type Graph, graphFromWire, graphToWire, isRecord, parsedJson } from "../../flow";
import { sha256 } from "../../system";
import type { Identity } from "../environment";
import type { EdgeNames, InFlight, JournalRecord, Known } from "./record";

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
  // The digest is valid, so anything else was written this way by another version, or by another program.
  const value = parsedJson(body);
  return isRecord(value) && value.format === FORMAT ? z.safeParse(journalRecord, value).data : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Applying operations checks their shape; that they refer to missing elements doesn't matter here. */
function isOps(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const { problem } = applyOps(emptyGraph, value as InFlight["ops"]);
  return !problem || !(problem.kind === "missing" || problem.kind === "wrong-type" || problem.path[0] === "op");
}

const [text, number, flag] = [z.string(), z.number(), z.boolean()];
// Checked without a copy: zod's records leave out a field called `__proto__`.
const fields = z.custom<Fields>(isRecord);
const names = z.custom<EdgeNames>(
  (value) => isRecord(value) && z.safeParse(z.array(text), Object.values(value)).success,
);
const order = z.looseObject({ edges: z.array(text) });
const pair = z.union([
  z.object({ of: z.literal("order"), id: text, wrote: order, stores: order }),
  z.object({ of: z.literal("top"), id: text, wrote: fields, stores: fields }),
  z.object({ of: z.enum(["node", "edge", "variable"]), id: text, wrote: z.optional(fields), stores: fields }),
]);
const graph = z.pipe(
  z.unknown(),
  z.transform((wire, context): Graph => {
    const read = graphFromWire(wire);
    if (!read) context.issues.push({ code: "custom", message: "", input: wire });
    return read ?? emptyGraph;
  }),
);
const known = z.object({ graph, version: number, pairs: z.optional(z.array(pair)) });
const unclear = z.object({ why: text, isAccepted: flag, until: number });

const journalRecord: z.ZodMiniType<JournalRecord> = z.partial(
  z.object({
    base: known,
    remote: known,
    inFlight: z.object({
      ops: z.custom<InFlight["ops"]>(isOps),
      baseVersion: number,
      unclear: z.optional(unclear),
    }),
    given: number,
    isShuffled: flag,
    changesIds: flag,
    names,
    doubts: z.array(pair),
    isFirstPush: flag,
    confirmed: text,
    enforces: flag,
    jumps: number,
    wanted: text,
    risks: z.array(z.object({ sent: number, now: number, at: number })),
    lateUntil: number,
  }),
);
