/**
 * Messages of sync, shared by the extension, the server and the command line. Pure functions, so any part may import
 * this file.
 */
import { t } from "../text";

/** Short labels for the status bar, by the reason why a flow waits. */
export const waitsFor = {
  offline: () => t("offline"),
  site: () => t("this site isn't accepted"),
  busy: () => t("platform busy"),
  moving: () => t("platform keeps changing"),
  disk: () => t("sync state can't be written"),
  held: () => t("another window"),
  asking: () => t("your answer"),
  declined: () => t("unpushed changes"),
  paused: () => t("unpushed changes"),
  cancelled: () => t("stopped"),
  autosaved: () => t("unpushed changes"),
  manual: () => t("unpushed changes"),
  ignored: () => t("ignored by the platform"),
} as const;
export const blockedBy = {
  "local-errors": () => t("local errors"),
  refused: () => t("the platform"),
  unreadable: () => t("the platform's answer"),
  "claimed-twice": () => t("a second file"),
  protected: () => t("a protected environment"),
} as const;
export const waiting = () => t("waiting for the platform");
export const unknownVersion = () => t("platform version unknown");

export const notCompared = () => t("Not compared with the platform yet.");
export const notConnected = () => t("Not connected to a platform, so nothing is compared or pushed.");
export const isProtected = (environment: string) =>
  t('Environment "{0}" is protected, so it is changed only by promoting another environment to it.', environment);
export const notListed = (environment: string) =>
  t('The project file doesn\'t list this flow in environment "{0}".', environment);
export const notLinked = () => t("The file isn't linked to an assistant and revision.");
export const linkUnreadable = () =>
  t(
    "The file's assistant and revision can't be read because of syntax errors. Nothing is pushed until they are fixed.",
  );

export const noConnection = () => t("There is no connection to a platform. Add one first.");
export const graphNotShown = () =>
  t("The platform doesn't show the graph of this revision yet. Try again in a moment.");
export const fileGone = () => t("The file is no longer there.");
export const stopped = () => t("Stopped between two batches. Push to continue.");

export const inSync = () => t("The platform matches the saved file.");
export const onConflict = () => t("Your changes conflict with someone else's. Choose a side to continue.");
export const possibleOverwrite = () => t("Your push may have overwritten someone else's change. Pull and compare.");
export const queued = () => t("Your changes are queued and will be pushed when the platform is reachable.");

/**
 * The question before a push. `removesNodes`: the platform's flow has nodes that the file doesn't have. `changes` are
 * left out where they are already shown.
 */
export function pushQuestion(
  { isFirst, removesNodes, removesMany }: { isFirst: boolean; removesNodes: boolean; removesMany: boolean },
  address: string,
  changes: string | undefined,
): string {
  const first =
    changes === undefined ? t("First push to {0}.", address) : t("First push to {0}: {1}.", address, changes);
  return [
    ...(isFirst ? [first] : changes === undefined ? [] : [notPushed(changes)]),
    ...(isFirst && removesNodes ? [t("This replaces the flow on the platform.")] : []),
    ...(removesMany ? [t("This removes more than 20% of the nodes.")] : []),
    t("Push?"),
  ].join(" ");
}

export const versionUnknown = () => t("The platform doesn't return this revision's graph. Pull to compare.");

/** File and platform agreed on this version, and it is unknown whether the platform has a newer one. */
export const cannotTell = (version: number) =>
  t(
    "The file matches version {0}, the last one seen. The platform doesn't show whether it has changed since. Pull to find out.",
    version,
  );

export const errorsInFile = (errors: number) =>
  errors === 1 ? t("1 error in the file. Fix it to push.") : t("{0} errors in the file. Fix them to push.", errors);
export const alsoNamedBy = (file: string) =>
  t("This revision is also named by {0}. Only one file can be synced with it.", file);
export const notPushed = (changes: string) => t("Unpushed changes: {0}.", changes);

/** The editor auto-saved it. */
export const savedNotPushed = (changes: string) => t("Saved, with unpushed changes: {0}.", changes);
export const changedOutside = (changes: string) =>
  t("The file was changed from outside the editor ({0}). Push to send the changes.", changes);
export const firstPush = (changes: string) => t("The first push of this file waits for your answer: {0}.", changes);
export const changedSincePlan = () =>
  t("The file or the platform has changed since this plan. Plan again and review the changes.");
export const removesNodes = (nodes: number) =>
  nodes === 1
    ? t("This removes 1 node from the platform and waits for your answer.")
    : t("This removes {0} nodes from the platform and waits for your answer.", nodes);
