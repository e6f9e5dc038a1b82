/** Notifications about the sync state for editors without our client, with the possible actions. */

import { fileNameIn } from "../../flow";
import { shownAddress } from "../../platform";
import { onConflict, possibleOverwrite, pushQuestion, queued, takeOver } from "../../sync";
import { shellPath } from "../../text";
import type { ConflictView, FlowSyncState, SendQuestion, SyncAction } from "../messages";
import { pathOf } from "../protocol/uris";

/** Carries out the action of a button. */
export interface ActionHandler {
  act(uri: string, action: SyncAction): Promise<unknown>;
  resolve(uri: string, choices: Readonly<Record<string, "ours" | "theirs">>): Promise<unknown>;
}

export interface Notice {
  readonly text: string;
  readonly buttons?: readonly {
    readonly title: string;
    readonly press: (handler: ActionHandler) => Promise<unknown>;
  }[];
  /** Shown once for a file, not after every push. */
  readonly once?: boolean;
  /** What to do if the editor can't show buttons. */
  readonly otherwise?: string;
}

/** The notifications by topic: the sync state, and lasting warnings. */
export function noticesOf(state: FlowSyncState): Readonly<Record<"state" | "risks" | "setAside", Notice | undefined>> {
  const { uri, risks, setAside } = state;
  return {
    state: stateNotice(state),
    risks: risks > 0 ? risksNotice(uri, risks) : undefined,
    setAside: setAside === undefined ? undefined : { text: setAside },
  };
}

/** The question before a plan is sent. */
export function questionOf(question: SendQuestion): Required<Omit<Notice, "buttons" | "once">> {
  const { uri, reason, plan, removesNodes, removesMany, to } = question;
  const isFirst = reason === "first-push";
  const flags = `${isFirst ? " --allow-first-push" : ""}${removesMany ? " --allow-removals" : ""}`;
  const text = pushQuestion({ isFirst, removesNodes, removesMany }, shownAddress(to.address), plan.summary);
  return { text, otherwise: `Nothing was pushed. ${inTerminal(`push${flags}`, uri)}` };
}

function stateNotice({ uri, kind, reason, message, conflicts }: FlowSyncState): Notice | undefined {
  switch (kind) {
    case "conflict":
      return conflictNotice(uri, conflicts);
    case "diverged":
      if (reason === "not-saved") return { text: message };
      return { text: message, buttons: [action("Pull", uri, "pull")], otherwise: inTerminal("pull", uri) };
    case "unauthorized":
      return {
        text: `${message} Your save is queued; start the editor with a valid key in ASSISTANT_FLOW_API_KEY.`,
      };
    case "blocked":
      return { text: message };
    case "pending":
      return waitNotice(uri, reason, message);
    default:
      return undefined;
  }
}

function waitNotice(uri: string, reason: string | undefined, message: string): Notice | undefined {
  if (reason === "offline") return { text: `${message} ${queued()}` };
  if (reason === "held")
    return {
      text: `${message} ${takeOver()}`,
      buttons: [action("Push", uri, "push")],
      otherwise: inTerminal("push", uri),
    };
  if (reason === "autosaved")
    return {
      text: "There are unpushed changes: the file was saved automatically. Save it yourself to push.",
      buttons: [action("Push", uri, "push")],
      once: true,
    };
  // Nothing to decide; the notification explains why the push is delayed.
  if (reason === "busy" || reason === "moving" || reason === "disk" || reason === "site")
    return { text: message, once: true };
  // The user declined a moment ago.
  if (reason === "declined") return { text: `${message} The next save asks again.` };
  if (reason === "cancelled") return { text: `${message} The next save continues.` };
  if (reason !== "paused" && reason !== "ignored") return undefined;
  return { text: message, buttons: [action("Push", uri, "push")], otherwise: inTerminal("push", uri) };
}

function conflictNotice(uri: string, conflicts: readonly ConflictView[]): Notice {
  const side = (title: string, choice: "ours" | "theirs") => ({
    title,
    press: (doer: ActionHandler) => doer.resolve(uri, Object.fromEntries(conflicts.map(({ key }) => [key, choice]))),
  });
  const list = conflicts.slice(0, MOST_LISTED).map(({ message }) => `- ${message}`);
  const rest = conflicts.length - list.length;
  return {
    text: [onConflict(), ...list, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n"),
    buttons: [side("Keep Mine", "ours"), side("Use Platform", "theirs")],
    otherwise: `\n${inTerminal("push --take ours", uri)} With "theirs", the platform's values are used.`,
  };
}

const MOST_LISTED = 10;

function risksNotice(uri: string, risks: number): Notice {
  const times = risks === 1 ? "" : ` (${risks} times)`;
  return { text: `${possibleOverwrite()}${times}`, buttons: [action("Dismiss Warning", uri, "acknowledge")] };
}

function action(title: string, uri: string, what: SyncAction) {
  return { title, press: (doer: ActionHandler) => doer.act(uri, what) };
}

function inTerminal(command: string, uri: string): string {
  return `Close the file here and run "assistant-flow ${command} ${shellPath(pathOf(uri) ?? fileNameIn(uri))}".`;
}
