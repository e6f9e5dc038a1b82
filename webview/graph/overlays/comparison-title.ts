/** What the graph is compared with. */

import type { ToGraphPage } from "../../../client/pages/messages";
import type { GraphView } from "../../../server/messages";
import { t } from "../../page/l10n";

export type Compared = NonNullable<Extract<ToGraphPage, { type: "graph" }>["other"]>;

/** The title of a comparison: the compared versions and the number of changes, or why they can't be compared. */
export function comparisonTitle(
  comparison: NonNullable<GraphView["comparison"]>,
  { name, shown, which }: Compared,
): string {
  if ("problem" in comparison) {
    const { problem } = comparison;
    if (which === "base") return t("Can't compare with the last synced version. {0}", problem);
    if (which === "platform") return t("Can't compare with the platform's version. {0}", problem);
    return t("Can't compare with {0}. {1}", name, problem);
  }
  const count = countOf(comparison.changes.length);
  if (which === "base") return t("Compared with the last synced version: {0}", count);
  if (which === "platform") return t("Compared with the platform's version: {0}", count);
  return shown === undefined
    ? t("Compared with {0}: {1}", name, count)
    : t("{0} compared with {1}: {2}", shown, name, count);
}

function countOf(count: number): string {
  return count === 0 ? t("no changes") : count === 1 ? t("1 change") : t("{0} changes", count);
}
