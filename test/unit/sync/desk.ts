/** A developer's setup: a flow file, the engine over real HTTP with a real state folder, and another user. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openState } from "../../../files";
import { applyEdits, FlowDocument, type Graph, type GraphOp, graphFromWire, graphOf, type Side } from "../../../flow";
import { fetchTransport, PlatformClient, Secret, type Transport } from "../../../platform";
import type { Sandbox } from "../../../sandbox";
import {
  type Identity,
  mergeText,
  platformRemote,
  type Question,
  type Status,
  SyncSession,
  stateText,
  systemEnvironment,
  targetOf,
} from "../../../sync";
import { NO_ANSWER_MS } from "../../../sync/limits";

export class Desk {
  readonly identity: Identity;
  readonly colleague: PlatformClient;
  readonly transport: Transport;
  /** Intercepts requests. */
  travel: (send: () => ReturnType<Transport["send"]>, isBatch: boolean) => ReturnType<Transport["send"]> = (send) =>
    send();
  readonly asked: Question["reason"][] = [];
  readonly states: string[] = [];
  /** The current waits of the engine, in milliseconds. */
  readonly sleeping: number[] = [];
  /** Whether the current request is a read. */
  isRead = false;
  /** How many batches were sent, without probes. */
  batches = 0;
  text = "";
  /** The text another program has written to the file; no window is notified. */
  disk: string | undefined;
  files: readonly string[] = ["/flows/a.flow.yaml"];
  agrees = true;
  /** False: it is answered at once, as by a flag of the command line. */
  isPerson = true;
  /** Runs while the question is shown. */
  whileAsked: () => Promise<void> = async () => undefined;
  /** False: the editor has unsaved text, so a merge isn't saved. */
  canSave = true;
  sync: SyncSession;
  /** How much faster it waits. */
  speed = 1;
  /** How far its clock is ahead. */
  passed = 0;
  #stopped: { readonly sync: SyncSession; readonly goesOn: Promise<void>; readonly goOn: () => void } | undefined;

  constructor(
    readonly sandbox: Pick<Sandbox, "baseUrl" | "apiKey">,
    link: { readonly assistant: string; readonly revision: string },
    /** The state folder; two desks of one user share it. */
    readonly folder = mkdtempSync(path.join(tmpdir(), "assistant-flow-desk-")),
  ) {
    this.identity = { connection: sandbox.baseUrl, ...link };
    const direct = fetchTransport({ baseUrl: sandbox.baseUrl, key: new Secret(sandbox.apiKey) });
    this.colleague = new PlatformClient(direct);
    this.transport = {
      send: (request, options) => {
        this.isRead = request.method === "GET";
        const isBatch = (request.body as { base_version?: number } | undefined)?.base_version !== undefined;
        if (isBatch) this.batches++;
        return this.travel(() => direct.send(request, options), isBatch);
      },
    };
    this.sync = this.open("this window");
  }

  /** A window with the file: the first one, one after a restart, or a second one. */
  open(label: string): SyncSession {
    const client = new PlatformClient(this.transport, { retry: { attempts: 1 } });
    const environment = systemEnvironment(platformRemote(client, this.identity), openState(this.folder));
    let known: string | undefined;
    const sync: SyncSession = new SyncSession(
      this.identity,
      {
        ...environment,
        clock: {
          now: () => environment.clock.now() + this.passed,
          sleep: async (ms, signal) => {
            // On a busy machine, an answer takes a second, so the limit of a request (or what is left of it) is real.
            const speed = ms > NO_ANSWER_MS - 2_000 && ms <= NO_ANSWER_MS ? 1 : this.speed;
            await this.#asleep(ms, environment.clock.sleep(ms / speed, signal));
            if (sync === this.#stopped?.sync) await this.#stopped.goesOn;
          },
        },
      },
      {
        files: () => this.files,
        mergeIntoFile: async (merge) => {
          const edits = mergeText(this.text, merge);
          if (!edits) return undefined;
          this.text = applyEdits(this.text, edits);
          return this.canSave ? targetOf(FlowDocument.read(this.text)) : undefined;
        },
        refresh: async () => {
          if (this.disk === undefined || this.disk === known) return;
          known = this.disk;
          sync.save(targetOf(FlowDocument.read(known)), "outside");
        },
        confirm: async ({ reason }) => {
          this.asked.push(reason);
          await this.whileAsked();
          if (this.isPerson) this.pass(1_000);
          return this.agrees;
        },
        statusChanged: ({ state }) => this.states.push(stateText(state)),
      },
      label,
    );
    return sync;
  }

  /** Suspends its process, like SIGSTOP: no wait ends, and nothing is reported. */
  stop(): void {
    let goOn = () => {};
    const goesOn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    this.#stopped = { sync: this.sync, goesOn, goOn };
  }

  goOn(): void {
    this.#stopped?.goOn();
    this.#stopped = undefined;
  }

  /** Advances the clock that all processes share. */
  pass(ms: number): void {
    this.passed += ms;
  }

  #asleep(ms: number, awake: Promise<void>): Promise<void> {
    this.sleeping.push(ms);
    return awake.finally(() => this.sleeping.splice(this.sleeping.indexOf(ms), 1));
  }

  /** Saves the file and waits until sync is done. */
  save(text = this.text): Promise<Status> {
    this.text = text;
    this.sync.save(targetOf(FlowDocument.read(text)));
    return this.sync.settled();
  }

  edit(from: string | RegExp, to: string): Promise<Status> {
    const text = this.text.replace(from, to);
    if (text === this.text) throw new Error(`${from} is not in the file`);
    return this.save(text);
  }

  resolve(side: Side): Promise<Status> {
    const { state } = this.sync.status;
    const keys = state.kind === "conflict" ? state.conflicts.map(({ key }) => key) : [];
    return this.sync.resolve(new Map(keys.map((key) => [key, side])));
  }

  get graph(): Graph {
    return graphOf(FlowDocument.read(this.text));
  }

  /** The other user changes something, for any version. */
  async remotely(...ops: GraphOp[]): Promise<Graph> {
    const { assistant, revision } = this.identity;
    const { validation } = await this.colleague.applyGraphOps(assistant, revision, { ops });
    return graphFromWire(validation?.normalized_graph) as Graph;
  }

  /** The platform's graph. */
  remote(): Promise<Graph> {
    const name = "test_look";
    return this.remotely(
      { op: "upsert_context_variable", variable: { name } },
      { op: "remove_context_variable", name },
    );
  }

  async close(): Promise<void> {
    await this.sync.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
