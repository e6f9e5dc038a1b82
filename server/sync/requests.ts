/** Handles the client's requests about sync. Each loads the service if necessary. */

import { t } from "../../text";
import {
  ConnectionChanged,
  EnvironmentStatesRequest,
  ListedIdsRequest,
  VersionsRequest,
  VersionTextRequest,
} from "../environment-messages";
import {
  type ConnectionInfo,
  type Message,
  OtherTextRequest,
  PlanRequest,
  ResolveRequest,
  SyncActionRequest,
} from "../messages";
import { NewFlowRequest, ToolSnapshotRequest, ToolTextRequest } from "../revision-messages";
import type { Server } from "../server-parts";
import { readFlowFile } from "../workspace/files";
import type { LazySync } from "./lazy";

export function registerSync(server: Server, sync: LazySync, setConnection: (info: ConnectionInfo) => void): void {
  const on = <Params, Result>(message: Message<Params, Result>, handle: (params: Params) => Result | Promise<Result>) =>
    server.connection.onRequest(message.method, (params: Params): unknown => handle(params));
  server.connection.onNotification(
    ConnectionChanged.method,
    async ({ projectChanged = false, ...info }: ConnectionInfo & { projectChanged?: boolean }) => {
      setConnection(info);
      await sync.loaded?.connectionChanged(projectChanged);
    },
  );
  on(SyncActionRequest, async ({ uri, action, answered }) => (await sync.ready()).act(uri, action, answered));
  on(ResolveRequest, async ({ uri, choices }) => (await sync.ready()).resolve(uri, choices));
  on(PlanRequest, async ({ uri }) => {
    const file = server.workspace.get(uri);
    return file ? (await sync.ready()).plan(file) : null;
  });
  on(OtherTextRequest, async ({ uri, which }) => {
    const file = server.workspace.get(uri);
    return file ? (await sync.ready()).otherText(file, which) : null;
  });
  on(EnvironmentStatesRequest, async ({ uri }) => (await sync.ready()).environments.of(uri));
  on(ListedIdsRequest, ({ uris }) =>
    uris.map((uri) =>
      server.companions.projects.environmentsOf(uri).flatMap(({ link }) => [link.assistant, link.revision]),
    ),
  );
  on(VersionsRequest, async ({ uri }) => {
    const text = server.workspace.get(uri)?.document.text ?? (await readFlowFile(uri));
    return text === undefined ? { versions: [] } : (await sync.ready()).environments.versions(uri, text);
  });
  on(VersionTextRequest, async ({ uri, environment, version }) => {
    const text = server.workspace.get(uri)?.document.text;
    return text === undefined ? null : (await sync.ready()).environments.textWith(uri, text, environment, version);
  });
  on(ToolTextRequest, async ({ uri, tool }) => (await sync.ready()).toolText(uri, tool));
  on(ToolSnapshotRequest, async ({ uri }) => {
    const { tools } = server.companions;
    const target = tools.snapshotUri(uri);
    if (target === undefined) return { problem: t("Save the file first.") };
    const sharing = [...server.workspace.facts()].filter((facts) => tools.snapshotUri(facts.uri) === target);
    return (await sync.ready()).toolSnapshot(target, sharing);
  });
  on(NewFlowRequest, async ({ revision, assistant }) => (await sync.ready()).newFlow(revision, assistant));
}
