/**
 * Folders that take long to make. Each is made beside its place and moved there when it is whole, and is named by its
 * version. So one that exists is complete, whatever happened to an earlier run, and a new version replaces the old one.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { capture } from "../project";

export interface Part {
  /** `code-1.139.1` */
  readonly name: string;
  /** A file that it cannot do without. Where that is gone, somebody has meddled, and the part is made again. */
  readonly proof: string;
  readonly make: (place: string) => Promise<void>;
}

/** What is being made by this process: two parts of a test run may need the same at the same time. */
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
  if (!existsSync(path.join(unfinished, proof))) throw new Error(`Set-up stopped: ${name} came without ${proof}.`);
  try {
    await rename(unfinished, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    await rm(unfinished, { recursive: true, force: true }); // Another run was faster.
  }
  return place;
}

/** Removes what interrupted runs left, and other versions of the parts that are current. */
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
    return (error as NodeJS.ErrnoException).code === "EPERM"; // It is somebody else's.
  }
}

export async function unpack(place: string, archive: string, options: readonly string[] = []): Promise<void> {
  const { code, output } = await capture("tar", ["-xf", archive, ...options], { cwd: place });
  if (code !== 0) throw new Error(`Set-up stopped: ${archive} could not be unpacked: ${output.trim()}`);
}
