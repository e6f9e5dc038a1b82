/**
 * Answers as JSON. The graph of a large flow is megabytes, stands in an answer up to three times and changes little from
 * one answer to the next. So whoever makes a value may say how its JSON is come by, and long lists are written in runs of
 * elements: those that are the same as before are sent as the bytes they were.
 */

type Pieces = () => readonly Buffer[];

const known = new WeakMap<object, Pieces>();

/** The value, whose JSON is these pieces. */
export function withJson<T extends object>(value: T, pieces: Pieces): T {
  known.set(value, pieces);
  return value;
}

/** So deep inside an answer such a value may be. */
const DEPTH = 2;

/** The bytes of `JSON.stringify`. */
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
  /** With a comma before each element. */
  readonly bytes: Buffer;
}

/** The last run that began with an element. */
const runs = new WeakMap<object, Run>();

/** The JSON of a list whose elements never change. */
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

/** Runs begin at elements with certain numbers, wherever these stand: what is added or removed before moves no run. */
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
