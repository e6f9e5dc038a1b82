/** The entries of a file by section, in the order of the file. */

import { spliced } from "../incremental-map";
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

/** An entry that came out the same in another piece may stand elsewhere in it. */
export function sharesEntry(pieces: readonly Piece[], others: readonly Piece[]): boolean {
  const entries = new Set(entriesOf(pieces));
  return entriesOf(others).some((entry) => entries.has(entry));
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
 * The lists with some neighboring entries replaced, by copying and not by sorting anew; undefined where the sections of
 * the entries do not stay the same. `startOf` says where an entry stood before.
 */
export function patched(
  lists: EntryLists,
  before: readonly Entry[],
  after: readonly Entry[],
  startOf: (entry: Entry) => number,
): EntryLists | undefined {
  if (before.length !== after.length || before.some(({ section }, index) => section !== after[index]?.section))
    return undefined;
  const put = <Item extends Entry>(list: readonly Item[], isOne: (entry: Entry) => entry is Item): readonly Item[] => {
    const first = before.find(isOne);
    return first ? spliced(list, numberIn(list, first, startOf), after.filter(isOne)) : list;
  };
  return {
    all: put(lists.all, (entry): entry is Entry => true),
    top: put(lists.top, (entry): entry is Entry => entry.section === "top"),
    nodes: put(lists.nodes, isNode),
    context_variables: put(lists.context_variables, isVariable),
  };
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
