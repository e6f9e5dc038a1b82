/**
 * The seam to the platform. Language features never wait for it: the server tells it what happened to files, and asks
 * for what the platform last said about them. Its code is loaded with the first file that names a revision, so that a
 * server that only edits never pays for it.
 */
import type { Graph, Problem, TextEdit } from "../flow";
import type { SuggestedFix } from "../flow/findings";
import type { OpenFile } from "./workspace/workspace";

/** Who saved: a person by a command, or the editor by itself, after a delay or when it lost the focus. */
export type SavedBy = "person" | "editor";

export interface SyncService {
  /** A file was opened; its text is what is on disk. */
  opened(file: OpenFile): void;
  /** The text was edited; called before the edits are made. */
  changed(file: OpenFile, edits: readonly TextEdit[]): void;
  /** The file was saved, by a person or by its editor. Returns at once; the work goes on in the background. */
  saved(file: OpenFile, by: SavedBy): void;
  closed(uri: string): void;
  /** The file was changed on disk by something else than its editor. */
  changedOutside(uri: string): void;
  /** The editor renamed or moved the file. */
  moved(from: string, to: string): void;
  /** A folder is no longer part of the workspace. */
  left(folder: string): void;
  /** What the platform found in the file, placed in its text as it is now. Shown beside the rules' own problems. */
  findings(uri: string): readonly Problem[];
  /** What only who made the plan of a file can know; shown among the rules' own problems. */
  notes(file: OpenFile): readonly Problem[];
  /** What the platform suggests for one of its findings. */
  fix(file: OpenFile, problem: Problem): SuggestedFix | undefined;
  /** The graph the file last agreed with, if it ever did. */
  base(uri: string): Graph | undefined;
  /** Calls back when the findings of a file changed. */
  onFindings(listener: (uri: string) => void): void;
  dispose(): Promise<void>;
}

/** A server without a platform: every language feature works, nothing is synced. */
export const noSync: SyncService = {
  opened: () => {},
  changed: () => {},
  saved: () => {},
  closed: () => {},
  changedOutside: () => {},
  moved: () => {},
  left: () => {},
  findings: () => [],
  notes: () => [],
  fix: () => undefined,
  base: () => undefined,
  onFindings: () => {},
  dispose: async () => {},
};
