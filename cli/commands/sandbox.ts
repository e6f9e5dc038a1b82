/** `assistant-flow sandbox`: starts the local platform and stops it cleanly. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { privateFolder, readPrivate, writeWhole } from "../../files";
import { type RunningSandbox, readRunningSandbox, runningSandboxFile, stateDirectory } from "../../platform";
import {
  COMPILE_BEHAVIORS,
  MISMATCH_BEHAVIORS,
  NORMAL_FORMS,
  OPTIONAL_PARTS,
  type OptionalPart,
  type SandboxOptions,
  startSandbox,
} from "../../sandbox";
import { EXIT, type Input, Stop } from "../command";
import { fileReason } from "../files/file-error";
import { listOf, numberOf, oneOf } from "../limits";

interface SandboxFlags {
  readonly port: string;
  readonly callingPort?: string;
  readonly adminPort?: string;
  readonly dataDir?: string;
  readonly demo?: boolean;
  readonly calls?: string;
  readonly seed: string;
  readonly onVersionMismatch: string;
  readonly compile: string;
  readonly normalize?: string;
  readonly without?: string;
  readonly clockSpeed: string;
  readonly json?: boolean;
  readonly shared?: boolean;
}

export async function run({ options: flags, terminal }: Input<SandboxFlags>): Promise<number> {
  const { ASSISTANT_FLOW_API_KEY: earlierKey } = terminal.env;
  const report = (message: string) => terminal.err(`${message}\n`);
  const options = { ...optionsOf(flags), report, apiKey: earlierKey };
  const sandbox = await startSandbox(options).catch((error: NodeJS.ErrnoException & { port?: number }) => {
    if (error.code === "EADDRINUSE" || (error.code === "EACCES" && error.port !== undefined))
      throw new Stop(`Port ${error.port ?? flags.port} is in use. Choose another port, or 0 for a free one.`);
    if (error.code !== undefined && error.path !== undefined)
      throw new Stop(`Can't use data directory ${flags.dataDir}: ${fileReason(error)}`);
    throw error;
  });
  const { baseUrl, workflowBaseUrl, apiKey, adminUrl, demo } = sandbox;
  // A sandbox started in a terminal is registered for VS Code; one started by a program isn't.
  const unregister =
    flags.shared || !flags.json
      ? await register(runningSandboxFile(stateDirectory(terminal.env)), {
          pid: process.pid,
          base_url: baseUrl,
          workflow_base_url: workflowBaseUrl,
          api_key: apiKey,
          data_dir: flags.dataDir === undefined ? undefined : path.resolve(terminal.cwd, flags.dataDir),
        })
      : async () => undefined;
  // Registered before the ready message, because a program may stop the sandbox as soon as it reads that.
  let ending = false;
  const end = (isAsked: boolean) => {
    if (ending) return;
    ending = true;
    // Other users of the sandbox may start it again with its data, unless the user stopped it.
    const stopped = (isAsked ? unregister() : Promise.resolve()).then(() => sandbox.stop());
    stopped.then(
      () => process.exit(0),
      (error: Error) => {
        terminal.err(`The sandbox didn't stop cleanly: ${fileReason(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => end(true));
  process.on("SIGINT", () => end(true));
  // A sandbox started by the extension stops with it.
  process.on("disconnect", () => end(false));
  if (flags.json)
    terminal.out(
      `${JSON.stringify({
        base_url: baseUrl,
        workflow_base_url: workflowBaseUrl,
        api_key: apiKey,
        admin_url: adminUrl,
        demo: demo && {
          assistant: demo.assistant,
          revision: demo.revision,
          archived_assistant: demo.archivedAssistant,
          review: demo.review,
        },
      })}\n`,
    );
  else
    terminal.out(
      `${[
        "The sandbox is ready. It is only reachable from this computer. Press Ctrl+C to stop.",
        "",
        `  export ASSISTANT_FLOW_BASE_URL=${baseUrl}`,
        `  export ASSISTANT_FLOW_WORKFLOW_BASE_URL=${workflowBaseUrl}`,
        `  export ASSISTANT_FLOW_API_KEY=${apiKey}`,
        ...(adminUrl ? ["", `  Admin: ${adminUrl}`] : []),
        ...(flags.dataDir ? [] : ["", "  The state is kept in memory. Use --data-dir to store it."]),
      ].join("\n")}\n`,
    );
  return EXIT.fine;
}

/** Registers the sandbox unless another one is registered, and returns a function that unregisters it. */
async function register(file: string, running: RunningSandbox): Promise<() => Promise<void>> {
  const others = readRunningSandbox(await readPrivate(file).catch(() => undefined));
  if (others) return async () => undefined;
  try {
    await privateFolder(path.dirname(file));
    await writeWhole(file, JSON.stringify(running), { private: true });
  } catch (error) {
    // Not fatal: only VS Code won't find it.
    process.stderr.write(`VS Code won't find this sandbox: ${error instanceof Error ? fileReason(error) : error}\n`);
    return async () => undefined;
  }
  return async () => {
    const now = readRunningSandbox(await readPrivate(file).catch(() => undefined));
    if (now?.pid === running.pid) await rm(file, { force: true });
  };
}

function optionsOf(flags: SandboxFlags): SandboxOptions {
  const { port, callingPort, adminPort, dataDir, calls, seed, normalize = "", without = "" } = flags;
  if (calls !== undefined && !flags.demo) throw new Stop("--calls requires --demo.", EXIT.usage);
  const clockSpeed = Number(flags.clockSpeed);
  if (!(clockSpeed > 0 && clockSpeed <= 1e6)) throw new Stop("--clock-speed must be a positive number.", EXIT.usage);
  const forms = listOf("--normalize", normalize, [...NORMAL_FORMS, "all"]);
  return {
    port: portOf("--port", port),
    callingPort: callingPort === undefined ? undefined : portOf("--calling-port", callingPort),
    adminPort: adminPort === undefined ? undefined : portOf("--admin-port", adminPort),
    dataDir,
    demo: flags.demo === true,
    calls: calls === undefined ? undefined : { count: numberOf("--calls", calls, 0, 100_000), seed },
    onVersionMismatch: oneOf("--on-version-mismatch", flags.onVersionMismatch, MISMATCH_BEHAVIORS),
    compile: oneOf("--compile", flags.compile, COMPILE_BEHAVIORS),
    normalize: NORMAL_FORMS.filter((form) => forms.includes(form) || forms.includes("all")),
    without: listOf("--without", without, Object.keys(OPTIONAL_PARTS) as OptionalPart[]),
    clockSpeed,
  };
}

function portOf(flag: string, value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65535) return port;
  throw new Stop(`${flag} must be a port from 0 to 65535.`, EXIT.usage);
}
