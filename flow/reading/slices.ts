/**
 * Where a flow file may be cut so that its parts can be read apart: before every top-level key, and before every key
 * under `nodes` and `context_variables`. Whether a line starts a new slice depends on that line and on the state the
 * lines above leave, on nothing below; so an edit re-cuts only from its own slice to the next cut with the same state.
 *
 * For text without mistakes this gives what reading the file as a whole gives: the content of block scalars, of text
 * over several lines and of flow collections always stands deeper than the key it belongs to. For text with mistakes
 * the slices are the truth: an open quote or bracket spoils its own entry, not the rest of the file.
 */

export type SliceSection = "top" | "nodes" | "context_variables";

export interface Cut {
  /**
   * - `header`: what stands before the first key; there always is one, possibly empty.
   * - `keys`: one key, or more where a line cannot be told apart from what is above it.
   * - `whole`: a file that is no block map at its outermost level, read as one.
   * - `marker`, `stray`: a line that ends or starts a document, or that cannot start a key at all.
   */
  readonly kind: "header" | "keys" | "whole" | "marker" | "stray";
  readonly section: SliceSection;
  /** Not as deep as the keys above it: how deep those are. */
  readonly misaligned?: number;
  /** Stands after the end of the document. */
  readonly afterEnd?: boolean;
}

/** What the lines above decide about the next line. */
export interface State {
  readonly area: "header" | "indented" | "whole" | "top" | "section";
  readonly section: SliceSection;
  /** In a section, how deep its keys stand; 0 until the first one. */
  readonly indent: number;
  /** At least two keys of the section stand that deep, so that a key less deep is the odd one. */
  readonly confirmed: boolean;
  /** In the header: a first `---` has been seen. Below: the document has been ended by `...`. */
  readonly marked: boolean;
}

export interface Slice {
  readonly cut: Cut;
  /** The state before the first line. */
  readonly before: State;
  readonly start: number;
  readonly end: number;
  /** Line breaks in it. */
  readonly breaks: number;
}

const firstState: State = { area: "header", section: "top", indent: 0, confirmed: false, marked: false };
const headerCut: Cut = { kind: "header", section: "top" };

const topState: State = { ...firstState, area: "top" };
const endedState: State = { ...topState, marked: true };
const wholeState: State = { ...firstState, area: "whole" };
const indentedState: State = { ...firstState, area: "indented" };
const dashedState: State = { ...firstState, marked: true };
const sectionStates: Record<"nodes" | "context_variables", State> = {
  nodes: { ...topState, area: "section", section: "nodes" },
  context_variables: { ...topState, area: "section", section: "context_variables" },
};

const cuts: Record<SliceSection, Cut> = {
  top: { kind: "keys", section: "top" },
  nodes: { kind: "keys", section: "nodes" },
  context_variables: { kind: "keys", section: "context_variables" },
};
const wholeCut: Cut = { kind: "whole", section: "top" };
const markerCut: Cut = { kind: "marker", section: "top" };
const strayCut: Cut = { kind: "stray", section: "top" };

export function sameState(a: State, b: State): boolean {
  return (
    a === b ||
    (a.area === b.area &&
      a.section === b.section &&
      a.indent === b.indent &&
      a.confirmed === b.confirmed &&
      a.marked === b.marked)
  );
}

export function sameCut(a: Cut, b: Cut): boolean {
  return (
    a === b ||
    (a.kind === b.kind && a.section === b.section && a.misaligned === b.misaligned && a.afterEnd === b.afterEnd)
  );
}

/** What is known to stand at a place: how long it is, how many line breaks it has, and the state after it. */
export interface Known {
  readonly length: number;
  readonly breaks: number;
  readonly after: State;
}

/**
 * Cuts a text that starts where a slice starts: a whole file where no state is given, which starts with its header.
 * Returns the state after the last line. `known` may say what stands where a slice starts, so that its lines aren't looked at.
 */
