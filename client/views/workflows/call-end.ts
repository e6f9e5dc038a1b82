/**
 * Follows an execution until its call ends. The API can't read an execution, so its call is searched for among the
 * newest calls by execution ID.
 */
import { type Call, type PlatformClient, PlatformError } from "../../../platform";
import { isLive } from "../calls/rows";

const POLL_MS = 1000;
const MAX_POLL_MS = 10_000;
const GIVE_UP_MS = 15 * 60_000;

/** Returns the execution's first call once it has ended; undefined if cancelled. */
export async function waitForCallEnd(
  client: PlatformClient,
  execution: string,
  signal: AbortSignal,
  report: (call: Call | undefined) => void,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<Call | undefined> {
  let id: string | undefined;
  let wait = POLL_MS;
  let lastState = "";
  for (let waited = 0; waited < GIVE_UP_MS && !signal.aborted; waited += wait) {
    try {
      const found = id === undefined ? await callOf(client, execution, signal) : await client.getCall(id, { signal });
      id = found?.id ?? id;
      const state = `${found?.status}/${found?.transcript?.length}`;
      wait = state === lastState ? Math.min(MAX_POLL_MS, wait * 1.5) : POLL_MS;
      lastState = state;
      report(found);
      if (found && !isLive(found)) return found;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // A failed poll doesn't end the call, so try again later.
      wait = Math.min(MAX_POLL_MS, wait * 2);
    }
    await pause(wait);
  }
  return undefined;
}

async function callOf(client: PlatformClient, execution: string, signal: AbortSignal): Promise<Call | undefined> {
  const { calls } = await client.listCalls({}, { signal });
  return calls.find(({ workflowExecutionId }) => workflowExecutionId === execution);
}
