/**
 * Binds API keys to origins. Outside VS Code, the key and the URL come from two variables, so a changed URL would send
 * the key to another party. So the hash of each key is stored with the origin it was first used at, and using another
 * origin requires explicit consent.
 */
import { isPrivateFolder, privateFolder, readPrivate, writeWhole } from "../files";
import { parsedJson } from "../flow/json";
import { path, sha256 } from "../system";
import { type Connection, isLoopback } from "./connection";
import { stateDirectory } from "./state-directory";

/** The key would be sent to a new origin. */
export class NewOrigin extends Error {
  override readonly name = "NewOrigin";
  constructor(
    readonly known: readonly string[],
    readonly wanted: string,
  ) {
    super(`This API key was first used with ${known.join(" and ")}, but the URL is now ${wanted}. Nothing was sent.`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
/** The origins of each key, by the hash of the key. */
type Origins = Record<string, readonly string[]>;

/**
 * Checks that the key may be sent to the origins of the connection; with `allowed`, adds them. `isExact`: the URL is
 * from a project file, which others may change, so ports of this computer are different origins.
 */
export async function keepOrigin(
  connection: Connection,
  env: Environment,
  allowed = false,
  isExact = false,
): Promise<void> {
  const { baseUrl, workflowBaseUrl, key, workflowKey } = connection;
  const uses = [{ key, address: baseUrl }];
  if (workflowBaseUrl !== undefined) uses.push({ key: workflowKey ?? key, address: workflowBaseUrl });
  const file = path.join(stateDirectory(env), "key-origins.json");
  const before = (await isPrivateFolder(path.dirname(file))) ? await known(file) : {};
  const after: Origins = { ...before };
  for (const { key, address } of uses) {
    const pins = [{ label: "key origin", origin: originOf(address) }];
    if (isExact) pins.unshift({ label: "environment key origin", origin: new URL(address).origin });
    for (const { label, origin } of pins) {
      const hash = sha256(`assistant-flow ${label}\0${key.reveal()}`);
      const first = before[hash];
      if (first?.includes(origin)) continue;
      if (first && !allowed) throw new NewOrigin(first, origin);
      after[hash] = [...new Set([...(after[hash] ?? []), origin])];
    }
  }
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  try {
    await privateFolder(path.dirname(file));
    await writeWhole(file, `${JSON.stringify(after, undefined, 2)}\n`, { private: true });
  } catch (error) {
    // A build machine may have no writable folder; then every use is a first use.
    if (!["EACCES", "EPERM", "EROFS", "ENOSPC"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** All loopback URLs count as one origin, because a sandbox has another port after each start. */
function originOf(address: string): string {
  const { origin, hostname } = new URL(address);
  return isLoopback(hostname) ? "this computer" : origin;
}

/** An invalid file counts as empty. */
async function known(file: string): Promise<Origins> {
  const text = await readPrivate(file);
  if (text === undefined) return {};
  const origins = parsedJson(text);
  return isOrigins(origins) ? origins : {};
}

function isOrigins(value: unknown): value is Origins {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (each) => Array.isArray(each) && each.every((origin) => typeof origin === "string"),
  );
}
