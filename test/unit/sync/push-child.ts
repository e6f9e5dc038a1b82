/** A process that pushes a flow, to be killed at any moment: `BASE_URL KEY ASSISTANT REVISION STATE_DIR FILE`. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openState } from "../../../files";
import { FlowDocument } from "../../../flow";
import { fetchTransport, PlatformClient, Secret, type Transport } from "../../../platform";
import { platformRemote, SyncSession, systemEnvironment, targetOf } from "../../../sync";

const [baseUrl, key, assistant, revision, stateDir, file] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

async function main(): Promise<void> {
  const identity = { connection: baseUrl, assistant, revision };
  const direct = fetchTransport({ baseUrl, key: new Secret(key) });
  // Slow requests, so that there is time to kill it.
  const far: Transport = {
    send: async (request, options) => {
      await sleep(15);
      const response = await direct.send(request, options);
      await sleep(15);
      return response;
    },
  };
  const client = new PlatformClient(far);
  const sync = new SyncSession(
    identity,
    systemEnvironment(platformRemote(client, identity), openState(stateDir)),
    {
      files: () => [file],
      mergeIntoFile: async () => {
        throw new Error("nothing but this file changes the flow");
      },
      confirm: async () => true,
      statusChanged: ({ state }) => {
        if (state.kind === "syncing") process.stdout.write(`${state.batch}/${state.batches}\n`);
        else process.stdout.write(`${state.kind}\n`);
      },
    },
    `process ${process.pid}`,
  );
  sync.save(targetOf(FlowDocument.read(readFileSync(file, "utf8"))));
  const { state } = await sync.push();
  await sync.close();
  process.exitCode = state.kind === "synced" ? 0 : 1;
}

void main();
