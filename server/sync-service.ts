/**
 * The seam to the platform. Language features never wait for it: the server tells it what happened to files, and asks
 * for what the platform last said about them.
 */
import type { Graph, Problem } from "../flow";

export interface SyncService {
  /** The file was saved with this text. Returns at once; the work goes on in the background. */
  saved(uri: string, text: string): void;
  closed(uri: string): void;
  /** What the platform found in the file, placed in its text as it is now. Shown beside the rules' own problems. */
  findings(uri: string): readonly Problem[];
  /** The graph the file last agreed with, if it ever did. */
  base(uri: string): Graph | undefined;
  /** Calls back when the findings of a file changed. */
  onFindings(listener: (uri: string) => void): void;
  dispose(): void;
}

/** A server without a platform: every language feature works, nothing is synced. */
export const noSync: SyncService = {
  saved: () => {},
  closed: () => {},
  findings: () => [],
  base: () => undefined,
  onFindings: () => {},
  dispose: () => {},
};
