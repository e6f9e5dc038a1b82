/** Stored files with the platform's data about a revision. They are only copies, which the next sync writes again. */
import { FileRefused } from "../../files";
import type { StateStore } from "../../system";
import type { Identity } from "../environment";

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

/** The newest file with this ending that is about a revision, on whichever platform. */
export function newestOf<Kept extends { readonly of: Identity }>(
  state: StateStore,
  ending: string,
  { assistant, revision }: Pick<Identity, "assistant" | "revision">,
  isWhole: (value: Partial<Kept> | null) => value is Kept,
): Promise<Kept | undefined> {
  const isAbout = (kept: Partial<Kept> | null): kept is Kept =>
    isWhole(kept) && isSame(kept.of?.assistant, assistant) && isSame(kept.of?.revision, revision);
  return newestKept(state, ending, isAbout);
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

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
