/** Files in the state folder with the platform's data about a revision. */
import { path, readdir, stat } from "../../system";
import type { Identity } from "../environment";

/** The newest file with this ending that is about the revision, on whichever platform. */
export async function newestKept<Kept extends { readonly of: Identity }>(
  stateDir: string,
  ending: string,
  { assistant, revision }: Pick<Identity, "assistant" | "revision">,
  read: (file: string) => Promise<Kept | undefined>,
): Promise<Kept | undefined> {
  const names = await readdir(stateDir);
  const files = names.filter((name) => name.endsWith(ending)).map((name) => path.join(stateDir, name));
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  for (const { file } of dated.sort((a, b) => b.at - a.at)) {
    const kept = await read(file);
    if (kept && isSame(kept.of?.assistant, assistant) && isSame(kept.of?.revision, revision)) return kept;
  }
  return undefined;
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
