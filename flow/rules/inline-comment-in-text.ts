import { briefly } from "../text";
import { endOf, startOf } from "../values";
import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

/** A sentence doesn't end in one of these words, so the text after `#` belongs to it. */
const OPEN_WORD =
  /(?:^|\s)(?:a|an|and|at|by|case|dial|enter|extension|for|from|hit|in|is|key|no\.|number|of|on|or|order|press|push|room|the|then|ticket|to|type|use|with)$/i;

/** `, please` after a text in `{…}`: keys without a value. */
const FURTHER_KEYS = /^(?:[ \t]*,[ \t]*[^\s,:{}[\]"'#][^,:{}[\]"'#\r\n]*(?=[,}]))+/;

export const inlineCommentInText: Rule = {
  code: "inline-comment-in-text",
  severity: "warning",
  title: "Text cut off by an unquoted `#` or comma",
  checkField: {
    concerns: (field) => (field.kind === "text" || field.kind === "long-text") && !field.values,
    check(block, _field, value, report) {
      if (value?.kind !== "scalar" || value.style !== "plain") return;
      const end = endOf(value);
      const start = startOf(value);
      const further = FURTHER_KEYS.exec(block.text.slice(end))?.[0];
      if (further) {
        const lost = briefly(further.replace(/^[\s,]+/, "").trimEnd());
        const message = `YAML reads "${lost}" as another key, so it isn't part of the text. Quote the whole text.`;
        report({ message, span: { start: end, end: end + further.trimEnd().length }, data: { start: start - end } });
        return;
      }
      const next = block.text[end];
      if (next !== " " && next !== "\t") return;
      const rest = /^[ \t]+(#[^\r\n]*)/.exec(block.text.slice(end));
      const comment = rest?.[1];
      if (!rest || !comment || /^#\s*flow-ignore\b/.test(comment)) return;
      // `#5` and `#billing` aren't meant as comments; `# text` is, unless it splits a sentence.
      const cut = /^#[\p{L}\p{N}]/u.test(comment) || OPEN_WORD.test(block.text.slice(start, end));
      if (!cut) return;
      const lost = comment.length > 30 ? `${comment.slice(0, 30)}…` : comment.trimEnd();
      const at = end + rest[0].indexOf("#");
      report({
        message: `YAML reads "${lost}" as a comment, so it isn't part of the text. Quote the whole text.`,
        span: { start: at, end: end + rest[0].trimEnd().length },
        data: { start: start - at },
      });
    },
  },
  fixes({ span, data }, document) {
    const back = (data as { start: number }).start;
    const whole = { start: span.start + back, end: span.end };
    const text = document.slice(whole).replace(/(?<!\s)\s*[\r\n]+\s*/g, " ");
    return [{ title: "Quote the whole text", edits: [{ ...whole, text: quoted(text) }], preferred: true }];
  },
};
