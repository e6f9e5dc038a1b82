/**
 * Folders that take long to create. Each is created under a temporary name and renamed when complete, and its name
 * includes the version. So an existing folder is complete, and a new version replaces the old one.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { capture } from "../project";

export interface Part {
  /** `code-1.139.1` */
  readonly name: string;
  /** A required file. If it is missing, the part is created again. */
  readonly proof: string;
  readonly make: (place: string) => Promise<void>;
}

/** Parts that this process is creating, because several groups of a test run may need the same part. */
const making = new Map<string, Promise<string>>();

export function ensurePart(home: string, part: Part): Promise<string> {
  const place = path.join(home, part.name);
  const made = making.get(place) ?? makePart(home, place, part).finally(() => making.delete(place));
  making.set(place, made);
  return made;
}

async function makePart(home: string, place: string, { name, proof, make }: Part): Promise<string> {
  if (existsSync(path.join(place, proof))) return place;
  console.log(`Setting up ${name} …`);
  await rm(place, { recursive: true, force: true });
  const unfinished = path.join(home, `${name}.${process.pid}.unfinished`);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await make(unfinished);
  if (!existsSync(path.join(unfinished, proof))) throw new Error(`Setup failed: ${name} has no ${proof}.`);
  try {
    await rename(unfinished, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    await rm(unfinished, { recursive: true, force: true }); // Another run created it first.
  }
  return place;
}

/** Removes leftovers of interrupted runs, and other versions of current parts. */
export async function removeLeftovers(home: string, current: readonly string[]): Promise<void> {
  const kinds = new Set(current.map(kindOf));
  for (const name of await readdir(home)) {
    const owner = /\.(\d+)\.unfinished$/.exec(name)?.[1];
    const stale = owner ? !isAlive(Number(owner)) : kinds.has(kindOf(name)) && !current.includes(name);
    if (stale) await rm(path.join(home, name), { recursive: true, force: true });
  }
}

const kindOf = (name: string) => name.replace(/-[^-]*$/, "");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // The process belongs to another user.
  }
}

export async function unpack(place: string, archive: string, options: readonly string[] = []): Promise<void> {
  const { code, output } = await capture("tar", ["-xf", archive, ...options], { cwd: place });
  if (code !== 0) throw new Error(`Setup failed: couldn't unpack ${archive}: ${output.trim()}`);
}
