/**
 * A list that is spread into arguments overflows the stack at about 100,000 entries, so lists whose length an input
 * decides are added in a loop. Calls that pass on their own arguments, or a list of fixed length, are fine.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesBelow, inProject } from "../../scripts/project";

const FOLDERS = "flow files text system platform sync server client debug webview sandbox cli".split(" ");

/** Functions that take any number of arguments, and so are used with lists. */
const COLLECTORS =
  /\b(push|unshift|splice|concat|append|prepend|before|after|replaceChildren|html|svg|min|max|fromCharCode|fromCodePoint)$/;

/** Lists whose length no input decides, by file and callee. */
const FIXED: readonly string[] = [
  "flow/test/generate/candidates.ts push",
  "system/random.ts fromCharCode",
  "client/agents/index.ts push",
  "webview/graph/layout/columns.ts min",
  "webview/graph/layout/columns.ts max",
  "webview/graph/toolbar.ts before",
  "webview/graph/toolbar.ts append",
];

/** The callees with a spread argument, by line. */
function spreadsIn(text: string): { line: number; callee: string }[] {
  return [...text.matchAll(/\.\.\.(?=[\w([#])/g)].flatMap(({ index }) => {
    let depth = 0;
    let at = index - 1;
    for (; at >= 0; at--) {
      const sign = text[at] as string;
      if (")]}".includes(sign)) depth++;
      else if ("([{".includes(sign) && depth-- === 0) break;
    }
    const callee = text[at] === "(" ? (COLLECTORS.exec(text.slice(0, at))?.[1] ?? "") : "";
    const isParameter = /^\.\.\.\w+\??:/.test(text.slice(index, index + 80));
    return callee === "" || isParameter ? [] : [{ line: text.slice(0, index).split("\n").length, callee }];
  });
}

test("finds spreads in calls of functions that collect", () => {
  assert.deepEqual(spreadsIn("a.push(\n  b(c),\n  ...[d],\n)"), [{ line: 3, callee: "push" }]);
  assert.deepEqual(spreadsIn("Math.max(0, ...(a ?? []))"), [{ line: 1, callee: "max" }]);
  assert.deepEqual(spreadsIn("a.push([...b], { ...c }, d(...e))"), []);
  assert.deepEqual(spreadsIn("export function html(tag: string, ...children: Child[]): void {}"), []);
});

test("no list of any length is spread into arguments", () => {
  const found = FOLDERS.flatMap((folder) =>
    filesBelow(folder, ".ts").flatMap((file) =>
      spreadsIn(readFileSync(inProject(file), "utf8")).map(({ line, callee }) => ({ file, line, callee })),
    ),
  );
  const open = found.filter(({ file, callee }) => !FIXED.includes(`${file} ${callee}`));
  assert.deepEqual(open, []);
  assert.deepEqual(
    FIXED.filter((each) => !found.some(({ file, callee }) => each === `${file} ${callee}`)),
    [],
    "each exception is used",
  );
});
