import { quoted } from "./edits";
import type { Rule } from "./rule";
import { knownFields } from "./walk";

/** A sentence does not end in one of these, so what follows the `#` belongs to it. */
const OPEN_WORD =
  /(?:^|\s)(?:a|an|and|at|by|case|dial|enter|extension|for|from|hit|in|is|key|no\.|number|of|on|or|order|press|push|room|the|then|ticket|to|type|use|with)$/i;

export const inlineCommentInText: Rule = {
  code: "inline-comment-in-text",
  severity: "warning",
  title: "An unquoted # cuts a text short",
  checkEntry(entry, report) {
    for (const { field, pair } of knownFields(entry)) {
      const { value } = pair;
      const prose = (field.kind === "text" || field.kind === "long-text") && !field.values;
      if (!prose || value?.kind !== "scalar" || value.style !== "plain") continue;
      const rest = /^[ \t]+(#[^\r\n]*)/.exec(entry.text.slice(value.span.end));
      const comment = rest?.[1];
      if (!rest || !comment || /^#\s*flow-ignore\b/.test(comment)) continue;
      const text = entry.text.slice(value.span.start, value.span.end);
      // `#5` and `#billing` are no comments by any habit; `# words` is one, unless it would cut a sentence in two.
      const cut = /^#[\p{L}\p{N}]/u.test(comment) || OPEN_WORD.test(text);
      if (!cut) continue;
      const lost = comment.length > 30 ? `${comment.slice(0, 30)}…` : comment.trimEnd();
      const end = value.span.end + rest[0].trimEnd().length;
      report({
        message: `"${lost}" is a comment for YAML, so the text ends before it. Put the whole text in quotes.`,
        span: { start: value.span.end + rest[0].indexOf("#"), end },
        data: { start: value.span.start - value.span.end - rest[0].indexOf("#") },
      });
    }
  },
  fixes({ span, data }, document) {
    const back = (data as { start: number }).start;
    const whole = { start: span.start + back, end: span.end };
    const text = document.slice(whole).replace(/\s*[\r\n]+\s*/g, " ");
    return [{ title: "Put the whole text in quotes", edits: [{ ...whole, text: quoted(text) }], preferred: true }];
  },
};