export const platformIsNewer = (changes: string) =>
  t("The platform has newer changes ({0}). Pull to merge them.", changes);
export const mergedNotSaved = (changes: string) =>
  t("Platform changes were merged into the file ({0}). Save it to continue.", changes);

/** The platform reports a newer version than the file's without returning its graph. */
export const hiddenVersion = (theirs: number, ours: number) =>
  t(
    "The platform has version {0}, but hasn't published it yet; the file is at version {1}. Pull to update.",
    theirs,
    ours,
  );

export const keepsChanging = () => t("The platform's graph keeps changing.");

/** Follows the reason, only if the session will retry. */
export const willRetry = () => t("Sync will retry automatically.");
export const noAnswer = (ms: number) => t("The platform didn't answer within {0} seconds.", Math.round(ms / 1000));

/** The changes didn't arrive, whatever the platform answered. */
export const tooManyRequests = () =>
  t("The platform didn't accept the changes after many requests. Push to try again.");

/** `why` is what is wrong with the answer, such as "the answer has no `graph_version`". */
export const unclearAnswer = (why: string) =>
  t(
    "Couldn't read the platform's answer to the push: {0}. The flow there hasn't changed, and nothing more is pushed. Check the URL of this connection, then push again.",
    why,
  );
export const acceptedNotShown = () => t("The platform accepted the push but doesn't show it yet.");

/** The platform's data may come from a lagging replica. */
export const olderVersion = (shown: number, known: number) =>
  t(
    "The platform shows version {0}, which is older than version {1} that was seen before. Check again in a moment.",
    shown,
    known,
  );

export const diskFailed = (reason: string) => t("Sync stopped because its state can't be written: {0}", reason);
export const internalError = () => t("Sync stopped because of an internal error. The log has the details.");
export const heldBy = (label: string) => t("This flow is synced by {0}.", label);
export const takeOver = () => t("Push or pull to sync it here instead.");
export const noGraph = () => t("the response has none");

/** `why` is what is wrong with the graph, such as "an edge has no `id`". */
export const unreadableGraph = (why: string) =>
  t(
    "Couldn't read the platform's graph: {0}. Nothing more is pushed. See \"The inside of normalized_graph and compiled_graph\" in docs/assumptions.md.",
    why,
  );
export const unknownOperation = (tag: string, known: string | undefined) =>
  [
    t("The platform doesn't know the operation {0}.", tag),
    ...(known === undefined ? [] : [t("It knows {0}.", known)]),
    t('See "The op values beside upsert_node" in docs/assumptions.md.'),
  ].join(" ");

export const notStored = (what: string) => t("The platform accepted the push but didn't store {0}.", what);

/** `what` is the element as the file names it, `id` the platform's ID of it. */
export const storedAs = (what: string, id: string) =>
  t('The platform stores {0} as "{1}". Use that ID in the file.', what, id);

/** `what` names the first of the changes, such as `instructions` of node "greet". */
export const changeIgnored = (what: string) => t("The platform ignored the change to {0}. Push to try again.", what);

export const ignoredHere = () => t("The platform ignored this change.");
export const notStoredHere = () => t("The platform accepted this but didn't store it.");
export const fieldNotStored = (field: string) => t("The platform doesn't store `{0}`.", field);
export const orderNotKept = () => t("The platform doesn't keep the order of edges.");

/** The journal is lost to sync, but the user can still read it. */
export const journalSetAside = (name: string) =>
  t(
    "The sync state of this flow couldn't be read and was set aside ({0} in the state folder). The next push will ask for confirmation.",
    name,
  );

export const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;

/** `Compiled v7`, `Compile failed: 2 errors`; undefined if the platform said nothing about a compile. */
export function compileText({ state, status, version, errors, isOutdated }: CompileFacts): string | undefined {
  if (isOutdated || /^not.?started$/i.test(status)) return t("Not compiled yet");
  if (state === "succeeded") return version === undefined ? t("Compiled") : t("Compiled v{0}", version);
  if (state === "running") return version === undefined ? t("Compiling…") : t("Compiling v{0}…", version);
  if (state === "failed" && errors === 0) return t("Compile failed");
  if (state === "failed") return errors === 1 ? t("Compile failed: 1 error") : t("Compile failed: {0} errors", errors);
  return status === "" ? undefined : t("Compile status: {0}", status);
}

interface CompileFacts {
  readonly state: "running" | "succeeded" | "failed" | "unknown";
  readonly status: string;
  readonly version?: number | undefined;
  readonly errors: number;
  readonly isOutdated?: boolean;
}
