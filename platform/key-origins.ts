/**
 * Which platform a key belongs to. Outside VS Code key and address come from two variables, so a changed address would
 * take the key along to whoever owns it. A key is therefore remembered, as a hash, with the origin it was first used at,
 * and goes to another one only when somebody says so.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { isPrivateFolder, privateFolder, readPrivate, writeWhole } from "../files";
import { type Connection, isLoopback } from "./connection";
import { stateDirectory } from "./state-directory";

/** The key would go to an origin that it was never used at. */
export class NewOrigin extends Error {
  override readonly name = "NewOrigin";
  constructor(
    readonly known: readonly string[],
    readonly wanted: string,
  ) {
    super(
      `This API key was first used with ${known.join(" and ")}, and the URL now leads to ${wanted}, so nothing was sent.`,
    );
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
/** The origins of each key, by its hash. */
type Origins = Record<string, readonly string[]>;

/** Makes sure that the key belongs to where the connection leads; `allowed`: it does from now on. */
export async function keepOrigin(connection: Connection, env: Environment, allowed = false): Promise<void> {
  const { baseUrl, workflowBaseUrl, key, workflowKey } = connection;
  const uses = [{ key, address: baseUrl }];
  if (workflowBaseUrl !== undefined) uses.push({ key: workflowKey ?? key, address: workflowBaseUrl });
  const file = path.join(stateDirectory(env), "key-origins.json");
  const before = (await isPrivateFolder(path.dirname(file))) ? await known(file) : {};
  const after: Origins = { ...before };
  for (const { key, address } of uses) {
    const hash = createHash("sha256").update(`assistant-flow key origin\0${key.reveal()}`).digest("hex");
    const origin = originOf(address);
    const first = before[hash];
    if (first?.includes(origin)) continue;
    if (first && !allowed) throw new NewOrigin(first, origin);
    after[hash] = [...new Set([...(after[hash] ?? []), origin])];
  }
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  try {
    await privateFolder(path.dirname(file));
    await writeWhole(file, `${JSON.stringify(after, undefined, 2)}\n`, { private: true });
  } catch (error) {
    // A build machine may have no place to keep anything: then every use is a first one.
    if (!["EACCES", "EPERM", "EROFS", "ENOSPC"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** A sandbox has another port each time it starts; this computer counts as one place. */
function originOf(address: string): string {
  const { origin, hostname } = new URL(address);
  return isLoopback(hostname) ? "this computer" : origin;
}

/** What cannot be read as our own record says nothing about any key. */
async function known(file: string): Promise<Origins> {
  const text = await readPrivate(file);
  if (text === undefined) return {};
  try {
    const origins: unknown = JSON.parse(text);
    return isOrigins(origins) ? origins : {};
  } catch {
    return {};
  }
}

function isOrigins(value: unknown): value is Origins {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (each) => Array.isArray(each) && each.every((origin) => typeof origin === "string"),
  );
}
