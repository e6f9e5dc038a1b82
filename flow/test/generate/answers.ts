/** The answers worth trying, and those of tools: values at the paths that `saves` reads, and other outputs that a tool maps. */
import { combinations } from "../../collections";
import type { Answer, Frame, State } from "../../run/machine";
import { eventsAt, type Program, type RunNode, readPath } from "../../run/program";
import type { KnownTools } from "../../tools";
import type { Candidates } from "./candidates";

type Path = readonly (string | number)[];

/** An answer isn't filled up to an index beyond this. */
const MAX_INDEX = 1000;

/** A tool answer with the value of each variable at the path that `saves` reads. */
export function answerWith(saves: RunNode["saves"], valueFor: (variable: string, index: number) => unknown): unknown {
  let answer: unknown = {};
  saves.forEach(({ variable, path }, index) => {
    const value = path && isShort(path) ? valueFor(variable, index) : undefined;
    if (path && value !== undefined) answer = put(answer, path, value);
  });
  return answer;
}

/**
 * Adds the outputs that the tool of a node maps, each as an empty text. What `saves` reads stays as it is: a value that is
 * missing there is missing on purpose.
 */
export function withOutputs(answer: unknown, node: RunNode, tools: KnownTools | undefined): unknown {
  const tool = node.type === "tool" && node.calls !== undefined ? tools?.get(node.calls) : undefined;
  let filled = answer;
  // The first of two paths that contain each other counts.
  const taken = node.saves.map(({ path }) => path).filter((path) => path !== undefined);
  for (const { path, alias } of tool?.outputs ?? []) {
    const mapped = readPath(path.replaceAll("[*]", "[0]"));
    const isTaken = (each: Path) => each[0] === alias || (mapped !== undefined && isPrefix(mapped, each));
    if (!mapped || !isShort(mapped) || taken.some(isTaken)) continue;
    taken.push(mapped);
    filled = put(filled, mapped, "");
  }
  return filled;
}

function isShort(path: Path): boolean {
  return path.every((part) => typeof part === "string" || part <= MAX_INDEX);
}

/** Whether one of the two paths contains the other. */
function isPrefix(one: Path, other: Path): boolean {
  return one.every((part, index) => index >= other.length || part === other[index]);
}

function put(into: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const inside =
    typeof into === "object" && into !== null ? (into as Record<string | number, unknown>)[first] : undefined;
  const filled = put(inside, rest, value);
  if (typeof first === "number") {
    const list = Array.isArray(into) ? [...into] : [];
    while (list.length < first) list.push(null);
    list[first] = filled;
    return list;
  }
  return { ...(typeof into === "object" && into !== null && !Array.isArray(into) ? into : {}), [first]: filled };
}

/** The maximum number of tool answers to try. */
const MAX_ANSWERS = 48;

/** The answers worth trying in a state, or those of a round; undefined if there is no question. */
export function answersTo(state: State, candidates: Candidates, round?: number): readonly (Answer | undefined)[] {
  const { question, node, frame } = state;
  if (!question) return [undefined];
  if (question.kind === "choice") return question.ways.open.map((edge) => ({ take: edge }));
  const some = <Each>(all: readonly Each[]) => (round === undefined ? all : all.slice(round % all.length).slice(0, 1));
  if (question.kind === "value") return some(candidates.of(question.variable, node)).map((value) => ({ give: value }));
  const { flow } = question;
  const isRun = flow !== undefined && !isInside(frame, flow);
  // A recursive call is stubbed.
  const answers = isRun ? [{ enter: flow }] : some(returnsOf(node, candidates));
  return [...answers, ...eventsAt(node).map((event) => ({ event }))];
}

function isInside(frame: Frame, flow: Program): boolean {
  return frame.program === flow || (frame.caller !== undefined && isInside(frame.caller.frame, flow));
}

/** Tool answers for all combinations of saved values, or for one variable at a time if there are too many. */
function returnsOf(node: RunNode, candidates: Candidates): Answer[] {
  const saves = node.saves.filter(({ path }) => path !== undefined);
  const choices = saves.map(({ variable }) => candidates.of(variable, node));
  const count = choices.reduce((product, values) => product * values.length, 1);
  const oneAtATime = () =>
    choices.flatMap((values, index) =>
      values.map((value) => choices.map((each, other) => (other === index ? value : each[0]))),
    );
  const picks = count <= MAX_ANSWERS ? [...combinations(choices)] : oneAtATime();
  return picks.map((values) => ({ return: answerWith(saves, (_, index) => values[index]) }));
}
