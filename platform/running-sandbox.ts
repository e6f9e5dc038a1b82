/**
 * The registration of this user's local sandbox, so that all editors and terminals share one instance. The file is
 * private, because it contains the sandbox's API key.
 */

import { parsedJson } from "../flow/json";
import { path } from "../system";

export interface RunningSandbox {
  readonly pid: number;
  readonly base_url: string;
  readonly workflow_base_url: string;
  readonly api_key: string;
  /** The folder of its state; missing if it is in memory. */
  readonly data_dir?: string;
}

export function runningSandboxFile(stateDirectory: string): string {
  return path.join(stateDirectory, "sandbox.json");
}

/** Reads the registration, if its process is alive and its URLs are on this computer. */
export function readRunningSandbox(text: string | undefined): RunningSandbox | undefined {
  const registered = readLastSandbox(text);
  return registered && lives(registered.pid) ? registered : undefined;
}

/** Reads the registration even if its process is gone. A sandbox that was stopped removes its file. */
export function readLastSandbox(text: string | undefined): RunningSandbox | undefined {
  const registered = parsed(text);
  if (!registered || !Number.isSafeInteger(registered.pid) || registered.pid <= 0) return undefined;
  const { base_url, workflow_base_url, api_key } = registered;
  if ([base_url, workflow_base_url, api_key].some((each) => typeof each !== "string")) return undefined;
  return isLoopback(base_url) && isLoopback(workflow_base_url) ? registered : undefined;
}

function parsed(text: string | undefined): RunningSandbox | undefined {
  const value = parsedJson(text ?? "");
  return typeof value === "object" && value !== null ? (value as RunningSandbox) : undefined;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user, so it isn't ours.
    return (error as NodeJS.ErrnoException).code === undefined;
  }
}

function isLoopback(address: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(address);
}
