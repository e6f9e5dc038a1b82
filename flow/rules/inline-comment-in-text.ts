import { endOf, startOf } from "../values";
import { quoted } from "./engine/edits";
import type { Rule } from "./engine/rule";

/** A sentence does not end in one of these, so what follows the `#` belongs to it. */
const OPEN_WORD =
  /(?:^|\s)(?:a|an|and|at|by|case|dial|enter|extension|for|from|hit|in|is|key|no\.|number|of|on|or|order|press|push|room|the|then|ticket|to|type|use|with)$/i;

export const inlineCommentInText: Rule = {
  code: "inline-comment-in-text",
  severity: "warning",
  title: "An unquoted # cuts a text short",
  checkField: {
    concerns: (field) => (field.kind === "text" || field.kind === "long-text") && !field.values,
    check(block, _field, value, report) {
      if (value?.kind !== "scalar" || value.style !== "plain") return;
      const end = endOf(value);
      const next = block.text[end];
      if (next !== " " && next !== "\t") return;
      const rest = /^[ \t]+(#[^\r\n]*)/.exec(block.text.slice(end));
      const comment = rest?.[1];
      if (!rest || !comment || /^#\s*flow-ignore\b/.test(comment)) return;
      const start = startOf(value);
      // `#5` and `#billing` are no comments by any habit; `# words` is one, unless it would cut a sentence in two.
      const cut = /^#[\p{L}\p{N}]/u.test(comment) || OPEN_WORD.test(block.text.slice(start, end));
      if (!cut) return;
      const lost = comment.length > 30 ? `${comment.slice(0, 30)}…` : comment.trimEnd();
      const at = end + rest[0].indexOf("#");
      report({
        message: `"${lost}" is a comment for YAML, so the text ends before it. Put the whole text in quotes.`,
        span: { start: at, end: end + rest[0].trimEnd().length },
        data: { start: start - at },
      });
    },
  },
  fixes({ span, data }, document) {
    const back = (data as { start: number }).start;
    const whole = { start: span.start + back, end: span.end };
    const text = document.slice(whole).replace(/\s*[\r\n]+\s*/g, " ");
    return [{ title: "Put the whole text in quotes", edits: [{ ...whole, text: quoted(text) }], preferred: true }];
  },
};
