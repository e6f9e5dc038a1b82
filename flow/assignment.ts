/**
 * The Hungarian method: assigns each row a column so that the total worth is maximal. Takes cubic time, so callers must
 * limit the size.
 */

/** The column of each row in the best assignment. `worth` is square. */
export function bestAssignment(worth: readonly (readonly number[])[]): number[] {
  const size = worth.length;
  // Rows and columns are 1-based, and column 0 holds the row being assigned.
  const rowPrice = new Array<number>(size + 1).fill(0);
  const columnPrice = new Array<number>(size + 1).fill(0);
  const rowOf = new Array<number>(size + 1).fill(0);
  const cameFrom = new Array<number>(size + 1).fill(0);
  for (let row = 1; row <= size; row++) {
    const least = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY);
    const isDone = new Array<boolean>(size + 1).fill(false);
    rowOf[0] = row;
    let column = 0;
    do {
      isDone[column] = true;
      const at = rowOf[column] as number;
      let step = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= size; other++) {
        if (isDone[other]) continue;
        const cost =
          -(worth[at - 1]?.[other - 1] as number) - (rowPrice[at] as number) - (columnPrice[other] as number);
        if (cost < (least[other] as number)) {
          least[other] = cost;
          cameFrom[other] = column;
        }
        if ((least[other] as number) < step) {
          step = least[other] as number;
          next = other;
        }
      }
      for (let other = 0; other <= size; other++) {
        if (isDone[other]) {
          rowPrice[rowOf[other] as number] = (rowPrice[rowOf[other] as number] as number) + step;
          columnPrice[other] = (columnPrice[other] as number) - step;
        } else least[other] = (least[other] as number) - step;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const before = cameFrom[column] as number;
      rowOf[column] = rowOf[before] as number;
      column = before;
    }
  }
  const columns = new Array<number>(size).fill(0);
  for (let column = 1; column <= size; column++) columns[(rowOf[column] as number) - 1] = column - 1;
  return columns;
}

/**
 * By row: whether an equally good assignment gives it another column. Rows that exchange columns around a cycle change
 * the total by the cycle's gain, which is never positive in the best assignment; a row on a cycle with zero gain could
 * have another column.
 */
export function isReplaceable(worth: readonly (readonly number[])[], columns: readonly number[]): boolean[] {
  const size = worth.length;
  const of = (row: number, column: number) => worth[row]?.[column] as number;
  const gain = columns.map((own, row) =>
    columns.map((column, other) => (other === row ? Number.NEGATIVE_INFINITY : of(row, column) - of(row, own))),
  );
  for (let via = 0; via < size; via++)
    for (let from = 0; from < size; from++) {
      const first = gain[from]?.[via] as number;
      const row = gain[from] as number[];
      for (let to = 0; to < size; to++) {
        const both = first + (gain[via]?.[to] as number);
        if (both > (row[to] as number)) row[to] = both;
      }
    }
  return columns.map((_, row) => (gain[row]?.[row] as number) >= 0);
}
