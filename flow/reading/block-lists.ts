/** The blocks of a file by section, in file order. */

import { spliced } from "../incremental-map";
import { firstIndex } from "../text";
import { type Block, isNode, isVariable, type NodeBlock, type VariableBlock } from "./blocks";
import type { Piece } from "./piece";

export interface BlockLists {
  readonly all: readonly Block[];
  readonly top: readonly Block[];
  readonly nodes: readonly NodeBlock[];
  readonly context_variables: readonly VariableBlock[];
}

export function blocksOf(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = [];
  for (let number = 0; number < pieces.length; number++) {
    const own = (pieces[number] as Piece).blocks;
    for (let index = 0; index < own.length; index++) blocks.push(own[index] as Block);
  }
  return blocks;
}

/** A block that's reused in another piece may be at another offset. */
export function sharesBlock(pieces: readonly Piece[], others: readonly Piece[]): boolean {
  const blocks = new Set(blocksOf(pieces));
  return blocksOf(others).some((block) => blocks.has(block));
}

export function listsOf(blocks: readonly Block[]): BlockLists {
  const lists = {
    all: blocks,
    top: [] as Block[],
    nodes: [] as NodeBlock[],
    context_variables: [] as VariableBlock[],
  };
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Block;
    if (isNode(block)) lists.nodes.push(block);
    else if (isVariable(block)) lists.context_variables.push(block);
    else lists.top.push(block);
  }
  return lists;
}

/**
 * The lists with some adjacent blocks replaced, by copying instead of sorting; undefined if the sections of the blocks
 * change. `startOf` is the previous offset of a block.
 */
export function patched(
  lists: BlockLists,
  before: readonly Block[],
  after: readonly Block[],
  startOf: (block: Block) => number,
): BlockLists | undefined {
  if (before.length !== after.length || before.some(({ section }, index) => section !== after[index]?.section))
    return undefined;
  const put = <Item extends Block>(list: readonly Item[], isOne: (block: Block) => block is Item): readonly Item[] => {
    const first = before.find(isOne);
    return first ? spliced(list, numberIn(list, first, startOf), after.filter(isOne)) : list;
  };
  return {
    all: put(lists.all, (block): block is Block => true),
    top: put(lists.top, (block): block is Block => block.section === "top"),
    nodes: put(lists.nodes, isNode),
    context_variables: put(lists.context_variables, isVariable),
  };
}

function numberIn(list: readonly Block[], block: Block, startOf: (block: Block) => number): number {
  const start = startOf(block);
  return firstIndex(list.length - 1, (index) => startOf(list[index] as Block) >= start);
}
