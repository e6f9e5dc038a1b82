/** Paths into a tool's response, as written in `saves` and in a tool's mapped outputs: `$.plan.name`, `$['plan']`, `plan`. */
import type { ToolOutput } from "./definition";

/** A field name, or undefined for an index: which item of a list is read says nothing about the shape. */
type Segment = string | undefined;

const SEGMENT = /\.?([^.[\]'"\s()?*]+)|\.\*|\[\s*(?:\d+|\*)\s*\]|\[\s*'([^'\\]*)'\s*\]|\[\s*"([^"\\]*)"\s*\]/y;

/** Undefined for a path with a filter, a slice or anything else whose matches can't be known. */
function segmentsOf(path: string): readonly Segment[] | undefined {
  const source = path.trim();
  const segments: Segment[] = [];
  let at = source.startsWith("$") ? 1 : 0;
  while (at < source.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(source);
    if (!match) return undefined;
    const name = match[1] ?? match[2] ?? match[3];
    segments.push(name === undefined || /^\d+$/.test(name) ? undefined : name);
    at = SEGMENT.lastIndex;
  }
  return segments;
}

/** Whether a path can have a value in a tool's response: a mapped path or alias, or a parent or child of one. */
export function isMapped(path: string, outputs: readonly ToolOutput[]): boolean {
  const wanted = segmentsOf(path);
  if (!wanted) return true;
  return mappedIn(outputs).some((mapped) => mapped === undefined || isPrefix(mapped, wanted));
}

/** All paths of a tool, read once. A path whose matches can't be known is undefined. */
function mappedIn(outputs: readonly ToolOutput[]): readonly (readonly Segment[] | undefined)[] {
  const known = read.get(outputs);
  if (known) return known;
  const paths = outputs.flatMap(({ path, alias }) => [
    segmentsOf(path),
    ...(alias === undefined ? [] : [segmentsOf(alias) ?? [alias]]),
  ]);
  read.set(outputs, paths);
  return paths;
}

const read = new WeakMap<readonly ToolOutput[], readonly (readonly Segment[] | undefined)[]>();

/** Whether one of the two paths contains the other. */
function isPrefix(one: readonly Segment[], other: readonly Segment[]): boolean {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return false;
  return true;
}
