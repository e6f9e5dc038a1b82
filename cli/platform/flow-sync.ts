/** Syncs flow files from the command line, with flags instead of prompts. */
import { hostname } from "node:os";
import { setFlagsFromString } from "node:v8";
import { FileChanged, FileScope, openState, replaceText } from "../../files";
import {
  applyEdits,
  type Conflict,
  FlowDocument,
  graphOf,
  locate,
  opAtLoc,
  type Problem,
  type RuleSettings,
  resolveNames,
  type Side,
} from "../../flow";
import { KnownTools } from "../../flow/tools";
import { type Connection, type GraphResult, stateDirectory } from "../../platform";
import {
  blockingKeeper,
  type Compared,
  type Expects,
  environmentRemote,
  fieldNotStored,
  fileNamed,
  findingsKeeper,
  History,
  type Identity,
  isLinkUnreadable,
  notListed as isNotListed,
  isProtected,
  linkOf,
  linkUnreadable,
  localErrors,
  lookOnly,
  mergeText,
  notLinked,
  orderNotKept,
  platformRemote,
  type Question,
  RevisionKeeper,
  removesMany,
  type Status,
  SyncSession,
  type SyncState,
  setAsideText,
  stateText,
  systemEnvironment,
  type Target,
  targetOf,
} from "../../sync";
import { oneLine } from "../../text";
import { ToolSnapshots } from "../check/tool-snapshots";
import { EXIT, type ExitCode } from "../command";
import type { PlacedFile } from "../environments/projects";
import { type FlowFile, otherFlows, readSource } from "../files/flow-files";
import { counted, progress, type Terminal } from "../terminal";
import { clientFor } from "./cli-connection";

export interface Allowed {
  readonly firstPush?: boolean;
  readonly removals?: boolean;
  readonly take?: Side;
  /** Set after a plan was shown: only that plan may be sent, and nothing is merged into the file. */
  readonly expects?: Expects;
  /** A promotion may change a protected environment. */
  readonly promotes?: boolean;
  /** The state is compared even if the file has local errors. */
  readonly ignoresErrors?: boolean;
}

export interface SyncResult {
  readonly file: PlacedFile;
  /** To the platform that the file is synced with. */
  readonly connection: Connection;
  readonly sync?: SyncSession;
  readonly state: SyncState;
  readonly status?: Status;
  /** The prompt that a flag could have answered. */
  readonly asked?: Question;
  /** Whether platform changes were written to the file. */
  readonly pulled: boolean;
  /** What the platform says about the revision; undefined if the file isn't linked. */
  readonly revision?: RevisionKeeper;
}

/** `look` only compares: it needs no lock, so it works while an editor has the flow open. */
export type Work = "look" | "pull" | "push";

/**
 * A long chain of batches produces hundreds of megabytes of short-lived responses next to a flow of 50 MB. By default
 * Node scans the whole heap after each few of them; this setting waits until the heap has grown fourfold.
 */
const RARE_COLLECTIONS = "--heap-growing-percent=300";

/** Syncs each file in turn. */
export async function withSyncs(
  files: readonly PlacedFile[],
  connection: Connection,
  allowed: Allowed,
  rules: RuleSettings,
  terminal: Terminal,
  work: Work,
): Promise<SyncResult[]> {
  if (work === "push") setFlagsFromString(RARE_COLLECTIONS);
  const others = await otherFlows(files, terminal.cwd);
  const identityOf = (link: Omit<Identity, "connection">): Identity => ({ connection: connection.baseUrl, ...link });
  const revisionOf = ({ text }: FlowFile) => linkOf(FlowDocument.read(text))?.revision;
  const results: SyncResult[] = [];
  for (const file of counted(work === "push" ? "Pushing" : "Comparing", files, terminal)) {
    const document = FlowDocument.read(file.text);
    const { environment } = file;
    const link = file.notListed === undefined ? (environment?.link ?? linkOf(document)) : undefined;
    // Parsed only if the text contains the revision, which few do.
    const rivals = [...files, ...others]
      .filter((other) => link && other.absolute !== file.absolute && other.text.toLowerCase().includes(link.revision))
      .filter((other) => revisionOf(other) === link?.revision)
      .map((other) => other.path);
    const isRefused = work === "push" && environment?.isProtected === true && !allowed.promotes;
    if (!link || rivals.length > 0 || isRefused) {
      const state: SyncState = isRefused
        ? { kind: "blocked", reason: "protected", message: isProtected(environment.name) }
        : link
          ? { kind: "blocked", reason: "claimed-twice", message: `This revision is also used by ${rivals.join(", ")}.` }
          : unlinked(file, document);
      const revision = link && new RevisionKeeper(openState(stateDirectory(terminal.env)), identityOf(link), true);
      results.push({ file, connection, state, pulled: false, revision });
      continue;
    }
    const identity = identityOf(link);
    const result = await withSync(file, document, identity, connection, allowed, rules, terminal, work);
    const { setAside } = result.status ?? {};
    // `look` leaves a damaged journal in place.
    const damaged = setAsideText(work === "look" ? setAside?.replace(/\.damaged-\d+$/, "") : setAside);
    if (damaged) terminal.err(oneLine`${file.path}: ${damaged}\n`);
    results.push(result);
  }
  return results;
}

