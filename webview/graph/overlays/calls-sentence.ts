/** How many of a flow's calls follow it. */

import type { CallsView } from "../../../server/test-messages";
import { t } from "../../page/l10n";

export function callsSentence({ calls, placed, partly, unplaced }: Omit<CallsView, "nodes" | "edges">): string {
  if (calls === 1) {
    if (placed === 1) return t("1 call: it follows this flow.");
    return partly === 1 ? t("1 call: it follows this flow in part.") : t("1 call: it doesn't follow this flow.");
  }
  const counts = t("{0} calls: {1} follow this flow, {2} in part, {3} don't.", calls, placed, partly, unplaced);
  if (calls === 0 || placed + partly > 0) return counts;
  return `${counts} ${t("Another flow, or an earlier version of this one, may have handled them.")}`;
}
