/** Starts the bundled sandbox for `npm start` and for tests. */
import { existsSync } from "node:fs";
import { inProject, start, temporaryFolder, waitForOutput } from "./project";

export interface Sandbox {
  readonly baseUrl: string;
  readonly workflowBaseUrl: string;
  readonly apiKey: string;
  /** With `--admin-port`. */
  readonly adminUrl: string | undefined;
  /** The IDs of the demo; empty without `--demo`. */
  readonly demo: { assistant?: string; revision?: string; archived_assistant?: string; review?: string };
  /** Environment variables that pass the connection to a program. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

export function sandboxExists(): boolean {
  return existsSync(inProject("dist/cli.js")) && existsSync(inProject("sandbox/index.ts"));
}

/** `flags` are additional command-line flags, such as `--clock-speed`. */
export async function startSandbox({
  port = 0,
  demo = true,
  flags = [] as readonly string[],
  dataDir = undefined as string | undefined,
  umask = undefined as string | undefined,
  env = {} as Record<string, string>,
} = {}): Promise<Sandbox> {
  const folder = await temporaryFolder();
  const args = [
    "sandbox",
    "--port",
    String(port),
    "--data-dir",
    dataDir ?? folder.path,
    "--json",
    ...(demo ? ["--demo"] : []),
    ...flags,
  ];
  const words = [process.execPath, inProject("dist/cli.js"), ...args];
  const [program = "", ...rest] = umask ? ["/bin/sh", "-c", `umask ${umask}; exec "$@"`, "sh", ...words] : words;
  const running = start(program, rest, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const stop = async () => {
    await running.stop();
    await folder.remove();
  };
  try {
    const [line] = await waitForOutput(running, /^\{.*"base_url".*\}$/m, "The sandbox");
    const said = JSON.parse(line);
    return {
      baseUrl: said.base_url,
      workflowBaseUrl: said.workflow_base_url,
      apiKey: said.api_key,
      adminUrl: said.admin_url,
      demo: said.demo ?? {},
      env: {
        ASSISTANT_FLOW_BASE_URL: said.base_url,
        ASSISTANT_FLOW_WORKFLOW_BASE_URL: said.workflow_base_url,
        ASSISTANT_FLOW_API_KEY: said.api_key,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
