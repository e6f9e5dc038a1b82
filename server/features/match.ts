/** Whether all letters of a word stand in a text in this order; an empty word is in everything. Both in lower case. */
export function hasInOrder(text: string, word: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
