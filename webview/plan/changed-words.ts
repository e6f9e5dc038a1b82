/** Splits a value into the words that another one has too, in the same order, and those that it doesn't have. */
export function changedWords(
  value: string,
  other: string,
): readonly { readonly text: string; readonly isChanged: boolean }[] {
  const [words, others] = [split(value), split(other)];
  // The length of the longest common subsequence of what follows each pair of words.
  const common = Array.from({ length: words.length + 1 }, () => new Array<number>(others.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = words.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--)
      (common[i] as number[])[j] = words[i] === others[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const parts: { text: string; isChanged: boolean }[] = [];
  let j = 0;
  words.forEach((text, i) => {
    while (j < others.length && others[j] !== text && at(i, j + 1) === at(i, j)) j++;
    const isChanged = !(others[j] === text && at(i, j) === at(i + 1, j + 1) + 1);
    if (!isChanged) j++;
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else parts.push({ text, isChanged });
  });
  return parts;
}

/** Words, the space between them, and each other character by itself. Values are cut at 300 characters before. */
function split(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
