/** Breakpoints as a client set them, bound to nodes and edges of the texts as they are now. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { FlowDocument } from "../flow";
import { Breakpoint, type ElementPlace, elementOnLine, placeOf } from "../flow/debug";
import type { Program } from "../flow/run";

export interface BoundBreakpoint {
  readonly id: number;
  readonly wish: DebugProtocol.SourceBreakpoint;
  readonly breakpoint: Breakpoint | undefined;
  readonly program: Program | undefined;
  /** From 0. */
  readonly line: number;
  readonly column: number | undefined;
  readonly endLine: number | undefined;
  readonly message: string | undefined;
}

export class Breakpoints {
  readonly #byFile = new Map<string, readonly BoundBreakpoint[]>();
  #lastId = 0;

  /** All breakpoints of a file. Lines and columns count from 0. */
  set(
    file: string,
    program: Program | undefined,
    wishes: readonly {
      readonly line: number;
      readonly column?: number;
      readonly wish: DebugProtocol.SourceBreakpoint;
    }[],
  ): readonly BoundBreakpoint[] {
    const bound = wishes.map(({ line, column, wish }) => {
      const id = ++this.#lastId;
      const element = program && elementOnLine(program.document, line, column);
      return program && element
        ? bind(id, wish, program, element, line)
        : notBound(id, wish, line, program ? "Breakpoints go on nodes and edges." : "This file isn't a flow.");
    });
    this.#byFile.set(file, bound);
    return bound;
  }

  /** After an edit: where the breakpoints of the file are now. Those that changed are given back. */
  moved(file: string, program: Program | undefined): BoundBreakpoint[] {
    const before = this.#byFile.get(file);
    if (!before) return [];
    const after = before.map((each) => {
      const { breakpoint, program: old, wish, id, line } = each;
      if (!program) return notBound(id, wish, line, "This file isn't a flow.");
      const element = breakpoint && placeOf(program.document, breakpoint.element);
      if (!element || !old || !breakpoint) {
        const found = elementOnLine(program.document, Math.min(line, program.document.lineCount - 1));
        return found
          ? bind(id, wish, program, found, line)
          : notBound(id, wish, line, "Breakpoints go on nodes and edges.");
      }
      return bind(id, wish, program, element, lineAfter(each, old.document, program.document, element));
    });
    this.#byFile.set(file, after);
    return after.filter((each, index) => {
      const old = before[index] as BoundBreakpoint;
      return old.line !== each.line || (old.breakpoint === undefined) !== (each.breakpoint === undefined);
    });
  }

  get files(): readonly string[] {
    return [...this.#byFile.keys()];
  }

  get all(): readonly BoundBreakpoint[] {
    return [...this.#byFile.values()].flat();
  }
}

/** A breakpoint keeps its line inside the element, as far as the element still has it. */
function lineAfter(
  { line, breakpoint }: BoundBreakpoint,
  old: FlowDocument,
  now: FlowDocument,
  place: ElementPlace,
): number {
  const before = breakpoint && placeOf(old, breakpoint.element);
  const start = now.positionAt(place.span.start).line;
  const end = now.positionAt(place.span.end).line;
  const offset = before ? line - old.positionAt(before.span.start).line : 0;
  return Math.min(start + Math.max(0, offset), end);
}

function bind(
  id: number,
  wish: DebugProtocol.SourceBreakpoint,
  program: Program,
  element: ElementPlace,
  line: number,
): BoundBreakpoint {
  const { document } = program;
  const breakpoint = new Breakpoint({ node: element.node, edge: element.edge }, program, wish);
  const start = document.positionAt(element.span.start);
  const end = document.positionAt(element.span.end);
  // A line between nodes moves to the node it speaks of; one of the element itself stays.
  const isInside = start.line <= line && line <= end.line;
  return {
    id,
    wish,
    breakpoint: breakpoint.problem === undefined ? breakpoint : undefined,
    program,
    line: isInside ? line : start.line,
    column: wish.column === undefined ? undefined : start.character,
    endLine: end.line,
    message: breakpoint.problem,
  };
}

function notBound(id: number, wish: DebugProtocol.SourceBreakpoint, line: number, message: string): BoundBreakpoint {
  return { id, wish, breakpoint: undefined, program: undefined, line, column: undefined, endLine: undefined, message };
}
