/** Every regular expression of the product on strings made to slow it down: its time grows linearly with the length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  builtIn,
  type Found,
  literalsIn,
  manifestExpressions,
  productBuilt,
  productLiterals,
  pumped,
} from "./regular-expressions";

/** Short strings first, because they are enough to detect an exponential expression. */
const LENGTHS = [
  [8, 24],
  [1_500, 6_000],
] as const;

/** The processor time for the whole text, in milliseconds. */
function cost(pattern: RegExp, text: string): number {
  const before = process.cpuUsage();
  if (pattern.global) text.replace(pattern, "");
  else pattern.test(text);
  return process.cpuUsage(before).user / 1000;
}

/** Twice the time of linear growth, three times in a row, since the garbage collector may run in one of them. */
function isSuperlinear(pattern: RegExp, small: string, large: string): boolean {
  for (let i = 0; i < 3; i++) if (cost(pattern, large) <= 8 * cost(pattern, small) + 2) return false;
  return true;
}

function slowTextOf({ source, flags }: Pick<Found, "source" | "flags">): string | undefined {
  const pattern = new RegExp(source, flags);
  for (const [short, long] of LENGTHS) {
    const small = pumped(source, short);
    for (const large of pumped(source, long)) {
      const { value } = small.next();
      if (isSuperlinear(pattern, value as string, large)) return large;
    }
  }
  return undefined;
}

test("no regular expression of the product takes more than linear time", () => {
  const { built } = productBuilt();
  const found = [...productLiterals(), ...built];
  assert.ok(found.length > 500, `${found.length} were found`);
  assert.ok(built.length > 10, `${built.length} were built`);
  const slow = found.flatMap((each) => {
    const text = slowTextOf(each);
    return text === undefined
      ? []
      : [`${each.file} /${each.source}/${each.flags} on ${JSON.stringify(text.slice(0, 12))}…`];
  });
  assert.deepEqual(slow, []);
});

/** Strings that VS Code matches with our expressions: lines of a task's output, and lines of a file. */
const LINES = [
  ":1:1  error  ",
  "a:1:1  error  b  ",
  "  ",
  "  a",
  " (a)",
  "- a: ",
  ": ",
  ":&a",
  ":|  ",
  "- a:  ",
  "_",
  "#",
];

test("no regular expression that VS Code gets from the extension takes more than linear time", () => {
  const found = manifestExpressions();
  assert.ok(found.length > 10, `${found.length} were found`);
  const slow = found.flatMap(({ source, flags }) => {
    const pattern = new RegExp(source, flags);
    const heads = ["", "a:1:1  error  ", "      a:1:1", "- a: ", "a:"];
    const texts = heads.flatMap((head) => LINES.map((line) => ({ head, line })));
    const bad = texts.find(({ head, line }) => {
      const text = (length: number) => `${head}${line.repeat(Math.ceil(length / line.length))}:\u0001:`;
      return isSuperlinear(pattern, text(4_000), text(16_000));
    });
    return bad ? [`/${source}/ on ${JSON.stringify(bad)}`] : [];
  });
  assert.deepEqual(slow, []);
});

test("no regular expression contains text from files, the platform or users", () => {
  assert.deepEqual(productBuilt().open, []);
});

test("the texts show what is slow", () => {
  for (const source of [
    /\s+$/,
    /(a+)+b/,
    /^(.*?)(?:[ \t]+#.*)?$/,
    /"([^"]+)"|“([^”]+)”/,
    /^\s*#.*$/m,
    /\d[\d_]*_[\d_]*x/,
  ])
    assert.ok(slowTextOf(source), String(source));
});

test("literals are found where code has them", () => {
  const code =
    'const a = /x\\/[/]/g;\n// no /y/ here\nf(/z/, b / c / d, "/no/");\nreturn /u/.test(v) && !/w/u.exec(v);';
  assert.deepEqual(
    literalsIn(code).map(({ source }) => source),
    ["x\\/[/]", "z", "u", "w"],
  );
});

test("expressions are found where code builds them", () => {
  const code = `const NAME = "a+";
const A = new RegExp(\`^\${NAME}$\`, "i");
const B = RegExp(String.raw\`\\s*\${NAME}\`);
function f(name: string, flags: string) {
  new RegExp(name);
  new RegExp(\`^\${escape(name)}\`);
  new globalThis.RegExp("a", flags);
}
const g = (OTHER: string) => new RegExp(OTHER);`;
  const { built, open } = builtIn("a.ts", code);
  assert.deepEqual(
    built.map(({ source, flags }) => [source, flags]),
    [
      ["^a+$", "i"],
      ["\\s*a+", ""],
    ],
  );
  assert.equal(open.length, 4);
});
