/** Binds the breakpoints a client set to nodes and edges of the current flows. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { FlowDocument } from "../flow";
import { Breakpoint, type ElementPlace, elementOnLine, placeOf } from "../flow/debug";
import type { Program } from "../flow/run";

export interface BoundBreakpoint {
  readonly id: number;
  readonly request: DebugProtocol.SourceBreakpoint;
  readonly breakpoint?: Breakpoint | undefined;
  readonly program?: Program;
  /** 0-based. */
  readonly line: number;
  readonly column?: number | undefined;
  readonly message?: string | undefined;
}

const NO_ELEMENT = "Set breakpoints on nodes or edges.";
const NO_FLOW = "This file isn't a flow.";

export class Breakpoints {
  readonly #byFile = new Map<string, readonly BoundBreakpoint[]>();
  #lastId = 0;

  /** Replaces all breakpoints of a file. Lines and columns are 0-based. */
  set(
    file: string,
    program: Program | undefined,
    requested: readonly {
      readonly line: number;
      readonly column?: number;
      readonly request: DebugProtocol.SourceBreakpoint;
    }[],
  ): readonly BoundBreakpoint[] {
    const bound = requested.map(({ line, column, request }): BoundBreakpoint => {
      const id = ++this.#lastId;
      const element = program && elementOnLine(program.document, line, column);
      return program && element
        ? bind(id, request, program, element, line)
        : { id, request, line, message: program ? NO_ELEMENT : NO_FLOW };
    });
    this.#byFile.set(file, bound);
    return bound;
  }

  /** Moves the breakpoints of a file after an edit, and returns those that changed. */
  moved(file: string, program: Program | undefined): BoundBreakpoint[] {
    const before = this.#byFile.get(file);
    if (!before) return [];
    const after = before.map((each): BoundBreakpoint => {
      const { breakpoint, program: old, request, id, line } = each;
      if (!program) return { id, request, line, message: NO_FLOW };
      const element = breakpoint && placeOf(program.document, breakpoint.element);
      if (!element || !old || !breakpoint) {
        const found = elementOnLine(program.document, Math.min(line, program.document.lineCount - 1));
        return found ? bind(id, request, program, found, line) : { id, request, line, message: NO_ELEMENT };
      }
      return bind(id, request, program, element, lineAfter(each, old.document, program.document, element));
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

/** A breakpoint keeps its line within the element, if the element still has that many lines. */
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
  request: DebugProtocol.SourceBreakpoint,
  program: Program,
  element: ElementPlace,
  line: number,
): BoundBreakpoint {
  const { document } = program;
  const breakpoint = new Breakpoint({ node: element.node, edge: element.edge }, program, request);
  const start = document.positionAt(element.span.start);
  const end = document.positionAt(element.span.end);
  // A breakpoint on a line between nodes moves to the node that the line belongs to.
  const isInside = start.line <= line && line <= end.line;
  return {
    id,
    request,
    breakpoint: breakpoint.problem === undefined ? breakpoint : undefined,
    program,
    line: isInside ? line : start.line,
    column: request.column === undefined ? undefined : start.character,
    message: breakpoint.problem,
  };
}