function unlinked({ notListed }: PlacedFile, document: FlowDocument): SyncState {
  if (notListed !== undefined) return { kind: "unlinked", message: isNotListed(notListed) };
  if (isLinkUnreadable(document)) return { kind: "unlinked", reason: "unreadable", message: linkUnreadable() };
  return { kind: "unlinked", message: notLinked() };
}

async function withSync(
  file: PlacedFile,
  document: FlowDocument,
  identity: Identity,
  connection: Connection,
  allowed: Allowed,
  rules: RuleSettings,
  terminal: Terminal,
  work: Work,
): Promise<SyncResult> {
  const state = openState(stateDirectory(terminal.env));
  const client = clientFor(connection);
  const revision = new RevisionKeeper(state, identity, work === "look");
  await revision.load();
  const { environment } = file;
  const platform = platformRemote(client, identity, (seen) => revision.read(seen));
  const remote = environment ? environmentRemote(platform, environment) : platform;
  const syncEnvironment = systemEnvironment(remote, state);
  const history = new History(syncEnvironment.storage, identity, syncEnvironment.clock);
  const line = progress(terminal);
  let asked: Question | undefined;
  let pulled = false;
  /** The text that this command has read or written; only this is merged or pushed. */
  let known = file.text;
  let changed: FileChanged | undefined;
  const keep = findingsKeeper(state, identity);
  const learn = blockingKeeper(state, identity.connection);
  let keeping = Promise.resolve();
  let last: GraphResult | undefined;
  let recording = Promise.resolve();
  const snapshot = await new ToolSnapshots(new FileScope([], terminal.cwd)).definitionsFor(file.absolute);
  const target = (saved: FlowDocument): Target => {
    if (!allowed.ignoresErrors) return targetOf(saved, (each) => localErrors(each, rules, knownTools()), environment);
    return { ...targetOf(saved, undefined, environment), errors: saved.problems.length };
  };
  const compared = (pushed: FlowDocument): Compared => {
    const graph = () => {
      const named = graphOf(pushed);
      return environment ? resolveNames(named, environment.names) : named;
    };
    return { document: pushed, graph, remote: sync.remote, rules };
  };
  const knownTools = () => {
    const sources = [revision.record?.tools, snapshot].filter((each) => each !== undefined);
    return sources.length > 0 ? new KnownTools(sources, environment ? [environment] : []) : undefined;
  };
  const sync = new SyncSession(
    identity,
    work === "look" ? lookOnly(syncEnvironment) : syncEnvironment,
    {
      files: () => [fileNamed(file.absolute)],
      async mergeIntoFile(merge) {
        const edits = allowed.expects ? undefined : mergeText(known, merge, environment);
        if (!edits) return undefined;
        const merged = applyEdits(known, edits);
        try {
          await replaceText(file.absolute, known, merged);
        } catch (error) {
          if (!(error instanceof FileChanged)) throw error;
          changed = error;
          return undefined;
        }
        known = merged;
        pulled = true;
        return target(FlowDocument.read(merged));
      },
      async refresh() {
        // The file may have changed since it was read. A push of a plan uses exactly the planned text.
        const now =
          allowed.expects || work === "look"
            ? known
            : await readSource(file.absolute, terminal.cwd).catch(() => undefined);
        if (now === undefined || now === known) return;
        changed = new FileChanged(file.absolute, "the file changed in the meantime and nothing was pushed. Try again.");
        throw changed;
      },
      confirm: async (question) => {
        const many = removesMany(question.plan);
        const first = question.reason === "first-push";
        const yes = (!first || allowed.firstPush === true) && (!many || allowed.removals === true);
        if (!yes) asked = question;
        return yes;
      },
      expects: allowed.expects,
      statusChanged: ({ state }) => line.say(oneLine`${file.path}: ${stateText(state)}`),
      seen: (version) => {
        // Reading commands never write.
        if (work === "look") return;
        recording = history.record(version, environment?.name, file.absolute);
        recording.catch(() => undefined); // Awaited below, where a failure is reported.
      },
      answered: (result) => {
        revision.answered(result);
        last = result;
        keeping = keep(result);
        keeping.catch(() => undefined); // Awaited below, where a failure is reported.
      },
    },
    `the command line on ${hostname()}`,
  );
  try {
    // Only registers the text; `work` decides what is sent and when.
    sync.save(target(document), "manual");
    const act = () => sync[work]();
    let status = await act();
    if (status.state.kind === "conflict" && allowed.take) {
      const side = allowed.take;
      await sync.resolve(new Map(status.state.conflicts.map(({ key }) => [key, side])));
      status = await act();
    }
    await keeping;
    if (last) await learn(last, () => compared(known === file.text ? document : FlowDocument.read(known)));
    await recording;
    await revision.saved();
    if (changed) throw changed;
    return { file, connection, sync, state: status.state, status, asked, pulled, revision };
  } finally {
    await sync.close();
    line.done();
  }
}