export function sliceText(
  text: string,
  add: (slice: Slice) => void,
  stateBefore?: State,
  known?: (start: number, cut: Cut, before: State) => Known | undefined,
): State {
  const before = stateBefore ?? firstState;
  let state = before;
  let start = 0;
  let cut = headerCut;
  let line = 0;
  let opened = before;
  const inHeader = stateBefore === undefined;
  if (inHeader && text.charCodeAt(0) === BOM) line = 1;
  let first = !inHeader;
  let breaks = 0;
  const end = (at: number) =>
    add({ cut, before: opened, start, end: at, breaks: hasReturns ? breaksIn(text.slice(start, at)) : breaks });
  const hasReturns = text.includes("\r");
  while (line < text.length) {
    const step = stepOver(state, text, line);
    if (step?.cut) {
      if (!first) end(line);
      start = line;
      breaks = 0;
      cut = step.cut;
      opened = state;
      const same = known?.(start, cut, state);
      if (same) {
        first = false;
        state = same.after;
        breaks = same.breaks;
        line += same.length;
        continue;
      }
    }
    first = false;
    if (step) state = step.state;
    const lineEnd = text.indexOf("\n", line);
    if (lineEnd >= 0) breaks++;
    line = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  if (!first || inHeader) end(text.length);
  return state;
}

/** Lines end at `\n`, `\r\n` and a lone `\r`. */
function breaksIn(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

const BOM = 0xfeff;
const NEWLINE = 10;
const RETURN = 13;
const TAB = 9;
const SPACE = 32;
const HASH = 35;
const PIPE = 0x7c;

interface Step {
  readonly cut?: Cut;
  readonly state: State;
}

/** What a line does; undefined for a line that belongs to what is above it. Blank lines and comments never start anything: they belong to what is above them. */
function stepOver(state: State, text: string, line: number): Step | undefined {
  if (state.area === "whole") return undefined;
  let at = line;
  let code = text.charCodeAt(at);
  while (code === SPACE) code = text.charCodeAt(++at);
  if (state.area === "header") while (code === SPACE || code === TAB) code = text.charCodeAt(++at);
  if (code === NEWLINE || code === RETURN || code === TAB || code === HASH || Number.isNaN(code)) return undefined;
  const column = at - line;
  if (column === 0) return stepOverTopLine(state, text, at, code);
  if (state.area === "header") return { cut: wholeCut, state: indentedState };
  if (state.area !== "section") return undefined;
  if (state.indent === 0) {
    // The first line below the section's name: a map whose keys are slices of their own, or something else.
    if (startsOtherThanKey(text, at, code)) return { state: topState };
    return { cut: cuts[state.section], state: { ...state, indent: column } };
  }
  if (column > state.indent || continuesKey(text, at, code) || isField(state.section, text, at)) return undefined;
  if (column === state.indent)
    return { cut: cuts[state.section], state: state.confirmed ? state : { ...state, confirmed: true } };
  return {
    cut: { ...cuts[state.section], misaligned: state.indent },
    state: state.confirmed ? state : { ...state, indent: column },
  };
}

function stepOverTopLine(state: State, text: string, at: number, code: number): Step | undefined {
  if (isConflictLine(text, at, code)) return undefined;
  const inHeader = state.area === "header";
  if ((code === 0x2d || code === 0x2e) && isMarker(text, at)) {
    if (!inHeader) return { cut: markerCut, state: code === 0x2e ? endedState : topState };
    if (code === 0x2e) return { cut: markerCut, state: endedState };
    if (!/^---[ \t]*(?:[ \t]#.*)?(?:\r?\n|\r?$)/.test(lineAt(text, at))) return { cut: wholeCut, state: wholeState };
    return state.marked ? { cut: markerCut, state: topState } : { state: dashedState };
  }
  if (code === 0x25) return inHeader && !state.marked ? undefined : { cut: strayCut, state: topState };
  if (inHeader && (code === 0x7b || code === 0x5b || (code === 0x2d && isGap(text, at + 1))))
    return { cut: wholeCut, state: wholeState };
  if (!inHeader && continuesKey(text, at, code)) return undefined;
  const section = sectionNamed(text, at, code);
  const cut =
    state.area === "indented"
      ? { ...cuts.top, misaligned: -1 }
      : !inHeader && state.marked
        ? { ...cuts.top, afterEnd: true }
        : cuts.top;
  return { cut, state: section ? sectionStates[section] : topState };
}

/** A list, the end of a bracket or an explicit value at the depth of a key belongs to the key above. */
function continuesKey(text: string, at: number, code: number): boolean {
  if (code === 0x7d || code === 0x5d) return true;
  return (code === 0x2d || code === 0x3a) && isGap(text, at + 1);
}

/**
 * A field of the entry above that is not as deep as it should be reads like an entry of its own: the two are read together,
 * so that it can be told.
 */
function isField(section: SliceSection, text: string, at: number): boolean {
  if (section === "top") return false;
  const fields = section === "nodes" ? NODE_FIELD : VARIABLE_FIELD;
  fields.lastIndex = at;
  return fields.test(text);
}

const NODE_FIELD =
  /(?:type|edges|instructions|name|description|variable|tool|component|inputs|saves|destination|mode)[ \t]*:(?=[ \t\r\n]|$)/y;
const VARIABLE_FIELD = /(?:type|source|enum_values|reask_cap|description)[ \t]*:(?=[ \t\r\n]|$)/y;

/** The lines that version control writes around the two sides of a conflict. */
function isConflictLine(text: string, at: number, code: number): boolean {
  if (code !== 0x3c && code !== 0x3d && code !== 0x3e && code !== PIPE) return false;
  CONFLICT.lastIndex = at;
  return CONFLICT.test(text);
}

const CONFLICT = /(?:<{7}|={7}|>{7}|\|{7})(?=[ \t\r\n]|$)/y;

/** A bare word is a key half typed; brackets, lists, block scalars, anchors, tags and aliases are something else. */
function startsOtherThanKey(text: string, at: number, code: number): boolean {
  return continuesKey(text, at, code) || "{[|>&!*".includes(String.fromCharCode(code));
}

function isMarker(text: string, at: number): boolean {
  return (text.startsWith("---", at) || text.startsWith("...", at)) && isGap(text, at + 3);
}

function isGap(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === SPACE || code === NEWLINE || code === TAB || code === RETURN || Number.isNaN(code);
}

const sectionLine =
  /^(?:(nodes|context_variables)|"(nodes|context_variables)"|'(nodes|context_variables)')[ \t]*:[ \t]*(?:[ \t]#.*)?(?:\r?\n|\r?$)/;

/** The section whose name alone stands on this line. */
function sectionNamed(text: string, at: number, code: number): "nodes" | "context_variables" | undefined {
  if (code !== 0x6e && code !== 0x63 && code !== 0x22 && code !== 0x27) return undefined;
  const match = sectionLine.exec(lineAt(text, at));
  return (match?.[1] ?? match?.[2] ?? match?.[3]) as "nodes" | "context_variables" | undefined;
}

/** The section a slice opens, if it holds the section's name and nothing but comments. */
export function opensSection(text: string): "nodes" | "context_variables" | undefined {
  const name = sectionNamed(text, 0, text.charCodeAt(0));
  return name && /^[^\n]*(?:\n[ \t]*(?:#[^\n]*|\r)?)*$/.test(text) ? name : undefined;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.slice(at) : text.slice(at, end + 1);
}
