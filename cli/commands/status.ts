/** `assistant-flow status`. */

import { oneLine, visibleLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { type Group, groupsOf } from "../environments/groups";
import { type FlowFile, readFlowFiles } from "../files/flow-files";
import { clientFor, type KeyOptions } from "../platform/cli-connection";
import { compileJson, revisionLines, revisionsOf } from "../platform/compile";
import { describeState, exitOf, type SyncResult, stateJson, withSyncs } from "../platform/flow-sync";
import { type FormatOptions, showJson } from "../terminal";
import { whoIs } from "./login";

export async function run({ args, options, terminal }: Input<FormatOptions & KeyOptions>): Promise<number> {
  const files = await readFlowFiles(args, terminal).catch((error: unknown): FlowFile[] => {
    // Without arguments, it's fine if there are no flows.
    if (error instanceof Stop && args.length === 0) return [];
    throw error;
  });
  const groups = await groupsOf(files, options, terminal);
  const [{ connection }] = groups as [Group];
  const who = await whoIs(clientFor(connection));
  const results: SyncResult[] = [];
  for (const group of groups)
    for (const each of await withSyncs(group.files, group.connection, {}, {}, terminal, "look")) results.push(each);
  const records = await revisionsOf(results);
  const calling = connection.workflowBaseUrl;
  if (options.format === "json")
    showJson(
      {
        base_url: connection.baseUrl,
        workflow_base_url: calling,
        who,
        files: results.map((result) => ({
          ...stateJson(result),
          ...(result.revision && { compile: compileJson(records.get(result)?.compile) }),
        })),
      },
      terminal,
    );
  else {
    const name = visibleLine([who.name ?? who.email, who.organization_name].filter(Boolean).join(", "));
    terminal.out(`platform  ${connection.baseUrl}${name ? ` (${name})` : ""}\n`);
    terminal.out(`calling   ${calling ?? "not set (ASSISTANT_FLOW_WORKFLOW_BASE_URL)"}\n`);
    for (const result of results) {
      terminal.out(`${describeState(result)}\n`);
      for (const line of revisionLines(records.get(result))) terminal.out(oneLine`    ${line}\n`);
    }
  }
  if (results.some((result) => exitOf(result) === EXIT.unreachable)) return EXIT.unreachable;
  // Any known state is a success; an unknown state isn't.
  const isUnknown = ({ state }: SyncResult) => state.kind === "pending" && state.reason === "disk";
  return results.some(isUnknown) ? EXIT.failed : EXIT.fine;
}
