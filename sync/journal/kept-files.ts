/** Stored files with the platform's data about a revision. They are only copies, which the next sync writes again. */
import { FileRefused } from "../../files";
import type { StateStore } from "../../system";
import type { Identity } from "../environment";
import { fileNameOf } from "./journal";

/** What is known of the platform that a file is about. */
export type MaybeConnected = Omit<Identity, "connection"> & { readonly connection: string | undefined };

/** One kind of file: its ending, and whether its content can be used. */
export class KeptFiles<Kept extends { readonly of: Identity }> {
  constructor(
    private readonly ending: string,
    private readonly isWhole: (value: Partial<Kept> | null) => value is Kept,
  ) {}

  nameFor(identity: Identity): string {
    return `${fileNameOf(identity)}${this.ending}`;
  }

  /** The content for a revision; without a connection, that of any platform. */
  read(state: StateStore, { connection, assistant, revision }: MaybeConnected): Promise<Kept | undefined> {
    if (connection !== undefined)
      return readKept(state, this.nameFor({ connection, assistant, revision }), this.isWhole);
    const isAbout = (kept: Partial<Kept> | null): kept is Kept =>
      this.isWhole(kept) && isSame(kept.of?.assistant, assistant) && isSame(kept.of?.revision, revision);
    return newestKept(state, this.ending, isAbout);
  }
}

/** The content of a file; undefined if it doesn't exist or can't be used. */
export async function readKept<Kept>(
  state: StateStore,
  name: string,
  isWhole: (value: Partial<Kept> | null) => value is Kept,
): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse((await state.read(name)) ?? "null");
    return isWhole(kept) ? kept : undefined;
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    return undefined;
  }
}

/** The newest file with this ending. */
export async function newestKept<Kept>(
  state: StateStore,
  ending: string,
  isWanted: (value: Partial<Kept> | null) => value is Kept,
): Promise<Kept | undefined> {
  for (const name of await state.list(ending)) {
    const kept = await readKept(state, name, isWanted);
    if (kept) return kept;
  }
  return undefined;
}

/**
 * Writes values one at a time. A long chain of batches is answered faster than its values can be written, so only the
 * latest one is written then.
 */
export function latestOnly<Value>(write: (value: Value) => Promise<void>): (value: Value) => Promise<void> {
  let waiting: { readonly value: Value } | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async () => {
    while (waiting) {
      const { value } = waiting;
      waiting = undefined;
      await write(value);
    }
  };
  return (value) => {
    waiting = { value };
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  };
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
