/** The sync of a flow file from the command line: the file on disk, and flags in the place of a person. */
import { hostname } from "node:os";
import { setFlagsFromString } from "node:v8";
import { FileChanged, replaceText } from "../../files";
import { applyEdits, FlowDocument, locate, opAtLoc, type Problem, type RuleSettings, type Side } from "../../flow";
import { type Connection, fetchTransport, PlatformClient, stateDirectory } from "../../platform";
import {
  type Expects,
  FlowSync,
  fieldNotStored,
  fileNamed,
  findingsKeeper,
  type Identity,
  linkOf,
  localErrors,
  lookOnly,
  mergeText,
  nodeWorld,
  notLinked,
  orderNotKept,
  platformRemote,
  type Question,
  removesMany,
  type Status,
  type SyncState,
  setAsideText,
  stateText,
  type Target,
  targetOf,
} from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type ExitCode } from "../command";
import { type FlowFile, otherFlows, readSource } from "../files/flow-files";
import { counted, progress, type Terminal } from "../terminal";
import { PATIENCE } from "./cli-connection";

export interface Allowed {
  readonly firstPush?: boolean;
  readonly removals?: boolean;
  readonly take?: Side;
  /** Where a plan was shown: nothing but that is sent, and nothing is merged into the file. */
  readonly expects?: Expects;
}

export interface SyncResult {
  readonly file: FlowFile;
  readonly sync: FlowSync | undefined;
  readonly state: SyncState;
  readonly status: Status | undefined;
  /** The question that a flag could have answered. */
  readonly asked: Question | undefined;
  /** True where the platform's changes were written into the file. */
  readonly tookIn: boolean;
}

/** `look` only looks: it needs no lock, so that it works while an editor has the flow open. */
export type Work = "look" | "pull" | "push";

/**
 * The answers to a long chain of batches are hundreds of megabytes that nobody keeps, beside a flow of fifty that stays. By
 * itself Node looks through all that stays for each few of them; here it waits until there is four times as much.
 */
const PATIENT_COLLECTIONS = "--heap-growing-percent=300";

/** Does something with the sync of each file in turn, and lets go of it. */
export async function withSyncs(
  files: readonly FlowFile[],
  connection: Connection,
  allowed: Allowed,
  rules: RuleSettings,
  terminal: Terminal,
  work: Work,
): Promise<SyncResult[]> {
  if (work === "push") setFlagsFromString(PATIENT_COLLECTIONS);
  const others = await otherFlows(files, terminal.cwd);
  const revisionOf = ({ text }: FlowFile) => linkOf(FlowDocument.read(text))?.revision;
  const results: SyncResult[] = [];
  for (const file of counted(work === "push" ? "Pushing" : "Comparing", files, terminal)) {
    const document = FlowDocument.read(file.text);
    const link = linkOf(document);
    // Most flows do not have its name anywhere in them, and need not be read as flows.
    const rivals = [...files, ...others]
      .filter((other) => link && other.absolute !== file.absolute && other.text.toLowerCase().includes(link.revision))
      .filter((other) => revisionOf(other) === link?.revision)
      .map((other) => other.path);
    if (!link || rivals.length > 0) {
      const state: SyncState = link
        ? { kind: "blocked", reason: "claimed-twice", message: `This revision is also named by ${rivals.join(", ")}.` }
        : { kind: "unlinked", message: notLinked() };
      results.push({ file, sync: undefined, state, status: undefined, asked: undefined, tookIn: false });
      continue;
    }
    const identity = { connection: connection.baseUrl, ...link };
    const result = await withSync(file, document, identity, connection, allowed, rules, terminal, work);
    const { setAside } = result.status ?? {};
    // Who only looks leaves a damaged journal where it is.
    const damaged = setAsideText(work === "look" ? setAside?.replace(/\.damaged-\d+$/, "") : setAside);
    if (damaged) terminal.err(oneLine`${file.path}: ${damaged}\n`);
    results.push(result);
  }
  return results;
}

