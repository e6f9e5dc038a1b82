/**
 * What sync says to people, once for the extension, the server and the command line. Plain functions of plain values, so
 * that any part may import this file.
 */

/** A few words for a status bar, by the reason why a flow waits. */
export const waitsFor = {
  offline: "offline",
  busy: "platform busy",
  moving: "platform keeps changing",
  disk: "sync state can't be written",
  held: "another window",
  asking: "your answer",
  declined: "not pushed",
  paused: "changed from outside",
  cancelled: "stopped",
  autosaved: "unpushed changes",
  manual: "not pushed",
} as const;

export const blockedBy = {
  "local-errors": "local errors",
  refused: "the platform",
  unreadable: "the platform's answer",
  "claimed-twice": "a second file",
} as const;

export const WAITING = "waiting for the platform";
export const VERSION_UNKNOWN = "platform version unknown";

export const NOT_COMPARED = "Not compared with the platform yet.";
export const NOT_LINKED = "The file isn't linked to an assistant and revision.";
export const STOPPED = "Stopped between two batches. Push to continue.";

export const IN_SYNC = "The platform matches the saved file.";
export const ON_CONFLICT = "You and someone else changed the same field. Choose a side to continue.";
export const POSSIBLE_OVERWRITE = "Your push may have overwritten someone else's change. Pull and compare.";
export const QUEUED = "Your changes are queued and will be pushed when the platform is reachable.";

/** Before something is pushed that a person should see first. */
export function pushQuestion(isFirst: boolean, removesMany: boolean, address: string, changes: string): string {
  const reasons = [
    ...(isFirst ? [`First push to ${address}. This replaces the flow on the platform.`] : []),
    ...(removesMany ? ["This removes more than 20% of the nodes."] : []),
  ];
  return `${reasons.join(" ") || "There are unpushed changes."} Push? (${changes})`;
}

export function versionUnknown(): string {
  return "The platform doesn't show this revision's graph, and looking never changes it. Push or pull to find out where it stands.";
}

export function errorsInFile(errors: number): string {
  return `${count(errors, "error")} in the file. Fix ${errors === 1 ? "it" : "them"} to push.`;
}

export function notPushed(changes: string): string {
  return `Not pushed yet: ${changes}.`;
}

/** Its editor saved it by itself. */
export function savedNotPushed(changes: string): string {
  return `Saved, not pushed: ${changes}.`;
}

export function changedOutside(changes: string): string {
  return `The file was changed from outside the editor (${changes}). Push to send the changes.`;
}

export function firstPush(changes: string): string {
  return `The first push of this file waits for your answer: ${changes}.`;
}

export function removesNodes(nodes: number): string {
  return `This removes ${count(nodes, "node")} from the platform and waits for your answer.`;
}

export function platformIsNewer(changes: string): string {
  return `The platform has newer changes (${changes}). Pull to merge them.`;
}

export function mergedNotSaved(changes: string): string {
  return `Platform changes were merged into the file (${changes}). Save it to continue.`;
}

/** The platform tells a newer version than the one the file is as, and does not show its graph. */
export function hiddenVersion(theirs: number, ours: number): string {
  return `The platform has version ${theirs} and doesn't show it yet; the file is as version ${ours}. Pull to see.`;
}

export const KEEPS_CHANGING = "The platform's graph keeps changing. The next try follows by itself.";

export function noAnswer(ms: number): string {
  return `The platform didn't answer within ${Math.round(ms / 1000)} seconds.`;
}

export function diskFailed(reason: string): string {
  return `Sync stopped because its state can't be written: ${reason}`;
}

export const INTERNAL_ERROR =
  "Sync stopped because of an error of its own; the log has the details. The next try follows by itself.";

export function heldBy(label: string): string {
  return `This flow is synced by ${label}.`;
}

/** `why` says what is wrong with the graph: “an edge has no `id`”. */
export function unreadableGraph(why: string): string {
  return `Couldn't read the platform's graph: ${why}. Nothing more is pushed. What we assume of its shape: “The inside of normalized_graph and compiled_graph” in docs/assumptions.md.`;
}

export function unknownOperation(tag: string, known: string | undefined): string {
  const instead = known === undefined ? "" : ` It knows ${known}.`;
  return `The platform doesn't know the operation ${tag}.${instead} What we assume: “The op values beside upsert_node” in docs/assumptions.md.`;
}

export function notStored(what: string): string {
  return `The platform accepted the push and didn't store ${what}.`;
}

export const NOT_STORED_HERE = "The platform accepted this and didn't store it.";

export function fieldNotStored(field: string): string {
  return `The platform doesn't store \`${field}\`.`;
}

export const ORDER_NOT_KEPT = "The platform doesn't keep the order of edges.";

/** What was known is lost to sync but not to people. */
export function journalSetAside(name: string): string {
  return `The sync state of this flow couldn't be read and was set aside (${name} in the state folder). The next push asks like a first one.`;
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
