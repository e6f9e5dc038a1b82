/**
 * Sync in the language server: passes file events (file-events.ts) to sessions (sessions.ts), publishes their state and
 * findings (presenter.ts), and answers requests about them.
 */

import { applyEdits, checkDocument, type Graph, graphOf, type Problem, plan, sourceSpanOf } from "../../flow";
import { applyGraph, exceptBroken } from "../../flow/edit";
import { type BlockingRules, problemsBeforePush, type SuggestedFix, suggestedFix } from "../../flow/findings";
import { mergedDefinitions, snapshotText, type ToolDefinitions, toolsOfRevision } from "../../flow/tools";
import { PlatformClient, PlatformError } from "../../platform";
import {
  graphNotShown,
  graphOfRevision,
  isProtected,
  newFlowText,
  noConnection,
  notLinked,
  type RevisionRecord,
} from "../../sync";
import { setTranslations, shownMessage, t } from "../../text";
import type { ServerContext } from "../context";
import type { FlowSyncState, OtherText, PlanView, SyncAction } from "../messages";
import type { FileFacts } from "../workspace/files";
import type { OpenFile } from "../workspace/workspace";
import { EnvironmentStates } from "./environment-states";
import { type FileEvent, FileEvents } from "./file-events";
import { planView } from "./plan-view";
import { Presenter } from "./presenter";
import { Questions } from "./questions";
import { Reporter } from "./reporter";
import { aboutRevision, reportYaml, revisionYaml, toolYaml } from "./revision-text";
import { Sessions } from "./sessions";

export class PlatformSync {
  readonly #reporter: Reporter;
  readonly #presenter: Presenter;
  readonly #questions: Questions;
  readonly #sessions: Sessions;
  readonly #events: FileEvents;
  readonly environments: EnvironmentStates;

