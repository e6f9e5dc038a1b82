/** Counts the controls that fit into the toolbar, leaving space for the menu button if some don't. */
export function countInBar(widths: readonly number[], room: number, more: number): number {
  const ends = widths.map((_, index) => widths.slice(0, index + 1).reduce((sum, width) => sum + width, 0));
  if ((ends.at(-1) ?? 0) <= room) return widths.length;
  return ends.filter((end) => end + more <= room).length;
}
