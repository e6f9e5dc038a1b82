/**
 * Serializes responses. The graph of a large flow takes megabytes and appears up to three times in a response, so a
 * value may provide its own JSON.
 */

type Pieces = () => readonly Buffer[];

const known = new WeakMap<object, Pieces>();

/** Marks a value whose JSON is given by these pieces. */
export function withJson<T extends object>(value: T, pieces: Pieces): T {
  known.set(value, pieces);
  return value;
}

/** The maximum depth of such a value in a response. */
const DEPTH = 2;

/** Returns the same bytes as `JSON.stringify`. */
export function jsonOf(value: unknown): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let text = "";
  const write = (part: unknown, depth: number) => {
    const ready = typeof part === "object" && part !== null ? known.get(part) : undefined;
    if (ready) {
      pieces.push(Buffer.from(text));
      for (const piece of ready()) pieces.push(piece);
      text = "";
    } else if (!isRecord(part) || depth === 0) text += JSON.stringify(part);
    else {
      let before = "{";
      for (const [name, field] of Object.entries(part)) {
        if (field === undefined) continue;
        text += `${before}${JSON.stringify(name)}:`;
        write(field, depth - 1);
        before = ",";
      }
      text += before === "{" ? "{}" : "}";
    }
  };
  write(value, DEPTH);
  pieces.push(Buffer.from(text));
  return pieces;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);
}