  constructor(private readonly server: ServerContext) {
    // Sync is a bundle of its own, with its own copy of the translations.
    setTranslations(server.options.words);
    const sessionOf = (uri: string) => this.#sessions.sessionOf(uri);
    this.#reporter = new Reporter(server, this);
    this.#presenter = new Presenter(server, this.#reporter, sessionOf);
    this.#questions = new Questions(server, this.#reporter, sessionOf);
    this.#sessions = new Sessions(server, this.#presenter, this.#questions);
    this.environments = new EnvironmentStates(server, this.#sessions);
    this.#events = new FileEvents(server, this.#sessions, this.#presenter, this.#questions, this.#reporter);
  }

  notify(event: FileEvent): void {
    this.#events.handle(event);
  }

  resume(): Promise<void> {
    return this.#events.resume();
  }

  /** The connection or the project file changed, or the connection works again. */
  async connectionChanged(projectChanged: boolean): Promise<void> {
    if (!this.server.options.clientTransport) return;
    const same = this.#sessions.connect() && !projectChanged;
    for (const flow of this.#sessions.all) {
      if (same) this.#sessions.sessionOf(flow.uri)?.retryNow();
      else await (await this.#sessions.inTurn(() => this.#sessions.link(flow, "open")))?.look();
    }
    if (!same) await this.resume();
  }

  async dispose(): Promise<void> {
    this.#reporter.dispose();
    this.#events.dispose();
    this.#presenter.dispose();
    await this.#sessions.close();
  }

  findings(uri: string): readonly Problem[] {
    const flow = this.#sessions.flowOf(uri);
    return flow ? this.#presenter.findings(flow) : [];
  }

  blocking(uri: string): BlockingRules {
    return this.#sessions.blocking(uri);
  }

  notes(file: OpenFile): readonly Problem[] {
    return this.#presenter.notes(file.document, this.#sessions.flowOf(file.uri));
  }

  onFindings(listener: (uri: string) => void): void {
    this.#presenter.onFindings(listener);
  }

  /** The platform's suggested fix for one of its findings. */
  fix(file: OpenFile, problem: Problem): SuggestedFix | undefined {
    const placed = this.#sessions.flowOf(file.uri)?.findings.placed(problem);
    return (
      placed && suggestedFix(file.document, placed, (document) => checkDocument(document, this.server.settings.rules))
    );
  }

  /** What the platform last said about the file's revision. */
  revision(uri: string): RevisionRecord | undefined {
    return this.#sessions.flowOf(uri)?.revision;
  }

  /** The hover of `revision`, in Markdown. */
  aboutRevision(uri: string): string | undefined {
    const record = this.revision(uri);
    return record && aboutRevision(record);
  }

  toolText(uri: string, id: string): string | null {
    const tool = this.server.toolsFor(uri)?.get(id);
    return tool ? toolYaml(tool) : null;
  }

  /** The graph of the last sync. */
  base(uri: string): Graph | undefined {
    return this.#sessions.sessionOf(uri)?.base?.graph;
  }

  /** `answered`: the question that a push answers (`SyncActionRequest`). */
  async act(uri: string, action: SyncAction, answered?: string): Promise<FlowSyncState | null> {
    if (action !== "cancel") await this.#eventsHandled();
    const flow = this.#sessions.flowOf(uri);
    const session = this.#sessions.sessionOf(uri);
    if (!flow) return null;
    // An auto-save that was deferred during a push is part of this one.
    if (action === "push" && flow.hasDeferredAutosave)
      await this.#sessions.inTurn(() => this.#sessions.link(flow, "save"));
    if (action === "push" && flow.environment?.isProtected) {
      const message = isProtected(flow.environment.name);
      this.#presenter.show(flow, { state: { kind: "blocked", reason: "protected", message }, risks: [] });
    } else if (action === "push") await (session && this.#questions.push(session, answered));
    else if (action === "pull") await session?.pull();
    else if (action === "look") await session?.look();
    else if (action === "cancel") session?.cancel();
    else await session?.acknowledgeRisks();
    return this.#presenter.stateOf(flow);
  }

  async resolve(uri: string, choices: Readonly<Record<string, "ours" | "theirs">>): Promise<FlowSyncState | null> {
    await this.#eventsHandled();
    const flow = this.#sessions.flowOf(uri);
    await this.#sessions.sessionOf(uri)?.resolve(new Map(Object.entries(choices)));
    return flow ? this.#presenter.stateOf(flow) : null;
  }

  /** What saving the current text would send. */
  plan(file: OpenFile): PlanView | null {
    const { document } = file;
    const graph = this.#graphOf(file);
    const session = this.#sessions.sessionOf(file.uri);
    const from = session?.remoteFor(graph);
    if (!session || !from) return null;
    const wanted = plan(from, graph, { spanOf: (id) => sourceSpanOf(document, id) });
    const problems = problemsBeforePush(document, this.server.settings.rules, this.blocking(file.uri));
    const converter = this.server.converter(file);
    const blocking = problems.map(({ message, span }) => ({
      text: shownMessage(message),
      range: converter.range(span),
    }));
    const asks = this.#questions.before(session, wanted);
    return {
      ...planView(wanted, converter, from),
      ...(wanted.ops.length > 0 ? { blocking } : {}),
      ...(asks && { asks }),
    };
  }

  /** The open text, changed only where the other graph differs, so that a diff shows nothing else. */
  otherText(file: OpenFile, which: OtherText): string | null {
    if (which === "quality") return reportYaml(this.#sessions.qualityReport(file.uri)) ?? null;
    if (which === "revision") {
      const record = this.revision(file.uri);
      return record ? revisionYaml(record) : null;
    }
    const session = this.#sessions.sessionOf(file.uri);
    if (which === "journal") return session?.journalText ?? null;
    const graph =
      which === "push"
        ? session?.remoteFor(this.#graphOf(file))
        : // Before the first push there is no base, so the diff is against the platform.
          (which === "base" ? (session?.base ?? session?.remote) : session?.remote)?.graph;
    if (!graph) return null;
    const { document } = file;
    const written = this.#sessions.flowOf(file.uri)?.withNames(graph, document) ?? graph;
    // Otherwise the lines of a syntax error that haven't changed would be marked as changed in the editor's margin.
    const shown = which === "base" ? exceptBroken(document, written) : written;
    return applyEdits(document.text, applyGraph(document, shown));
  }

  /** The graph of an open file as it would be pushed. */
  #graphOf({ uri, document }: OpenFile): Graph {
    return this.#sessions.flowOf(uri)?.graphOf(document) ?? graphOf(document);
  }

  async newFlow(revision: string, assistant: string | undefined): Promise<{ text: string } | { problem: string }> {
    const { platformLink } = this.#sessions;
    if (!platformLink?.address) return { problem: noConnection() };
    try {
      const graph = await graphOfRevision(new PlatformClient(platformLink.transport), revision, assistant);
      if (!graph) return { problem: graphNotShown() };
      return { text: newFlowText(revision, assistant, graph) };
    } catch (error) {
      if (error instanceof PlatformError) return { problem: error.message };
      throw error;
    }
  }

  /** Reads the revisions of flows that share a snapshot. */
  async toolSnapshot(
    uri: string,
    flows: readonly FileFacts[],
  ): Promise<{ uri: string; text: string; count: number } | { problem: string }> {
    const { platformLink } = this.#sessions;
    if (!platformLink?.address) return { problem: noConnection() };
    const client = new PlatformClient(platformLink.transport);
    const linked = flows.filter((each) => each.assistant?.trim());
    const ids = new Set(linked.flatMap(({ revision }) => revision?.trim() || []));
    if (ids.size === 0) return { problem: notLinked() };
    const sources: ToolDefinitions[] = [];
    try {
      for (const id of ids) {
        const revision = await client.getWorkflowRevision(id);
        if (!revision.tools) return { problem: t("The platform doesn't list the tools of revision {0}.", id) };
        sources.push(toolsOfRevision(revision));
      }
    } catch (error) {
      if (error instanceof PlatformError) return { problem: error.message };
      throw error;
    }
    const definitions = mergedDefinitions(sources);
    return { uri, text: snapshotText(definitions), count: definitions.tools.length };
  }

  /** Waits until all file events have reached their sessions, so a push includes the last save. */
  #eventsHandled(): Promise<void> {
    return this.#sessions.inTurn(async () => {});
  }
}
