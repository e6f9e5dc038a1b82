/** A stopped run as the protocol shows it: frames, scopes, variables. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { type Span, textOf } from "../flow";
import {
  conversationOf,
  type EdgeState,
  edgeStates,
  eventOf,
  framesOf,
  type Moment,
  placeOf,
  shown,
} from "../flow/debug";
import type { Frame, RunNode, State } from "../flow/run";
import { nodePlace } from "../flow/test";

/** A frame of the stack: the node a flow is at. */
export interface Level {
  readonly frame: Frame;
  readonly node: RunNode;
  readonly at: string;
  readonly span: Span;
}

/** The innermost first. On an edge that was taken, the innermost stands there. */
export function levelsOf(state: State, isOnEdge: boolean): Level[] {
  const { frame, node, at, taken } = state;
  const edge = isOnEdge && taken ? placeOf(frame.program.document, { node: taken.from, edge: taken.id }) : undefined;
  const levels: Level[] = [
    edge
      ? { frame, node, at: `${frame.prefix}${taken?.from} → ${taken?.to}`, span: edge.span }
      : { frame, node, at, span: nodePlace(state).span },
  ];
  for (let caller = frame.caller; caller; caller = caller.frame.caller) {
    const { document } = caller.frame.program;
    const span = document.absolute(caller.node.block, caller.node.block.keySpan);
    levels.push({ frame: caller.frame, node: caller.node, at: caller.frame.prefix + caller.node.id, span });
  }
  return levels;
}

/** References to what can be opened. Those of scopes stay the same while the session lasts; others hold until the next stop. */
const SCOPES = ["variables", "edges", "conversation"] as const;
type Scope = (typeof SCOPES)[number];
const FIRST_OWN = 1_000_000;

export class Shown {
  #values: unknown[] = [];

  /** What was opened before is forgotten: the run has moved. */
  clear(): void {
    this.#values = [];
  }

  scopes({ frame }: Level): DebugProtocol.Scope[] {
    const reference = (scope: Scope) => 1 + frame.depth * SCOPES.length + SCOPES.indexOf(scope);
    const scope = (name: string, which: Scope, presentationHint?: string): DebugProtocol.Scope => ({
      name,
      variablesReference: reference(which),
      expensive: false,
      ...(presentationHint ? { presentationHint } : {}),
    });
    return [scope("Variables", "variables", "locals"), scope("Edges", "edges"), scope("Conversation", "conversation")];
  }

  /** The frame whose variables a reference stands for. */
  frameOf(reference: number, { state }: Moment): Frame | undefined {
    if (reference >= FIRST_OWN || (reference - 1) % SCOPES.length !== SCOPES.indexOf("variables")) return undefined;
    return frameAt(state, Math.floor((reference - 1) / SCOPES.length));
  }

  variables(reference: number, moment: Moment): DebugProtocol.Variable[] {
    if (reference >= FIRST_OWN) return this.#inside(this.#values[reference - FIRST_OWN]);
    const depth = Math.floor((reference - 1) / SCOPES.length);
    const frame = frameAt(moment.state, depth);
    if (!frame) return [];
    switch (SCOPES[(reference - 1) % SCOPES.length]) {
      case "variables":
        return this.#variablesOf(frame);
      case "edges":
        return edgesIn(moment.state, frame);
      default:
        return conversation(moment);
    }
  }

  /** A value with a reference where there is something inside. */
  value(value: unknown): { readonly value: string; readonly variablesReference: number; readonly type: string } {
    const isOpen = typeof value === "object" && value !== null && Object.keys(value).length > 0;
    const variablesReference = isOpen ? FIRST_OWN + this.#values.push(value) - 1 : 0;
    return { value: shown(value), variablesReference, type: typeName(value) };
  }

  #variablesOf(frame: Frame): DebugProtocol.Variable[] {
    return variableNames(frame).map((name) => ({
      name,
      ...this.value(frame.variables.get(name)),
      evaluateName: `{{${name}}}`,
    }));
  }

  #inside(value: unknown): DebugProtocol.Variable[] {
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).map(([name, each]) => ({
      name,
      ...this.value(each ?? undefined),
      presentationHint: { attributes: ["readOnly"] },
    }));
  }
}

/** The variables of a frame: those that its flow declares, and others that have a value. */
export function variableNames({ program, variables }: Frame): string[] {
  return [...new Set([...program.document.variables.map(({ name }) => name), ...variables.keys()])];
}

function frameAt(state: State, depth: number): Frame | undefined {
  return framesOf(state).find((frame) => frame.depth === depth);
}

const READ_ONLY = { presentationHint: { attributes: ["readOnly"] }, variablesReference: 0 };

function edgesIn(state: State, frame: Frame): DebugProtocol.Variable[] {
  const isInnermost = frame.depth === state.frame.depth;
  let node = state.node;
  for (let inner: Frame | undefined = state.frame; inner?.caller && !isInnermost; inner = inner.caller.frame)
    if (inner.caller.frame.depth === frame.depth) node = inner.caller.node;
  const edges = edgeStates(node, frame, isInnermost ? eventOf(state) : undefined);
  const label = ({ name, edge }: EdgeState) => (name === edge.to ? `→ ${edge.to}` : `${name} → ${edge.to}`);
  const labels = edges.map(label);
  return edges.map(({ edge, stands, why }, index) => ({
    name: labels.indexOf(labels[index] as string) === index ? (labels[index] as string) : edge.id,
    value: why === "" ? stands : `${stands}: ${why}`,
    ...READ_ONLY,
  }));
}

/** Of a long conversation, the last turns: nobody scrolls through ten thousand. */
const MAX_TURNS = 500;

function conversation(moment: Moment): DebugProtocol.Variable[] {
  const turns = conversationOf(moment).slice(-MAX_TURNS);
  return turns.map(({ title, text, at, kind }, index) => ({
    name: `${index + 1} ${kind === "node" ? title : at}`,
    value: kind === "node" ? text || "(no instructions)" : title === "" ? text : `${title}: ${text}`,
    ...READ_ONLY,
  }));
}

function typeName(value: unknown): string {
  if (value === undefined || value === null) return "unset";
  return Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;
}

/** Where a client's lines and columns begin. */
export interface Base {
  readonly line: number;
  readonly column: number;
}

export function stackFrame(level: Level, file: string | undefined, from: Base): DebugProtocol.StackFrame {
  const { frame, span } = level;
  const start = frame.program.document.positionAt(span.start);
  // No end: VS Code selects the whole range of a frame it reveals, and the next key would replace the selected text.
  return {
    id: frame.depth + 1,
    name: frameName(level),
    ...(file === undefined ? {} : { source: sourceOf(file) }),
    line: start.line + from.line,
    column: start.character + from.column,
    canRestart: true,
  };
}

export function sourceOf(file: string): DebugProtocol.Source {
  return { name: file.split(/[\\/]/).at(-1) ?? file, path: file };
}

/** The node's own name behind its id, where it has one. */
function frameName({ node, at }: Level): string {
  const name = textOf(node.block.fields.get("name")?.value);
  return name !== undefined && !at.includes("→") ? `${at} (${name})` : at;
}
