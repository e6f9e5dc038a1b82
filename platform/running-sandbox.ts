/**
 * The local sandbox of this user, as whoever started it wrote down: so that every window, editor and terminal finds the
 * one that runs and nobody starts a second. The file is private, because the sandbox's key is in it.
 */
import path from "node:path";

export interface RunningSandbox {
  readonly pid: number;
  readonly base_url: string;
  readonly workflow_base_url: string;
  readonly api_key: string;
  /** Where its state is; absent where it is in memory only. */
  readonly data_dir?: string;
}

export function runningSandboxFile(stateDirectory: string): string {
  return path.join(stateDirectory, "sandbox.json");
}

/** What the file says, if that can be true: a process that lives, and addresses of this computer. */
export function readRunningSandbox(text: string | undefined): RunningSandbox | undefined {
  const said = readLastSandbox(text);
  return said && lives(said.pid) ? said : undefined;
}

/** What the file says, of a process that may be gone: it was not stopped by anybody then, or its file would be gone, too. */
export function readLastSandbox(text: string | undefined): RunningSandbox | undefined {
  const said = parsed(text);
  if (!said || !Number.isSafeInteger(said.pid) || said.pid <= 0) return undefined;
  const { base_url, workflow_base_url, api_key } = said;
  if ([base_url, workflow_base_url, api_key].some((each) => typeof each !== "string")) return undefined;
  return isLoopback(base_url) && isLoopback(workflow_base_url) ? said : undefined;
}

function parsed(text: string | undefined): RunningSandbox | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? (value as RunningSandbox) : undefined;
  } catch {
    return undefined; // JSON.parse quotes its input in the error, and a key is in it.
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there and belongs to somebody else, so it is not ours.
    return (error as NodeJS.ErrnoException).code === undefined;
  }
}

function isLoopback(address: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(address);
}
