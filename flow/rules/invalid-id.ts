import { isNode } from "../document";
import { renameNode, renameVariable } from "../edit/operations";
import { isName, isNameLike, MAX_NAME_LENGTH } from "../grammar";
import { laterFix, type Rule } from "./engine/rule";

export const invalidId: Rule = {
  code: "invalid-id",
  severity: "warning",
  title: "Invalid ID",
  checkBlock(block, report) {
    if (block.section === "top" || isName(block.key)) return;
    const what = isNode(block) ? "node ID" : "variable name";
    const long = isNameLike(block.key);
    const message = long
      ? `The ${what} "${block.key.slice(0, 24)}…" is ${block.key.length} characters long; the limit is ${MAX_NAME_LENGTH}. Shorten it.`
      : `Invalid ${what} "${block.key}". Start with a letter, and use only letters, digits, \`_\`, and \`-\`.`;
    report({ message, span: block.keySpan });
  },
  fixes(problem, document) {
    const block = document.blockAt(problem.span.start);
    if (!block || block.section === "top") return [];
    const node = isNode(block);
    const taken = new Set(node ? document.nodes.map((each) => each.id) : document.variables.map((each) => each.name));
    const id = freeId(block.key, node ? "node" : "variable", taken);
    if (id === undefined) return [];
    const rename = node ? renameNode : renameVariable;
    return [{ ...laterFix(`Rename to "${id}"`, () => rename(document, block.key, id)), preferred: true }];
  },
};

function freeId(written: string, what: string, taken: ReadonlySet<string>): string | undefined {
  const letters = written
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (letters === "") return undefined;
  const plain = (/^[A-Za-z]/.test(letters) ? letters : `${what}_${letters}`).slice(0, MAX_NAME_LENGTH - 4);
  if (!taken.has(plain)) return plain;
  for (let number = 2; number < 100; number++) if (!taken.has(`${plain}_${number}`)) return `${plain}_${number}`;
  return undefined;
}
