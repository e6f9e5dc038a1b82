/** Sentences about changed behavior, shared by all formats. */
import type { EdgeChange, Ending } from "../../flow/review";
import type { Covered, FullBehavior, PolicyChange } from "./review";

/** Longer lists are cut and counted. */
const MOST_NAMES = 20;
const MOST_STEPS = 12;
const WITH_ARTICLE: Readonly<Record<string, string>> = { end: "an end", transfer: "a transfer" };

/** Returns unescaped text; each format escapes it. */
export function sentencesOf(behavior: FullBehavior, most = MOST_NAMES): string[] {
  const { reachable, unreachable, opened, closed, may_be_unset, policy_changes, test_changes, coverage } = behavior;
  const { endings, edge_changes } = behavior;
  const each = <Item>(items: readonly Item[], say: (item: Item) => string, what: string): string[] => [
    ...items.slice(0, most).map(say),
    ...(items.length > most ? [`… and ${items.length - most} more ${what}.`] : []),
  ];
  return [
    ...(reachable.length > 0 ? [`Now reachable: ${names(reachable, most)}.`] : []),
    ...(unreachable.length > 0 ? [`No longer reachable: ${names(unreachable, most)}.`] : []),
    ...each(
      opened,
      apart(opened, (ending) => `Path opened: ${way(ending)}`),
      "paths opened",
    ),
    ...each(
      closed,
      apart(closed, (ending) => `Path closed: ${way(ending)}`),
      "paths closed",
    ),
    ...each(
      endings,
      ({ node, before, after }) =>
        `${node} was ${WITH_ARTICLE[before] ?? before}, now ${WITH_ARTICLE[after] ?? after}.`,
      "ends",
    ),
    ...each(edge_changes, apart(edge_changes, edgeSentence), "changed edges"),
    ...each(may_be_unset, (read) => `May now be unset: ${read}.`, "reads that may be unset"),
    ...each(policy_changes, policySentence, "policies"),
    ...each(test_changes, ({ name, before, after }) => `Test "${name}": ${before}, now ${after}.`, "tests"),
    ...(coverage ? coverageSentence(coverage.before, coverage.after) : []),
  ];
}

function way({ path, by }: Ending): string {
  return `${steps(path)}${by === undefined ? "" : ` (${by})`}`;
}

const EDGE_CHANGES: Readonly<Record<EdgeChange["kind"], string>> = {
  "not-taken": "Can't be taken any more",
  "left-to-model": "Now left to the model",
  unconditional: "No longer has a condition",
  "other-event": "Waits for something else",
};

function edgeSentence({ kind, from, to, by, was }: EdgeChange): string {
  const before = was === undefined ? "" : `, before: ${was}`;
  return `${EDGE_CHANGES[kind]}: ${from} → ${to} (${by}${before})`;
}

/** Sentences about edges; those that would be the same end with the edge's ID. */
function apart<Item extends { readonly edge?: string }>(items: readonly Item[], say: (item: Item) => string) {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(say(item), (counts.get(say(item)) ?? 0) + 1);
  return (item: Item) => {
    const sentence = say(item);
    const isAlone = counts.get(sentence) === 1 || item.edge === undefined;
    return isAlone ? `${sentence}.` : `${sentence}, edge ${item.edge}.`;
  };
}

function policySentence({ policy, before, after, path, because }: PolicyChange): string {
  const why = because === undefined ? "" : ` ${because}`;
  return `Policy ${policy}: ${plain(before)}, now ${plain(after)}${path.length > 0 ? ` (${steps(path)})` : ""}.${why}`;
}

function plain(verdict: string): string {
  return verdict === "proved-by-shape" ? "proved for all conditions" : verdict.replaceAll("-", " ");
}

function coverageSentence(before: Covered, after: Covered): string[] {
  const share = ([covered, all]: readonly [number, number]) =>
    `${covered}/${all} (${all === 0 ? 100 : Math.floor((100 * covered) / all)}%)`;
  const changed = (which: keyof Covered) => {
    const [was, is] = [share(before[which]), share(after[which])];
    return was === is ? `${which} ${is}` : `${which} ${was} → ${is}`;
  };
  return [`Coverage: ${changed("nodes")}, ${changed("edges")}.`];
}

function names(ids: readonly string[], most: number): string {
  const shown = ids.slice(0, most).join(", ");
  return ids.length > most ? `${shown} and ${ids.length - most} more` : shown;
}

function steps(path: readonly string[]): string {
  if (path.length <= MOST_STEPS) return path.join(" → ");
  const half = MOST_STEPS / 2;
  return [...path.slice(0, half), "…", ...path.slice(-half)].join(" → ");
}
