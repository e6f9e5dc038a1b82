/** The description beside the name of a flow. A narrow view cuts its end off. */
import { l10n } from "vscode";
import type { EnvironmentState } from "../../../server/environment-messages";
import type { FlowSyncState } from "../../../server/messages";
import { briefState, compileWords, isCompileFailed } from "../../sync";
import { shortState } from "./environments";

interface Described {
  /** Shown until the state is known. */
  readonly unseen: string;
  readonly state: FlowSyncState | undefined;
  readonly environments: readonly EnvironmentState[];
  readonly folder: string;
  readonly findings: string;
}

/** The sync state comes first, and a failed compile before it. The icon shows problems, and the hover has the rest. */
export function describeFlow({ unseen, state, environments, folder, findings }: Described): string {
  const compile = state && compileWords(state)?.replace(/^./, (first) => first.toLowerCase());
  const isListed = environments.length > 0;
  const sync = isListed ? environments.map(shortState).join(", ") : state ? briefState(state) : unseen;
  const executed = state && notExecuted(state);
  const parts =
    state && isCompileFailed(state)
      ? [compile, executed, isListed ? sync : "", folder]
      : state?.compile?.state === "failed" && !state.compile.isOutdated
        ? [compile, sync, executed, findings, folder]
        : [sync, compile, executed, findings, folder];
  return parts.filter(Boolean).join(" · ");
}

/** An empty string if the flow is executed. */
export function notExecuted({ workflowEnabled }: FlowSyncState): string {
  return workflowEnabled === false ? l10n.t("not executed") : "";
}
