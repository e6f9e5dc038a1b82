/**
 * Marker files: YAML with the expected results below the text they belong to (docs/testing.md). A file is a list of
 * cases. The mark lines (`#   ^^^^ label: text`) and cursors (`$0`) of a case are removed to get the text under test, so
 * a mark may be anywhere, even inside a block scalar. `renderMarkers` is the exact inverse of `parseMarkers`, so a test
 * compares whole files and `--update` rewrites them.
 */
import type { Span } from "../../flow";

export interface Mark {
  readonly span: Span;
  /** The kind of result: a rule's code, `hover`, `definition` … */
  readonly label: string;
  /** The result, with line breaks as `\n`. */
  readonly text: string;
}

export interface MarkerCase {
  readonly name: string;
  /** `#! key: value` lines at the top of the case. `eol: crlf`, `bom: yes` and `eof: open` change the text. */
  readonly options: ReadonlyMap<string, string>;
  readonly text: string;
  /** Offsets of `$0`. */
  readonly cursors: readonly number[];
  readonly marks: readonly Mark[];
  /** Named parts after the case (`#--- fixed`), unchanged. */
  readonly parts: ReadonlyMap<string, string>;
}

export interface MarkerFile {
  /** Comment lines before the first case. */
  readonly preamble: string;
  readonly cases: readonly MarkerCase[];
}

export function parseMarkers(source: string): MarkerFile {
  const chunks = source.split(/^#=== ?/m);
  const preamble = chunks.length > 1 ? (chunks.shift() as string) : "";
  return { preamble, cases: chunks.map((chunk) => parseCase(chunk, source.includes("#==="))) };
}

export function renderMarkers(file: MarkerFile): string {
  const named = file.preamble !== "" || file.cases.length > 1 || file.cases[0]?.name !== "";
  return file.preamble + file.cases.map((each) => renderCase(each, named)).join("");
}

const CURSOR = "$0";
const MARK = /^[ \t]*#(?:(\$)|(<)(\^*)|( *)(\^+|\|))(?:~\+(\d+):(\d+))? ([A-Za-z][\w./-]*):(?: (.*))?$/;

function parseCase(chunk: string, named: boolean): MarkerCase {
  const [body = "", ...rest] = chunk.split(/^#--- ?/m);
  const lines = body.split("\n");
  const name = named ? (lines.shift() ?? "") : "";
  const options = new Map<string, string>();
  while (lines[0]?.startsWith("#! ")) {
    const [, key = "", value = ""] = /^#! ([\w-]+):? ?(.*)$/.exec(lines.shift() as string) ?? [];
    options.set(key, value);
  }
  const eol = options.get("eol") === "crlf" ? "\r\n" : "\n";
  const kept: string[] = [];
  const cursors: number[] = [];
  const pending: { match: RegExpExecArray; line: number; indent: number }[] = [];
  const starts: number[] = [];
  const cursorColumns: number[][] = [];
  let offset = options.has("bom") ? 1 : 0;
  for (const line of lines) {
    const match = MARK.exec(line);
    if (match) {
      pending.push({ match, line: Math.max(0, kept.length - 1), indent: line.indexOf("#") });
      continue;
    }
    const columns: number[] = [];
    for (let at = line.indexOf(CURSOR); at >= 0; at = line.indexOf(CURSOR, at + 2)) {
      cursors.push(offset + at - 2 * columns.length);
      columns.push(at);
    }
    cursorColumns.push(columns);
    starts.push(offset);
    const clean = line.replaceAll(CURSOR, "");
    kept.push(clean);
    offset += clean.length + eol.length;
  }
  let text = (options.has("bom") ? "\uFEFF" : "") + kept.join(eol);
  if (options.get("eof") === "open" && text.endsWith(eol)) text = text.slice(0, -eol.length);
  const marks = pending.map(({ match, line, indent }): Mark => {
    const [, atEnd, first, more = "", gap = "", carets = "", down, column, label = "", answer = ""] = match;
    const at = (lineNumber: number, shown: number) => {
      const before = (cursorColumns[lineNumber] ?? []).filter((cursor) => cursor + 2 <= shown).length;
      return (starts[lineNumber] ?? text.length) + shown - 2 * before;
    };
    const shownStart = first ? 0 : indent + 1 + gap.length;
    const shownEnd = first ? indent + 2 + more.length : shownStart + (carets === "|" ? 0 : carets.length);
    const start = atEnd ? text.length : at(line, shownStart);
    const end = atEnd
      ? start
      : down === undefined
        ? Math.max(start, at(line, shownEnd))
        : (starts[line + Number(down)] ?? text.length) + Number(column);
    return { span: { start, end }, label, text: answer.replaceAll("\\n", "\n") };
  });
  const parts = new Map(
    rest.map((part): [string, string] => {
      const cut = part.indexOf("\n");
      return [part.slice(0, cut), part.slice(cut + 1)];
    }),
  );
  return { name, options, text, cursors, marks, parts };
}

function renderCase(each: MarkerCase, named: boolean): string {
  const eol = each.options.get("eol") === "crlf" ? "\r\n" : "\n";
  const out: string[] = named ? [`#=== ${each.name}`] : [];
  for (const [key, value] of each.options) out.push(value === "" ? `#! ${key}` : `#! ${key}: ${value}`);
  const lines = each.text.replace(/^\uFEFF/, "").split(eol);
  const starts: number[] = [];
  let offset = each.options.has("bom") ? 1 : 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + eol.length;
  }
  if (each.text.endsWith(eol) || each.text === "") {
    lines.pop();
    starts.pop();
  }
  const lineOf = (at: number) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    );
  const onLine = new Map<number, Mark[]>();
  const last: Mark[] = [];
  for (const mark of [...each.marks].sort(byPlace)) {
    const atEnd = mark.span.start === mark.span.end && mark.span.start === each.text.length;
    const line = lineOf(mark.span.start);
    if (atEnd || lines.length === 0) last.push(mark);
    else onLine.set(line, [...(onLine.get(line) ?? []), mark]);
  }
  lines.forEach((line, number) => {
    const start = starts[number] as number;
    const cursors = each.cursors.filter((at) => at >= start && at <= start + line.length && lineOf(at) === number);
    let shown = "";
    let from = 0;
    for (const at of cursors) {
      shown += line.slice(from, at - start) + CURSOR;
      from = at - start;
    }
    out.push(shown + line.slice(from));
    for (const mark of onLine.get(number) ?? []) out.push(markLine(mark, start, line.length, cursors, starts, lineOf));
  });
  for (const mark of last) out.push(`#$ ${answerOf(mark)}`);
  const body = out.length > 0 ? `${out.join("\n")}\n` : "";
  return body + [...each.parts].map(([name, text]) => `#--- ${name}\n${text}`).join("");
}

