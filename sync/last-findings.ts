/** The platform's findings of the last answer, kept beside the journal for whoever asks later without asking it again. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PlatformFinding } from "../flow";
import type { GraphResult } from "../platform";
import { fileNameOf } from "./journal";
import type { Identity } from "./world";

export interface LastFindings {
  /** The version the findings speak of. */
  readonly version: number | undefined;
  readonly findings: readonly PlatformFinding[];
  readonly blocking_error_count?: number;
  readonly workflow_enabled?: boolean;
}

export async function keepFindings(stateDir: string, identity: Identity, result: GraphResult): Promise<void> {
  const { blocking_error_count, workflow_enabled } = result;
  const kept: LastFindings = {
    version: result.graph_version,
    ...(blocking_error_count === undefined ? {} : { blocking_error_count }),
    ...(workflow_enabled === undefined ? {} : { workflow_enabled }),
    findings: (result.validation?.findings ?? []) as readonly PlatformFinding[],
  };
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const file = placeOf(stateDir, identity);
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(beside, JSON.stringify(kept), { mode: 0o600 });
  await rename(beside, file);
}

/** Undefined where this flow was never sent from here, or what was kept cannot be read. */
export async function lastFindings(stateDir: string, identity: Identity): Promise<LastFindings | undefined> {
  try {
    const kept = JSON.parse(await readFile(placeOf(stateDir, identity), "utf8"));
    return Array.isArray(kept?.findings) ? kept : undefined;
  } catch {
    // They are a copy of what the platform said; the next sync writes them anew.
    return undefined;
  }
}

function placeOf(stateDir: string, identity: Identity): string {
  return path.join(stateDir, `${fileNameOf(identity)}.findings`);
}