/** The state of a flow and what to do about it, for the user. */
export function describeState(result: SyncResult, name = result.file.path): string {
  const [first = "", ...more] = stateLines(result);
  return [oneLine`${name}: ${first}`, ...more.map((line) => oneLine`    ${line}`)].join("\n");
}

function stateLines({ file, state, asked }: SyncResult): string[] {
  switch (state.kind) {
    case "synced":
      return [`in sync with version ${state.version}`];
    case "syncing":
      return ["not finished"];
    case "conflict":
      return [
        `changed here and on the platform (version ${state.version}):`,
        ...state.conflicts.map(({ message }) => message),
        "Use --take ours to keep the file's values, or --take theirs to use the platform's.",
      ];
    case "blocked": {
      const lines = rejections(file.text, state).map(({ line, message }) => `${file.path}:${line}: ${message}`);
      const hint = state.reason === "local-errors" ? ` Run \`assistant-flow check ${file.path}\`.` : "";
      return [`${state.message}${hint}`, ...lines];
    }
    case "pending":
      if (state.reason === "held") return [`${state.message} Try again in a moment.`];
      return [asked ? `${state.message} ${flagFor(asked)}` : state.message];
    default:
      return [state.message];
  }
}

function flagFor({ reason, plan }: Question): string {
  const flags = [
    ...(reason === "first-push" ? ["--allow-first-push"] : []),
    ...(plan.summary.removedShare > 1 / 5 ? ["--allow-removals"] : []),
  ];
  return `Pass ${flags.join(" and ")} to continue.`;
}

/** Maps the platform's rejection to the lines that produced the rejected operations. */
function rejections(text: string, state: SyncState): (Pick<Problem, "message"> & { readonly line: number })[] {
  if (state.kind !== "blocked" || !state.refusal) return [];
  const document = FlowDocument.read(text);
  const { detail, batch } = state.refusal;
  return detail.flatMap(({ loc, msg }) => {
    const found = opAtLoc(loc, batch);
    const place = found && locate(document, found.at);
    return place ? [{ line: document.positionAt(place.name.start).line + 1, message: msg }] : [];
  });
}

/** A message for each field that the platform doesn't store. */
export function notStoredMessages({ sync }: SyncResult): string[] {
  const words = (sync?.notKept ?? []).map((at) => {
    const field = at.kind === "top" ? at.key : (at.field ?? "");
    return at.kind === "node" && field === "edges" ? orderNotKept() : fieldNotStored(field);
  });
  return [...new Set(words)];
}

/** The exit code for the state of a file. */
export function exitOf({ state }: SyncResult): ExitCode {
  switch (state.kind) {
    case "synced":
      return EXIT.fine;
    case "unauthorized":
      return EXIT.unreachable;
    case "conflict":
      return EXIT.undecided;
    case "diverged":
    case "unknown":
      return EXIT.behind;
    case "pending":
      return state.reason === "offline" || state.reason === "busy"
        ? EXIT.unreachable
        : state.reason === "asking" || state.reason === "declined"
          ? EXIT.undecided
          : EXIT.failed;
    default:
      return EXIT.failed;
  }
}

/** The exit code for several files: the most severe one. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  const order: readonly ExitCode[] = [EXIT.unreachable, EXIT.failed, EXIT.undecided, EXIT.behind, EXIT.changes];
  return order.find((code) => codes.includes(code)) ?? EXIT.fine;
}

/** The state of a flow as JSON. */
export function stateJson({ file, state, pulled, status }: SyncResult): Record<string, unknown> {
  return {
    path: file.path,
    state: state.kind,
    ...("reason" in state ? { reason: state.reason } : {}),
    ...("version" in state ? { version: state.version } : {}),
    ...("message" in state ? { message: state.message } : {}),
    conflicts: state.kind === "conflict" ? state.conflicts.map(conflictJson) : undefined,
    refusals: state.kind === "blocked" ? rejections(file.text, state) : undefined,
    took_in: pulled,
    risks: status?.risks.length ? status.risks : undefined,
  };
}

function conflictJson({ key, message, base = null, ours = null, theirs = null }: Conflict): object {
  return { key, message, base, ours, theirs };
}
