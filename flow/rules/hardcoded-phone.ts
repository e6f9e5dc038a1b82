import { unused } from "../refactor/refactoring";
import { declareVariable, inOrder, putTemplate } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { eachScalar } from "./engine/walk";

/** International with a plus, or the North American ways of writing. Dates, prices, ids and version numbers do not fit. */
const PHONE =
  /(?<![\w.+@/-])(?:\+\d(?:[ .()-]{0,2}\d){7,14}|(?:1[ .-])?\(\d{3}\)[ .-]?\d{3}[ .-]\d{4}|(?:1[ .-])?\d{3}([ .-])\d{3}\1\d{4})(?![\w@/-])/g;

/** Where a number belongs, and where it is a note for people. */
const ALLOWED = new Set(["destination", "description", "assistant", "revision", "tool", "component", "id"]);

export const hardcodedPhone: Rule = {
  code: "hardcoded-phone",
  severity: "info",
  title: "A phone number stands in a text",
  checkBlock(block, report) {
    if (!/\+\d|\d{3}\)?[ .-]?\d{3}[ .-]\d{4}/.test(block.text)) return;
    eachScalar(block, (scalar, path) => {
      if (path.some((key) => ALLOWED.has(key))) return;
      const source = block.text.slice(scalar.span.start, scalar.span.end);
      for (const match of source.matchAll(PHONE)) {
        const start = scalar.span.start + match.index;
        report({
          message: `The phone number ${match[0]} stands in a text. Put it into a transfer node's "destination" or into a context variable, where it can be changed in one place.`,
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
    // The number stays to be read in the variable's description, where no caller hears it.
    const declared = declareVariable(document, name, document.slice(span));
    return [{ title: `Put it into a context variable "${name}"`, edits: inOrder([edit, declared]) }];
  },
};
