/** Whether all letters of a word stand in a text in this order; an empty word is in everything. Both in lower case. */
export function hasInOrder(text: string, word: string): boolean {
  let matched = 0;
  for (let at = 0; at < text.length && matched < word.length; at++)
    if (text.charCodeAt(at) === word.charCodeAt(matched)) matched++;
  return matched === word.length;
}