function markLine(
  mark: Mark,
  start: number,
  length: number,
  cursors: readonly number[],
  starts: readonly number[],
  lineOf: (at: number) => number,
): string {
  const { span } = mark;
  const from = span.start - start;
  const shownStart = from + 2 * cursors.filter((at) => at <= span.start).length;
  const further = span.end > start + length;
  const to = further ? from + 1 : span.end - start;
  const shownEnd = Math.max(shownStart, to + 2 * cursors.filter((at) => at < start + to).length);
  const width = shownEnd - shownStart;
  const endLine = further ? lineOf(span.end) : 0;
  const reach = further ? `~+${endLine - lineOf(span.start)}:${span.end - (starts[endLine] as number)}` : "";
  if (shownStart === 0 && width < 2 && !further) return `#<~+0:${width} ${answerOf(mark)}`;
  const carets =
    shownStart === 0
      ? `#<${"^".repeat(Math.max(0, width - 2))}`
      : `#${" ".repeat(shownStart - 1)}${width === 0 ? "|" : "^".repeat(width)}`;
  return `${carets}${reach} ${answerOf(mark)}`;
}

function answerOf(mark: Mark): string {
  return `${mark.label}: ${mark.text.replaceAll("\r\n", "\n").replaceAll("\n", "\\n")}`.trimEnd();
}

function byPlace(a: Mark, b: Mark): number {
  return (
    a.span.start - b.span.start ||
    a.span.end - b.span.end ||
    (a.label < b.label ? -1 : a.label > b.label ? 1 : a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
  );
}
