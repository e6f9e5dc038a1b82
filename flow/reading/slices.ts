/**
 * Cuts a flow file into parts that can be parsed separately: before every top-level key, and before every key under
 * `nodes` and `context_variables`. Whether a line starts a slice depends only on that line and the state after the
 * lines above; so an edit re-cuts only from its own slice to the next cut with the same state.
 *
 * For valid text this is equivalent to parsing the whole file: block scalars, multi-line text, and flow collections are
 * always indented more than their key. For invalid text the slices decide: an open quote or bracket breaks its own
 * block, not the rest of the file.
 */

import {
  APOSTROPHE,
  CLOSE_LIST,
  CLOSE_MAP,
  COLON,
  DASH,
  DOT,
  GREATER,
  HASH,
  NEWLINE,
  OPEN_LIST,
  OPEN_MAP,
  PIPE,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
} from "./characters";

export type SliceSection = "top" | "nodes" | "context_variables";

export interface Cut {
  /**
   * - `header`: the text before the first key; always present, possibly empty.
   * - `keys`: one key, or several if a line can't be separated from those above it.
   * - `whole`: a file whose outermost level isn't a block map, parsed as one.
   * - `marker`, `stray`: a line that ends or starts a document, or that can't start a key.
   */
  readonly kind: "header" | "keys" | "whole" | "marker" | "stray";
  readonly section: SliceSection;
  /** The indentation of the keys above, if this one is indented less. */
  readonly misaligned?: number;
  /** It comes after the end of the document. */
  readonly afterEnd?: boolean;
}

/** The state after the lines above, which decides about the next line. */
export interface State {
  readonly area: "header" | "indented" | "whole" | "top" | "section";
  readonly section: SliceSection;
  /** In a section, the indentation of its keys; 0 until the first one. */
  readonly indent: number;
  /** At least two keys of the section have this indentation, so a key with less is the odd one. */
  readonly confirmed: boolean;
  /** In the header: a first `---` has been seen. Below: the document was ended by `...`. */
  readonly marked: boolean;
}

export interface Slice {
  readonly cut: Cut;
  /** The state before the first line. */
  readonly before: State;
  readonly start: number;
  readonly end: number;
  /** The number of line breaks in it. */
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

/**
 * Cuts the text from the start of a slice; without a state, a whole file, which starts with its header. Returns
 * the state after the last line.
 */
export function sliceText(text: string, add: (slice: Slice) => void, stateBefore?: State): State {
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

interface Step {
  readonly cut?: Cut;
  readonly state: State;
}

/** The effect of a line; undefined for a line that belongs to those above it, such as blank lines and comments. */
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
    // The first line below the section's name: a map whose keys become slices, or something else.
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
  if ((code === DASH || code === DOT) && isMarker(text, at)) {
    if (!inHeader) return { cut: markerCut, state: code === DOT ? endedState : topState };
    if (code === DOT) return { cut: markerCut, state: endedState };
    if (!/^---[ \t]*(?:[ \t]#.*)?(?:\r?\n|\r?$)/.test(lineAt(text, at))) return { cut: wholeCut, state: wholeState };
    return state.marked ? { cut: markerCut, state: topState } : { state: dashedState };
  }
  if (code === 0x25) return inHeader && !state.marked ? undefined : { cut: strayCut, state: topState };
  if (inHeader && (code === OPEN_MAP || code === OPEN_LIST || (code === DASH && isGap(text, at + 1))))
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

/** A list, a closing bracket, or an explicit value at the indentation of a key belongs to the key above. */
function continuesKey(text: string, at: number, code: number): boolean {
  if (code === CLOSE_MAP || code === CLOSE_LIST) return true;
  return (code === DASH || code === COLON) && isGap(text, at + 1);
}

/**
 * A field of the block above that isn't indented enough looks like a block: the two are parsed together, so that it can
 * be reported.
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

/** The conflict markers of version control. */
function isConflictLine(text: string, at: number, code: number): boolean {
  if (code !== 0x3c && code !== 0x3d && code !== GREATER && code !== PIPE) return false;
  CONFLICT.lastIndex = at;
  return CONFLICT.test(text);
}

const CONFLICT = /(?:<{7}|={7}|>{7}|\|{7})(?=[ \t\r\n]|$)/y;

/** A bare word is a half-typed key; brackets, lists, block scalars, anchors, tags, and aliases aren't. */
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

/** The section whose name is alone on this line. */
function sectionNamed(text: string, at: number, code: number): "nodes" | "context_variables" | undefined {
  if (code !== 0x6e && code !== 0x63 && code !== QUOTE && code !== APOSTROPHE) return undefined;
  const match = sectionLine.exec(lineAt(text, at));
  return (match?.[1] ?? match?.[2] ?? match?.[3]) as "nodes" | "context_variables" | undefined;
}

/** The section a slice opens, if it contains only the section's name and comments. */
export function opensSection(text: string): "nodes" | "context_variables" | undefined {
  const name = sectionNamed(text, 0, text.charCodeAt(0));
  return name && /^[^\n]*(?:\n[ \t]*(?:#[^\n]*|\r)?)*$/.test(text) ? name : undefined;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.slice(at) : text.slice(at, end + 1);
}
