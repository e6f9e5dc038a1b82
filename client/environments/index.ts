/** Environments of a project file: which one flows are synced with, and commands that compare and promote them. */
import * as vscode from "vscode";
import type { EnvironmentState, SeenVersions } from "../../server/environment-messages";
import { ConnectionChanged, EnvironmentStatesRequest, VersionsRequest } from "../../server/environment-messages";
import { ask, type FlowSyncState } from "../../server/messages";
import { type ActiveFlow, flowFor, flowsIn } from "../active-flow";
import type { Session } from "../connections";
import type { Server } from "../server";
import type { SyncStates } from "../sync";
import { onCommand } from "../ui/notice";
import { PROJECT_PATTERN, watchFiles } from "../ui/workspace-files";
import { compareVersion, compareWith, restoreVersion, versionOf } from "./history";
import { enterKey, UsedUrls } from "./keys";
import { checkDrift, promote } from "./promote";
import { Reports } from "./reports";
import { showEnvironment, switchEnvironment } from "./switching";

export { howSeen, versionOf } from "./history";

/** What the Flows view shows of a flow. */
export interface FlowEnvironments {
  /** The flow's state in each environment. Reading it only reads the platforms. */
  readonly drifts: FlowReadings<readonly EnvironmentState[]>;
  /** The versions seen from this computer, newest first. A history can be large, so it's read when it's first shown. */
  readonly versions: FlowReadings<SeenVersions>;
}

export function registerEnvironments(
  context: vscode.ExtensionContext,
  server: Server,
  session: Session,
  states: SyncStates,
  activeFlow: ActiveFlow,
): FlowEnvironments {
  const urls = new UsedUrls(context.workspaceState, states);
  const reports = new Reports();
  const drifts = new FlowReadings(
    states,
    (uri) => ask(server, EnvironmentStatesRequest, { uri }),
    (known = [], state) => known.length > 0 || state?.environments !== undefined,
  );
  const versions = new FlowReadings(
    states,
    (uri) => ask(server, VersionsRequest, { uri }),
    (known) => known !== undefined,
  );
  const cli = context.asAbsolutePath("dist/cli.js");
  const parts = { server, session, reports, urls, cli };
  const onFlow = (command: string, run: (uri: vscode.Uri, target: unknown) => unknown) =>
    onCommand(context, command, async (target?: unknown) => {
      const uri = await flowFor(context, command, target, activeFlow);
      return uri && run(uri, target);
    });
  context.subscriptions.push(
    urls,
    reports,
    drifts,
    versions,
    watchFiles(PROJECT_PATTERN, () => {
      void server.sendNotification(ConnectionChanged.method, { ...session.info, projectChanged: true });
    }),
    showEnvironment(states, activeFlow),
  );
  onFlow("promote", async (uri) => {
    await promote(parts, uri);
    drifts.read([uri]);
    versions.refresh();
  });
  onFlow("restoreVersion", (uri, target) => restoreVersion(server, reports, uri, versionOf(target)));
  onFlow("compareVersion", async (uri, target) => {
    const version = versionOf(target);
    if (version) await compareVersion(server, reports, uri, version);
  });
  onCommand(context, "checkDrift", async () => {
    await checkDrift(parts);
    drifts.read(await flowsIn());
  });
  onCommand(context, "compareWithEnvironment", (uri: vscode.Uri, name: string) =>
    compareWith(server, reports, uri, name),
  );
  onCommand(context, "switchEnvironment", () => switchEnvironment(session, states, activeFlow, urls));
  onCommand(context, "enterEnvironmentKey", (uri: vscode.Uri) => enterKey(session, states.get(uri), urls));
  return { drifts, versions };
}

/** States change several times during a push; flows are read once after it. */
const SOON_MS = 500;

/** What the server knows about flows, read soon after it may have changed, one flow at a time. */
class FlowReadings<T> implements vscode.Disposable {
  readonly #known = new Map<string, T>();
  readonly #waiting = new Set<string>();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #reading = Promise.resolve();
  /** Fires when the result for a flow changed. */
  readonly onDidChange = this.#changes.event;

  /** `follows` decides whether a flow is read again when its sync state changed. */
  constructor(
    states: SyncStates,
    private readonly readOne: (uri: string) => Promise<T>,
    follows: (known: T | undefined, state: FlowSyncState | undefined) => boolean,
  ) {
    this.#subscription = states.onDidChange((uri) => {
      const state = states.get(uri);
      if (state?.kind !== "syncing" && follows(this.of(uri), state)) this.read([uri]);
    });
  }

  /** Undefined until the flow is read. */
  of(uri: vscode.Uri): T | undefined {
    return this.#known.get(uri.toString());
  }

  read(uris: readonly (vscode.Uri | string)[]): void {
    for (const uri of uris) this.#waiting.add(uri.toString());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = [...this.#waiting];
      this.#waiting.clear();
      this.#reading = this.#reading.then(() => this.#readNow(due));
    }, SOON_MS);
  }

  /** Reads all flows again that were read before. */
  refresh(): void {
    this.read([...this.#known.keys()]);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  async #readNow(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      // A server that stopped is reported elsewhere; the next change reads again.
      const read = await this.readOne(uri).catch(() => undefined);
      if (read === undefined || JSON.stringify(read) === JSON.stringify(this.#known.get(uri))) continue;
      this.#known.set(uri, read);
      this.#changes.fire();
    }
  }
}
