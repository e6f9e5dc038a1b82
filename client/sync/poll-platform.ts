/**
 * Checks for platform changes when the window or a flow becomes active, and slowly while it stays active, so that
 * "Synced" isn't shown for minutes after a colleague's push. It only reads, but a queued save is sent with it.
 */
import * as vscode from "vscode";
import { ask, SyncActionRequest } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import type { Server } from "../server";
import type { SyncStates } from "./states";
import { fileOf } from "./texts";

const LOOK_EVERY_MS = 45_000;
/** Limits requests while the user switches quickly; one more is made at the end. */
const AT_MOST_EVERY_MS = 2000;

/** States in which a check can find something new. The others change without it, or need the user first. */
const LOOKS_IN = new Set(["synced", "diverged", "pending"]);

export function pollPlatform(states: SyncStates, activeFlow: ActiveFlow, server: Server): vscode.Disposable {
  const last = new Map<string, number>();
  let later: NodeJS.Timeout | undefined;
  const look = () => {
    const uri = activeFlow.uri && fileOf(activeFlow.uri);
    const state = uri && states.get(uri);
    if (!state || !vscode.window.state.focused || !LOOKS_IN.has(state.kind)) return;
    if (["offline", "site", "held", "asking"].includes(state.reason ?? "")) return;
    const now = Date.now();
    const wait = (last.get(state.uri) ?? 0) + AT_MOST_EVERY_MS - now;
    clearTimeout(later);
    if (wait > 0) {
      later = setTimeout(look, wait);
      return;
    }
    last.set(state.uri, now);
    // The sync state reports a failure.
    void ask(server, SyncActionRequest, { uri: state.uri, action: "look" }).catch(() => undefined);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return vscode.Disposable.from(
    {
      dispose: () => {
        clearInterval(timer);
        clearTimeout(later);
      },
    },
    vscode.window.onDidChangeWindowState(({ focused }) => focused && look()),
    activeFlow.onDidChange(look),
  );
}
