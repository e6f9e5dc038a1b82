/**
 * Allows one process per data directory. The lock file contains a loopback port on which its owner responds with a
 * token, so a stale file is detected even if another process has the same process ID.
 */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { createWhole, privateFolder, readPrivate } from "../../files";

export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";
}

/** Acquires the lock and returns a function that releases it. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  await privateFolder(directory);
  const token = randomUUID();
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(token);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const path = join(directory, "lock");
  try {
    for (let attempt = 0; !(await createWhole(path, `${port} ${token}\n`, { private: true })); attempt++) {
      if (attempt === 3 || (await ownerLives(path)))
        throw new DirectoryInUse(`Another sandbox is using ${directory}. Stop it, or choose another --data-dir.`);
      // Renamed first, so that of two processes only one removes the stale file.
      renameSync(path, `${path}-${token}`);
      rmSync(`${path}-${token}`);
    }
  } catch (error) {
    server.close();
    throw error;
  }
  return async () => {
    rmSync(path, { force: true });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
}

async function ownerLives(path: string): Promise<boolean> {
  let port: number;
  let token: string;
  try {
    const [first = "", second = ""] = ((await readPrivate(path)) ?? "").trim().split(" ");
    port = Number(first);
    token = second;
  } catch {
    return false;
  }
  if (!Number.isInteger(port) || port <= 0 || port > 65535) return false;
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect({ port, host: "127.0.0.1" });
    const end = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(2000, () => end(false));
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("error", () => end(false));
    socket.on("end", () => end(heard === token));
  });
}
