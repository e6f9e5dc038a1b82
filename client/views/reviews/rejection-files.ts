/**
 * Stores rejections as files in `waiting` or `sending`. Moving or deleting a file succeeds in only one window, so
 * windows need no other coordination.
 */
import { readPrivate, writeWhole } from "../../../files";
import { parsedJson } from "../../../flow/json";
import { mkdir, path, readdir, rename, sha256, stat, unlink, utimes } from "../../../system";
import type { Rejection, RejectionStore } from "./queue";

/** No request takes this long, so a window that is still sending has crashed. */
const ABANDONED_MS = 120_000;

export class RejectionFiles implements RejectionStore {
  readonly #waiting: string;
  readonly #sending: string;

  constructor(folder: string) {
    this.#waiting = path.join(folder, "waiting");
    this.#sending = path.join(folder, "sending");
  }

  async put(rejection: Rejection): Promise<void> {
    await mkdir(this.#waiting, { recursive: true, mode: 0o700 });
    const target = path.join(this.#waiting, nameOf(rejection));
    await writeWhole(target, JSON.stringify(rejection), { private: true, durable: true });
  }

  async waiting(): Promise<Rejection[]> {
    return (await this.#read(this.#waiting)).map(({ rejection }) => rejection);
  }

  take(rejection: Rejection): Promise<boolean> {
    return unlessGone(unlink(path.join(this.#waiting, nameOf(rejection))));
  }

  async begin(rejection: Rejection): Promise<boolean> {
    await mkdir(this.#sending, { recursive: true, mode: 0o700 });
    const target = path.join(this.#sending, nameOf(rejection));
    if (!(await unlessGone(rename(path.join(this.#waiting, nameOf(rejection)), target)))) return false;
    await utimes(target, new Date(), new Date());
    return true;
  }

  async end(rejection: Rejection): Promise<void> {
    await unlessGone(unlink(path.join(this.#sending, nameOf(rejection))));
  }

  async interrupted(): Promise<Rejection[]> {
    const left: Rejection[] = [];
    for (const { file, rejection } of await this.#read(this.#sending)) {
      const since = await stat(file).catch(() => undefined);
      if (since && Date.now() - since.mtimeMs > ABANDONED_MS && (await unlessGone(unlink(file)))) left.push(rejection);
    }
    return left;
  }

  async #read(folder: string): Promise<{ file: string; rejection: Rejection }[]> {
    const names = await readdir(folder).catch(() => [] as string[]);
    const found: { file: string; rejection: Rejection }[] = [];
    for (const name of names.filter((each) => each.endsWith(".json")).sort()) {
      const file = path.join(folder, name);
      const rejection = parse((await readPrivate(file).catch(() => "")) ?? "");
      if (rejection) found.push({ file, rejection });
    }
    return found.sort((a, b) => a.rejection.due - b.rejection.due);
  }
}

function nameOf({ connection, id }: Rejection): string {
  return `${sha256(`${connection}\n${id}`).slice(0, 32)}.json`;
}

async function unlessGone(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

function parse(text: string): Rejection | undefined {
  // Another window may be moving the file.
  const value = parsedJson(text) as Partial<Rejection> | null | undefined;
  const texts = [value?.id, value?.note, value?.connection, value?.label];
  return texts.every((one) => typeof one === "string") && typeof value?.due === "number"
    ? (value as Rejection)
    : undefined;
}
