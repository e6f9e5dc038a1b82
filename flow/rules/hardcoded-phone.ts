import { unused } from "../refactor/refactoring";
import { declareVariable, inOrder, putTemplate } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { eachScalar } from "./engine/walk";

/** International numbers with a plus, and North American formats. Dates, prices, IDs, and version numbers don't match. */
const PHONE =
  /(?<![\w.+@/-])(?:\+\d(?:[ .()-]{0,2}\d){7,14}|(?:1[ .-])?\(\d{3}\)[ .-]?\d{3}[ .-]\d{4}|(?:1[ .-])?\d{3}([ .-])\d{3}\1\d{4})(?![\w@/-])/g;

/** Fields that may contain phone numbers. */
const ALLOWED = new Set(["destination", "description", "assistant", "revision", "tool", "component", "id"]);

export const hardcodedPhone: Rule = {
  code: "hardcoded-phone",
  severity: "info",
  title: "Hard-coded phone number",
  checkBlock(block, report) {
    if (!/\+\d|\d{3}\)?[ .-]?\d{3}[ .-]\d{4}/.test(block.text)) return;
    eachScalar(block, (scalar, path) => {
      if (path.some((key) => ALLOWED.has(key))) return;
      const source = block.text.slice(scalar.span.start, scalar.span.end);
      for (const match of source.matchAll(PHONE)) {
        const start = scalar.span.start + match.index;
        report({
          message: `Hard-coded phone number ${match[0]}. Move it to the \`destination\` of a transfer node or to a context variable.`,
          span: { start, end: start + match[0].length },
        });
      }
    });
  },
  fixes({ span }, document) {
    const block = document.blockAt(span.start);
    const name = unused("phone_number", (other) => document.variable(other) !== undefined);
    const edit = block && putTemplate(document, block, span, name);
    if (!edit) return [];
    // The variable's description keeps the number, because callers never hear it.
    const declared = declareVariable(document, name, document.slice(span));
    return [{ title: `Move to context variable "${name}"`, edits: inOrder([edit, declared]) }];
  },
};
