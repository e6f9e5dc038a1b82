import { lineEnd, lineStart, quoted } from "./edits";
import type { Rule } from "./rule";

/** The reader reports it (document.ts); here is what can be done about the commonest cause, a text that starts with `{{`. */
export const yamlSyntax: Rule = {
  code: "yaml-syntax",
  severity: "error",
  title: "The text is not readable YAML",
  fixes(problem, document) {
    const start = lineStart(document, problem.span.start);
    const line = document.slice({ start, end: lineEnd(document, start) });
    const match = /^(\s*(?:- )?[\w-]+:\s+)(\{\{[^"\\#]*?)\s*$/.exec(line);
    if (!match) return [];
    const from = start + (match[1] as string).length;
    const text = match[2] as string;
    return [
      {
        title: "Put the text in quotes",
        edits: [{ start: from, end: from + text.length, text: quoted(text) }],
        preferred: true,
      },
    ];
  },
};
