/**
 * Starts the bundled sandbox, which runs the whole platform on loopback without an account. It stops with the window.
 */

import { l10n } from "vscode";
import { reasonOf } from "../../files";
import { parsedJson } from "../../flow/json";
import { Secret } from "../../platform";
import { type ChildProcessByStdio, type Readable, spawn } from "../../system";
import { Lines } from "../../text";
import type { ConnectionSecret } from "./store";

export interface RunningSandbox {
  readonly secret: ConnectionSecret;
  stop(): void;
  /** Called when the sandbox exits unexpectedly. */
  onExit(listener: () => void): void;
}

/**
 * Starts the CLI's sandbox with demo data, shared with all windows and terminals. Rejects with a message for the user.
 * `key` and `port` come from an earlier start.
 */
export function startBundledSandbox(
  cli: string,
  dataDir: string,
  { key, port = 0 }: { readonly key?: string; readonly port?: number } = {},
): Promise<RunningSandbox> {
  // In desktop VS Code the extension host is Electron; ELECTRON_RUN_AS_NODE makes it behave like Node.
  const args = ["sandbox", "--demo", "--json", "--shared", "--port", String(port), "--data-dir", dataDir];
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", ...(key ? { ASSISTANT_FLOW_API_KEY: key } : {}) },
    // The IPC channel carries no data. The sandbox exits when the channel closes, even after a crash of this process.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  return new Promise((resolve, reject) => {
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-500);
    });
    child.once("error", (error) => reject(new Error(l10n.t("Couldn't start the sandbox: {0}", reasonOf(error)))));
    child.once("exit", (code) =>
      reject(new Error(l10n.t("The sandbox ended immediately (exit code {0}). {1}", String(code), complaint.trim()))),
    );
    const onReady = (line: string) => {
      const ready = readReadyLine(line);
      if (ready)
        resolve({
          secret: { baseUrl: ready.base_url, workflowBaseUrl: ready.workflow_base_url, key: new Secret(ready.api_key) },
          stop: () => void child.kill(),
          onExit: (listener) => void child.once("exit", listener),
        });
      else {
        child.kill();
        reject(new Error(l10n.t("The sandbox started but reported no address.")));
      }
    };
    let isReady = false;
    const lines = new Lines({
      line: (line) => {
        if (!isReady) onReady(line);
        isReady = true;
      },
    });
    child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
  });
}

interface ReadyLine {
  readonly base_url: string;
  readonly workflow_base_url: string;
  readonly api_key: string;
}

function readReadyLine(line: string): ReadyLine | undefined {
  const value = parsedJson(line) as Partial<ReadyLine> | null | undefined;
  const whole = [value?.base_url, value?.workflow_base_url, value?.api_key].every((part) => typeof part === "string");
  return whole ? (value as ReadyLine) : undefined;
}
