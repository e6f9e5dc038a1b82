/** Converts a stopped run to the protocol's frames, scopes and variables. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { type Span, textOf } from "../flow";
import {
  type AskedQuestion,
  conversationOf,
  type EdgeState,
  edgeStates,
  eventOf,
  framesOf,
  type Moment,
  offersAt,
  placeOf,
  type Run,
  shown,
} from "../flow/debug";
import { edgesOf, type Frame, pathOf, type RunNode, type State } from "../flow/run";
import { nodePlace } from "../flow/test";
import type { KnownTools } from "../flow/tools";
import { nameInEditor } from "../system";
import type { RunPlace } from "./messages";

/** A stack frame: the current node of a flow. */
export interface StackLevel {
  readonly frame: Frame;
  readonly node: RunNode;
  readonly at: string;
  readonly span: Span;
}

/** Innermost first. If the run is stopped on an edge, the innermost level is that edge. */
export function levelsOf(state: State, isOnEdge: boolean): StackLevel[] {
  const { frame, node, at, taken } = state;
  const edge = isOnEdge && taken ? placeOf(frame.program.document, { node: taken.from, edge: taken.id }) : undefined;
  const levels: StackLevel[] = [
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

/** The longest path that is sent to the graph view; older nodes are dropped. */
const MAX_PATH = 1000;

/** Where a run is, for the graph view: its path outside of components, and the question to show. */
export function placeOfRun({ state }: Run, file: string, asks: RunPlace["asks"]): RunPlace {
  const isOutside = (id: string) => !id.includes("/");
  return {
    file,
    path: pathOf(state).filter(isOutside).slice(-MAX_PATH),
    edges: edgesOf(state).filter(isOutside).slice(-MAX_PATH),
    asks,
  };
}

/** The current question as it's shown in the console. */
export function questionText({ title }: AskedQuestion, run: Run): string {
  return [title, ...offersAt(run).map(({ label }) => `  ${label}`)].join("\n");
}

/**
 * Scopes that can be expanded. Their references stay valid for the whole session; references to values only until the
 * next stop.
 */
const SCOPES = ["variables", "edges", "conversation"] as const;
type Scope = (typeof SCOPES)[number];
const FIRST_OWN = 1_000_000;

export class VariableReferences {
  #values: unknown[] = [];

  /** Drops the references to values, because the run has moved. */
  clear(): void {
    this.#values = [];
  }

  scopes({ frame }: StackLevel): DebugProtocol.Scope[] {
    const reference = (scope: Scope) => 1 + frame.depth * SCOPES.length + SCOPES.indexOf(scope);
    const scope = (name: string, which: Scope, presentationHint?: string): DebugProtocol.Scope => ({
      name,
      variablesReference: reference(which),
      expensive: false,
      ...(presentationHint ? { presentationHint } : {}),
    });
    return [scope("Variables", "variables", "locals"), scope("Edges", "edges"), scope("Conversation", "conversation")];
  }

  /** The frame of a reference to a variables scope. */
  frameOf(reference: number, { state }: Moment): Frame | undefined {
    if (reference >= FIRST_OWN || (reference - 1) % SCOPES.length !== SCOPES.indexOf("variables")) return undefined;
    return frameAt(state, Math.floor((reference - 1) / SCOPES.length));
  }

  variables(reference: number, moment: Moment, tools?: KnownTools): DebugProtocol.Variable[] {
    if (reference >= FIRST_OWN) return this.#inside(this.#values[reference - FIRST_OWN]);
    const depth = Math.floor((reference - 1) / SCOPES.length);
    const frame = frameAt(moment.state, depth);
    if (!frame) return [];
    switch (SCOPES[(reference - 1) % SCOPES.length]) {
      case "variables":
        return variableNames(frame).map((name) => ({
          name,
          ...this.value(frame.variables.get(name)),
          evaluateName: `{{${name}}}`,
        }));
      case "edges":
        return edgesIn(moment.state, frame);
      default:
        return conversation(moment, tools);
    }
  }

  /** Formats a value, with a reference if it can be expanded. */
  value(value: unknown): { readonly value: string; readonly variablesReference: number; readonly type: string } {
    const isOpen = typeof value === "object" && value !== null && Object.keys(value).length > 0;
    const variablesReference = isOpen ? FIRST_OWN + this.#values.push(value) - 1 : 0;
    return { value: shown(value), variablesReference, type: typeName(value) };
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

/** The declared variables of a frame's flow, and other variables that have a value. */
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

/** Only the latest turns of a long conversation are listed. */
const MAX_TURNS = 500;

function conversation(moment: Moment, tools: KnownTools | undefined): DebugProtocol.Variable[] {
  const turns = conversationOf(moment, tools).slice(-MAX_TURNS);
  return turns.map(({ title, text, at, kind, moment: { state } }, index) => ({
    name: `${index + 1} ${kind === "node" ? nodeLabel(state.node, at, tools) : at}`,
    value: kind === "node" ? text || "(no instructions)" : title === "" ? text : `${title}: ${text}`,
    ...READ_ONLY,
  }));
}

function typeName(value: unknown): string {
  if (value === undefined || value === null) return "unset";
  return Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;
}

/** Whether a client counts lines and columns from 0 or 1. */
export interface Base {
  readonly line: number;
  readonly column: number;
}

export function stackFrame(
  level: StackLevel,
  file: string | undefined,
  from: Base,
  tools?: KnownTools,
): DebugProtocol.StackFrame {
  const { frame, node, at, span } = level;
  const start = frame.program.document.positionAt(span.start);
  // No end, because VS Code would select the range of the frame, and the next key press would overwrite it.
  return {
    id: frame.depth + 1,
    name: at.includes("→") ? at : nodeLabel(node, at, tools),
    ...(file === undefined ? {} : { source: sourceOf(file) }),
    line: start.line + from.line,
    column: start.character + from.column,
    canRestart: true,
  };
}

export function sourceOf(file: string): DebugProtocol.Source {
  return { name: file.split(/[\\/]/).at(-1) ?? file, path: nameInEditor(file) };
}

/** The ID of the node, followed by its name and its tool, if they are known. */
function nodeLabel({ block }: RunNode, at: string, tools: KnownTools | undefined): string {
  const names = [textOf(block.fields.get("name")?.value), tools?.calledBy(block)?.name].filter(Boolean);
  return names.length > 0 ? `${at} (${names.join(" · ")})` : at;
}
