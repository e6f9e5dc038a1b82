/** Whether a string contains all letters of a word in order; an empty word matches everything. Both in lowercase. */
export function hasInOrder(text: string, word: string): boolean {
  let matched = 0;
  for (let at = 0; at < text.length && matched < word.length; at++)
    if (text.charCodeAt(at) === word.charCodeAt(matched)) matched++;
  return matched === word.length;
}
