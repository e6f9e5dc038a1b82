/** The entries of a file by section, in the order of the file. */
import { type Entry, isNode, isVariable, type NodeEntry, type VariableEntry } from "./entries";
import type { Piece } from "./piece";

export interface EntryLists {
  readonly all: readonly Entry[];
  readonly top: readonly Entry[];
  readonly nodes: readonly NodeEntry[];
  readonly context_variables: readonly VariableEntry[];
}

export function entriesOf(pieces: readonly Piece[]): Entry[] {
  const entries: Entry[] = [];
  for (let number = 0; number < pieces.length; number++) {
    const own = (pieces[number] as Piece).entries;
    for (let index = 0; index < own.length; index++) entries.push(own[index] as Entry);
  }
  return entries;
}

export function listsOf(entries: readonly Entry[]): EntryLists {
  const lists = {
    all: entries,
    top: [] as Entry[],
    nodes: [] as NodeEntry[],
    context_variables: [] as VariableEntry[],
  };
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as Entry;
    if (isNode(entry)) lists.nodes.push(entry);
    else if (isVariable(entry)) lists.context_variables.push(entry);
    else lists.top.push(entry);
  }
  return lists;
}

/**
 * The lists with some neighbouring entries replaced, by copying and not by sorting anew; undefined where the sections of
 * the entries do not stay the same. `startOf` says where an entry stood before.
 */
export function patched(
  lists: EntryLists,
  before: readonly Entry[],
  after: readonly Entry[],
  startOf: (entry: Entry) => number,
): EntryLists | undefined {
  if (before.length !== after.length) return undefined;
  const { all, top, nodes, context_variables } = lists;
  const copy = {
    all: all.slice(),
    top: top.slice(),
    nodes: nodes.slice(),
    context_variables: context_variables.slice(),
  };
  let number = before[0] === undefined ? 0 : numberIn(all, before[0], startOf);
  for (let index = 0; index < after.length; index++) {
    const old = before[index] as Entry;
    const next = after[index] as Entry;
    copy.all[number++] = next;
    if (old.section !== next.section) return undefined;
    if (old !== next) (copy[old.section] as Entry[])[numberIn(lists[old.section], old, startOf)] = next;
  }
  return copy;
}

function numberIn(list: readonly Entry[], entry: Entry, startOf: (entry: Entry) => number): number {
  const start = startOf(entry);
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(list[middle] as Entry) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
