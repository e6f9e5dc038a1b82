/**
 * Looks whether the platform has moved, so that "Synced" does not stay for minutes after a colleague's push: when the
 * window or the flow comes to the front, and slowly while it stays there. It only reads, but a save
 * that still waits goes out with it.
 */
import * as vscode from "vscode";
import { ask, SyncActionRequest } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import type { Server } from "../server";
import type { SyncStates } from "./states";
import { fileOf } from "./texts";

export const LOOK_EVERY_MS = 45_000;
/** Switching to and fro asks once, at its end once more: what changed in between is seen, too. */
const AT_MOST_EVERY_MS = 2000;

/** States in which a look says something new: the others find out by themselves, or have to be left first. */
const LOOKS_IN = new Set(["synced", "diverged", "pending"]);

export function pollPlatform(states: SyncStates, front: ActiveFlow, server: Server): vscode.Disposable {
  const last = new Map<string, number>();
  let later: NodeJS.Timeout | undefined;
  const look = () => {
    const uri = front.uri && fileOf(front.uri);
    const state = uri && states.get(uri);
    if (!state || !vscode.window.state.focused || !LOOKS_IN.has(state.kind)) return;
    if (["offline", "held", "asking"].includes(state.reason ?? "")) return;
    const now = Date.now();
    const wait = (last.get(state.uri) ?? 0) + AT_MOST_EVERY_MS - now;
    clearTimeout(later);
    if (wait > 0) {
      later = setTimeout(look, wait);
      return;
    }
    last.set(state.uri, now);
    // What keeps it from looking is said by the state.
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
    front.onDidChange(look),
  );
}
