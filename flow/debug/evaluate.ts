/** Evaluation in a stopped run: variables, conditions, and the states of a node's edges. */
import { NAME, TEMPLATES } from "../grammar";
import { type Condition, evaluate, partsOf, readCondition, type Truth } from "../run/conditions";
import type { Frame, State } from "../run/machine";
import { awaits, type RunEdge, type RunNode, truthFor } from "../run/program";
import { takeName } from "../test/takes";
import { didYouMean, doesNotExist, nearest } from "../wording";

export type Evaluated =
  | { readonly kind: "value"; readonly name: string; readonly value: unknown }
  | { readonly kind: "truth"; readonly truth: Truth; readonly why: string };

const VARIABLE = new RegExp(String.raw`^(?:\{\{\s*)?(${NAME})(?:\s*\}\})?$`);

/** Evaluates a variable, with or without braces, or a condition; undefined for other text. */
export function evaluateIn(frame: Frame, text: string): Evaluated | undefined {
  const words = text.trim();
  const name = VARIABLE.exec(words)?.[1];
  const { variables, program } = frame;
  if (name !== undefined) {
    if (!words.startsWith("{{") && !variables.has(name) && !program.document.variable(name)) return undefined;
    return { kind: "value", name, value: variables.get(name) };
  }
  const condition = readCondition(words, program.valuesOf);
  if (partsOf(condition).every(({ kind }) => kind === "prose")) return undefined;
  const truth = evaluate(condition, (variable) => variables.get(variable));
  return { kind: "truth", truth, why: whyOf(condition, frame) };
}

/** Why a condition can't be used for a breakpoint; undefined if it can. */
export function undecidable(text: string, { program }: Pick<Frame, "program">): string | undefined {
  const condition = readCondition(text, program.valuesOf);
  const parts = partsOf(condition);
  const names = parts.flatMap((part) => (part.kind === "clause" ? part.variable : []));
  const unknown = names.find((name) => !program.document.variable(name));
  if (unknown !== undefined) {
    const near = nearest(
      unknown,
      program.document.variables.map(({ name }) => name),
    );
    return `${doesNotExist("Variable", unknown)}${near === undefined ? "" : ` ${didYouMean(near)}`}`;
  }
  const prose = parts.find((part) => part.kind === "prose");
  if (prose?.kind !== "prose" || parts.some(({ kind }) => kind === "clause")) return undefined;
  return `Only a model can evaluate "${text.trim()}". Write a condition such as \`{{plan}} is known\`.`;
}

export function isTrue(text: string, { program, variables }: Frame): boolean {
  return evaluate(readCondition(text, program.valuesOf), (variable) => variables.get(variable)) === true;
}

/** The values that decided a condition, or the part of it that's left to the model. */
function whyOf(condition: Condition, { variables }: Frame): string {
  const parts = partsOf(condition);
  const names = new Set(parts.flatMap((part) => (part.kind === "clause" ? part.variable : [])));
  const known = [...names].map((name) => `${name} is ${shown(variables.get(name))}`);
  const prose = parts.some(({ kind }) => kind === "prose") ? ["the rest is left to the model"] : [];
  return [...known, ...prose].join(", ");
}

export interface EdgeState {
  readonly edge: RunEdge;
  readonly name: string;
  /** `passed` edges don't count here: another one comes first, or they wait for an event. */
  readonly stands: "true" | "false" | "open" | "passed";
  readonly why: string;
}

/** The state of each edge of a node with a frame's values; with an event, only edges for that event count. */
export function edgeStates(node: RunNode, frame: Frame, event: string | undefined): EdgeState[] {
  const truth = truthFor(frame.variables);
  let isDecided = false;
  return node.edges.map((edge): EdgeState => {
    const state = (stands: EdgeState["stands"], why: string) => ({ edge, name: takeName(edge), stands, why });
    if (!awaits(edge, event))
      return state("passed", edge.isOnEvent ? `waits for the event "${edge.on ?? ""}"` : `event "${event}" occurred`);
    const reason = edge.condition ? whyOf(edge.condition, frame) : "no condition";
    const each = truth(edge);
    if (each === false) return state("false", reason);
    if (isDecided) return state("passed", "an earlier edge is taken");
    if (each === undefined)
      return state("open", reason === "the rest is left to the model" ? "left to the model" : reason);
    isDecided = true;
    return state("true", reason);
  });
}

export function eventOf({ question }: State): string | undefined {
  return question?.kind === "choice" ? question.event : undefined;
}

/** A value as JSON; no value as `unset`. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "unset";
  return JSON.stringify(value);
}

/** Fills in the templates of a string; unset ones stay as written, or become `otherwise`. */
export function filledIn(text: string, { variables }: Frame, otherwise?: string): string {
  return text.replace(TEMPLATES, (written, name: string) => {
    const value = variables.get(name);
    if (value === undefined) return otherwise ?? written;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  });
}