async function withSync(
  file: FlowFile,
  document: FlowDocument,
  identity: Identity,
  connection: Connection,
  allowed: Allowed,
  rules: RuleSettings,
  terminal: Terminal,
  work: Work,
): Promise<SyncResult> {
  const stateDir = stateDirectory(terminal.env);
  const client = new PlatformClient(fetchTransport(connection), { retry: PATIENCE });
  const world = nodeWorld(platformRemote(client, identity), stateDir);
  const line = progress(terminal);
  let asked: Question | undefined;
  let tookIn = false;
  /** What the file says, as far as this command has read or written it: nothing else is merged into or pushed. */
  let known = file.text;
  let changed: FileChanged | undefined;
  const keep = findingsKeeper(stateDir, identity);
  let keeping = Promise.resolve();
  const target = (saved: FlowDocument): Target => targetOf(saved, (each) => localErrors(each, rules));
  const sync = new FlowSync(
    identity,
    work === "look" ? lookOnly(world) : world,
    {
      files: () => [fileNamed(file.absolute)],
      async mergeIntoFile(merge) {
        const edits = allowed.expects ? undefined : mergeText(known, merge);
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
        tookIn = true;
        return target(FlowDocument.read(merged));
      },
      async refresh() {
        // A process that was stopped goes on with what it read before; what is asked for by a plan is exactly that.
        const now =
          allowed.expects || work === "look"
            ? known
            : await readSource(file.absolute, terminal.cwd).catch(() => undefined);
        if (now === undefined || now === known) return;
        changed = new FileChanged(file.absolute, "the file was changed meanwhile, so nothing was pushed. Try again.");
        throw changed;
      },
      confirm: async (question) => {
        const many = removesMany(question.plan);
        const first = question.reason === "first-push";
        const yes = (!first || allowed.firstPush === true) && (!many || allowed.removals === true);
        if (!yes) asked = question;
        return yes;
      },
      ...(allowed.expects ? { expects: allowed.expects } : {}),
      statusChanged: ({ state }) => line.say(oneLine`${file.path}: ${stateText(state)}`),
      answered: (result) => {
        keeping = keep(result);
        keeping.catch(() => undefined); // It is waited for below, where its failure counts.
      },
    },
    `the command line on ${hostname()}`,
  );
  try {
    // Only to be known: what is sent, and when, is up to the work.
    sync.save(target(document), "manual");
    const act = () => sync[work]();
    let status = await act();
    if (status.state.kind === "conflict" && allowed.take) {
      const side = allowed.take;
      await sync.resolve(new Map(status.state.conflicts.map(({ key }) => [key, side])));
      status = await act();
    }
    await keeping;
    if (changed) throw changed;
    return { file, sync, state: status.state, status, asked, tookIn };
  } finally {
    await sync.close();
    line.done();
  }
}

/** Where a flow stands, in words, with what to do about it. Words of the platform start no line of their own in it. */
export function stateWords(result: SyncResult, name = result.file.path): string {
  const [first = "", ...more] = stateLines(result);
  return [oneLine`${name}: ${first}`, ...more.map((line) => oneLine`    ${line}`)].join("\n");
}

function stateLines({ file, state, asked }: SyncResult): string[] {
  switch (state.kind) {
    case "synced":
      return [`in step with version ${state.version}`];
    case "syncing":
      return ["not finished"];
    case "conflict":
      return [
        `changed here and on the platform (version ${state.version}):`,
        ...state.conflicts.map(({ message }) => message),
        "--take ours keeps the file's values, --take theirs takes the platform's.",
      ];
    case "blocked": {
      const lines = refusals(file.text, state).map(({ line, message }) => `${file.path}:${line}: ${message}`);
      const hint = state.reason === "local-errors" ? ` Run “assistant-flow check ${file.path}”.` : "";
      return [`${state.message}${hint}`, ...lines];
    }
    case "pending":
      if (state.reason === "held") return [`${state.message} It is syncing there. Try again in a moment.`];
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
  return `Allow it with ${flags.join(" and ")}.`;
}

/** The platform's no on the lines that made the operations it speaks of. */
function refusals(text: string, state: SyncState): (Pick<Problem, "message"> & { readonly line: number })[] {
  if (state.kind !== "blocked" || !state.refusal) return [];
  const document = FlowDocument.read(text);
  const { detail, batch } = state.refusal;
  return detail.flatMap(({ loc, msg }) => {
    const found = opAtLoc(loc, batch);
    const place = found && locate(document, found.at);
    return place ? [{ line: document.positionAt(place.name.start).line + 1, message: msg }] : [];
  });
}

/** What the platform does not keep of the file, once for each field. */
export function notKeptWords({ sync }: SyncResult): string[] {
  const words = (sync?.notKept ?? []).map((at) => {
    const field = at.kind === "top" ? at.key : (at.field ?? "");
    return at.kind === "node" && field === "edges" ? orderNotKept() : fieldNotStored(field);
  });
  return [...new Set(words)];
}

/** The exit code of a state that is not what was wanted. */
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

/** Of several files the one that needs most attention decides. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  const order: readonly ExitCode[] = [EXIT.unreachable, EXIT.failed, EXIT.undecided, EXIT.behind, EXIT.changes];
  return order.find((code) => codes.includes(code)) ?? EXIT.fine;
}

/** What programs are told of a flow's state. */
export function stateJson({ file, state, tookIn, status }: SyncResult): Record<string, unknown> {
  return {
    path: file.path,
    state: state.kind,
    ...("reason" in state ? { reason: state.reason } : {}),
    ...("version" in state ? { version: state.version } : {}),
    ...("message" in state ? { message: state.message } : {}),
    ...(state.kind === "conflict"
      ? {
          conflicts: state.conflicts.map(({ key, message, base, ours, theirs }) => ({
            key,
            message,
            base: base ?? null,
            ours: ours ?? null,
            theirs: theirs ?? null,
          })),
        }
      : {}),
    ...(state.kind === "blocked" ? { refusals: refusals(file.text, state) } : {}),
    took_in: tookIn,
    ...(status && status.risks.length > 0 ? { risks: status.risks } : {}),
  };
}
