/** Groups flow files by the platform they are synced with, each with its connection. */

import type { RuleSettings } from "../../flow";
import type { Connection } from "../../platform";
import type { FlowFile } from "../files/flow-files";
import { connectionOf, environmentConnection, type KeyOptions } from "../platform/cli-connection";
import { type Allowed, type SyncResult, type Work, withSyncs } from "../platform/flow-sync";
import type { Terminal } from "../terminal";
import { type PlacedFile, placeFiles } from "./projects";

export interface Group {
  readonly files: readonly PlacedFile[];
  readonly connection: Connection;
}

/** In the order of the files. Without files there is one empty group. */
export async function groupsOf(files: readonly FlowFile[], options: KeyOptions, terminal: Terminal): Promise<Group[]> {
  const groups = new Map<string, PlacedFile[]>();
  for (const file of await placeFiles(files, options.env, terminal.cwd)) {
    const key = file.environment ? `${file.environment.name} ${file.environment.url}` : "";
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  const found: Group[] = [];
  for (const members of groups.values()) {
    const environment = members[0]?.environment;
    const connection = environment
      ? await environmentConnection(environment, options, terminal)
      : await connectionOf(terminal, options);
    found.push({ files: members, connection });
  }
  return found.length > 0 ? found : [{ files: [], connection: await connectionOf(terminal, options) }];
}

/** Syncs files, each with its platform. */
export async function syncFiles(
  files: readonly FlowFile[],
  options: KeyOptions,
  allowed: Allowed,
  rules: RuleSettings,
  terminal: Terminal,
  work: Work,
): Promise<SyncResult[]> {
  const results: SyncResult[] = [];
  for (const group of await groupsOf(files, options, terminal))
    for (const each of await withSyncs(group.files, group.connection, allowed, rules, terminal, work))
      results.push(each);
  return results;
}
