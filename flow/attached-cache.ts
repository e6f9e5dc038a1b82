/**
 * A value cached on an object for as long as the object lives, invisible to code that copies or compares it. The object
 * itself holds the value. A WeakMap with many keys keeps values alive until a major garbage collection, which costs a
 * fifth of the time of checking a folder.
 */
export class AttachedCache<Owner extends object, Value> {
  readonly #name = Symbol("kept");

  get(owner: Owner): Value | undefined {
    return (owner as { readonly [name: symbol]: Value | undefined })[this.#name];
  }

  set(owner: Owner, value: Value): void {
    Object.defineProperty(owner, this.#name, { value, configurable: true, enumerable: false });
  }

  has(owner: Owner): boolean {
    return Object.hasOwn(owner, this.#name);
  }
}
