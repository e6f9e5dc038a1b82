/**
 * Serializes responses. The graph of a large flow takes megabytes, appears up to three times in a response and changes
 * little between responses. So a value may provide its own JSON, and long lists are serialized in runs of elements
 * whose bytes are reused if they are unchanged.
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
      pieces.push(Buffer.from(text), ...ready());
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

interface Run {
  readonly elements: readonly object[];
  /** Serialized with a comma before each element. */
  readonly bytes: Buffer;
}

/** The latest run for each first element. */
const runs = new WeakMap<object, Run>();

/** Serializes a list of immutable elements. */
export function listJson(list: readonly object[]): readonly Buffer[] {
  const pieces: Buffer[] = [OPEN];
  for (let from = 0; from < list.length; ) {
    let to = from + 1;
    while (to < list.length && to - from < MOST && numberOf(list[to] as object) % USUAL !== 0) to++;
    const { bytes } = runOf(list, from, to);
    pieces.push(from === 0 ? bytes.subarray(1) : bytes);
    from = to;
  }
  pieces.push(CLOSE);
  return pieces;
}

const [OPEN, CLOSE] = [Buffer.from("["), Buffer.from("]")];

/** Run boundaries depend on the elements, not on their positions, so insertions and removals don't shift later runs. */
const [USUAL, MOST] = [64, 512];
const numbers = new WeakMap<object, number>();
let last = 0;

function numberOf(element: object): number {
  let number = numbers.get(element);
  if (number === undefined) {
    number = ++last;
    numbers.set(element, number);
  }
  return number;
}

function runOf(list: readonly object[], from: number, to: number): Run {
  const first = list[from] as object;
  let run = runs.get(first);
  if (run?.elements.length !== to - from || run.elements.some((element, index) => element !== list[from + index])) {
    const elements = list.slice(from, to);
    run = { elements, bytes: Buffer.from(elements.map((element) => `,${JSON.stringify(element)}`).join("")) };
    runs.set(first, run);
  }
  return run;
}
