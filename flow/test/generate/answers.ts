/** Builds answers of tools: values at the paths that `saves` reads, and the other outputs that a tool maps. */
import { type RunNode, readPath } from "../../run/program";
import type { KnownTools } from "../../tools";

type Path = readonly (string | number)[];

/** An answer isn't filled up to an index beyond this. */
const MAX_INDEX = 1000;

/** A tool answer with each value at the path that `saves` reads. */
export function answerWith(saves: RunNode["saves"], values: readonly unknown[]): unknown {
  let answer: unknown = {};
  saves.forEach(({ path }, index) => {
    const value = values[index];
    if (value !== undefined && path && isShort(path)) answer = put(answer, path, value);
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
