/** Files of the product have at most 400 lines. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeFolders, filesBelow, inProject } from "../../scripts/project";

const MOST_LINES = 400;

test("no file of the product is longer than 400 lines", () => {
  const long = codeFolders
    .flatMap((part) => [...filesBelow(part, ".ts"), ...filesBelow(part, ".css")])
    .map((file) => ({ file, lines: readFileSync(inProject(file), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  assert.deepEqual(long, [], "give the second job of each a file of its own");
});
