/**
 * Allows one process per data directory. The lock file contains a loopback port on which its owner responds with a
 * token, so a stale file is detected even if another process has the same process ID.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  server.unref();
  const { port } = server.address() as AddressInfo;
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
  let received = "";
  try {
    const [port = "", token = ""] = ((await readPrivate(path)) ?? "").trim().split(" ");
    const socket = connect({ port: Number(port), host: "127.0.0.1" }).setEncoding("utf8");
    socket.setTimeout(2000, () => socket.destroy());
    for await (const chunk of socket) received += chunk;
    return received === token;
  } catch {
    // The file isn't valid, or its port doesn't answer in time.
    return false;
  }
}
