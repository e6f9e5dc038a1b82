/** Adds an item to the list of a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

interface Lookup<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key. If it has none, one is created and stored. */
export function getOrCreate<Key, Value>(lookup: Lookup<Key, Value>, key: Key, create: () => Value): Value {
  const known = lookup.get(key);
  if (known !== undefined) return known;
  const value = create();
  lookup.set(key, value);
  return value;
}

/** Every list with one item of each choice; the first choice varies fastest. */
export function* combinations<Item>(choices: readonly (readonly Item[])[]): Generator<Item[]> {
  const [first, ...rest] = choices;
  if (!first) yield [];
  else for (const others of combinations(rest)) for (const item of first) yield [item, ...others];
}
