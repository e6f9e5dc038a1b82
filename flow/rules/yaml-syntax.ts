import type { FlowDocument } from "../document";
import type { Span, TextEdit } from "../text";
import type { Fix, Rule } from "./engine/rule";

/** Reported by the reader (document.ts), with a fix if the cause is known. */
export const yamlSyntax: Rule = {
  code: "yaml-syntax",
  severity: "error",
  title: "YAML syntax error",
  fixes({ data, span }, document) {
    const fix = data as { readonly title: string; readonly edits: readonly TextEdit[] } | undefined;
    return fix ? [{ ...fix, preferred: true }] : sidesOf(document, span);
  },
};

/** Fixes for a merge conflict: keep one of its sides. */
function sidesOf(document: FlowDocument, { start }: Span): Fix[] {
  const text = document.slice({ start, end: document.length });
  const match =
    /^<{7}([^\r\n]*)\r?\n([\s\S]*?)(?:^\|{7}[^\r\n]*\r?\n[\s\S]*?)?^={7}[^\r\n]*\r?\n([\s\S]*?)^>{7}([^\r\n]*)(?:\r?\n|$)/m.exec(
      text,
    );
  if (match?.index !== 0) return [];
  const [whole, ours = "", mine = "", other = "", theirs = ""] = match;
  const keep = (which: string, name: string, side: string): Fix => ({
    title: `Keep the ${which} version${name.trim() ? ` (${name.trim()})` : ""}`,
    edits: [{ start, end: start + whole.length, text: side }],
  });
  return [keep("first", ours, mine), keep("second", theirs, other)];
}
