/**
 * Follows an execution until its call ends. The API can't read an execution, so its call is searched for among the
 * newest calls by execution ID.
 */
import { type Call, type PlatformClient, PlatformError } from "../../../platform";
import { isLive } from "../calls/rows";

const LOOK_MS = 1000;
const LONGEST_LOOK_MS = 10_000;
const GIVE_UP_MS = 15 * 60_000;

/** Returns the execution's first call once it has ended; undefined if cancelled. */
export async function lastWord(
  client: PlatformClient,
  execution: string,
  signal: AbortSignal,
  say: (call: Call | undefined) => void,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<Call | undefined> {
  let id: string | undefined;
  let wait = LOOK_MS;
  let told = "";
  for (let waited = 0; waited < GIVE_UP_MS && !signal.aborted; waited += wait) {
    try {
      const found = id === undefined ? await callOf(client, execution, signal) : await client.getCall(id, { signal });
      id = found?.id ?? id;
      const state = `${found?.status}/${found?.transcript?.length}`;
      wait = state === told ? Math.min(LONGEST_LOOK_MS, wait * 1.5) : LOOK_MS;
      told = state;
      say(found);
      if (found && !isLive(found)) return found;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // A failed poll doesn't end the call, so try again later.
      wait = Math.min(LONGEST_LOOK_MS, wait * 2);
    }
    await pause(wait);
  }
  return undefined;
}

async function callOf(client: PlatformClient, execution: string, signal: AbortSignal): Promise<Call | undefined> {
  const { calls } = await client.listCalls({}, { signal });
  return calls.find(({ workflowExecutionId }) => workflowExecutionId === execution);
}
