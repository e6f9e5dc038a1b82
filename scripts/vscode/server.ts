/** Starts the VS Code server of the npm host on loopback. */
import { randomBytes } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { capture, type Running, start, temporaryFolder, waitForOutput } from "../project";
import type { CodeHost } from "./install";

export interface CodeServerOptions {
  /** The preferred port; the next free one if it is in use. 0 selects any. */
  readonly port?: number;
  /** The folder of installed extensions; by default a temporary one. */
  readonly extensionsDir?: string;
  /** The built-in extensions of VS Code that are kept; by default all of them. */
  readonly builtIn?: readonly string[];
  /** The user's settings.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether VS Code asks to trust new folders, which is its default. */
  readonly trust?: "asked" | "given" | "refused";
  readonly args?: readonly string[];
}

export interface CodeServer {
  readonly port: number;
  /** The URL of the workbench with a folder or a .code-workspace file open, and optionally a file. */
  address(folder: string, file?: string, payload?: readonly (readonly [string, string])[]): string;
  /** Stops the server and everything it started, and removes its files. */
  stop(): Promise<void>;
  readonly running: Running;
  readonly userDataDir: string;
  /** The folder for the extension's sync state. */
  readonly stateDir: string;
}

/** Settings that keep a fresh VS Code quiet: no welcome page, surveys or network requests. */
export const quietSettings = {
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  // Otherwise the extension host lists all processes of the computer every few seconds, to find new ports.
  "remote.autoForwardPortsSource": "output",
};

const trusts = {
  asked: {},
  given: { "security.workspace.trust.enabled": false },
  refused: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
};

export async function startCodeServer(host: CodeHost, options: CodeServerOptions = {}): Promise<CodeServer> {
  const folder = await temporaryFolder();
  const { trust = "asked" } = options;
  // Without a token, any web page and any user of this computer could open a terminal here. It is passed in a file,
  // because arguments are visible to all users.
  const token = randomBytes(24).toString("hex");
  const tokenFile = path.join(folder.path, "token");
  const linked = async (extensions: readonly string[]) => {
    const from = path.resolve(host.server, "../../extensions");
    const to = path.join(folder.path, "built-in");
    await mkdir(to);
    for (const name of extensions) await symlink(path.join(from, name), path.join(to, name), "junction");
    return to;
  };
  try {
    await writeFile(tokenFile, token, { mode: 0o600, flag: "wx" });
    const userDataDir = path.join(folder.path, "data");
    const sockets = path.join(folder.path, "tmp");
    const stateDir = path.join(folder.path, "state");
    await mkdir(path.join(userDataDir, "User"), { recursive: true });
    await mkdir(sockets);
    await writeFile(
      path.join(userDataDir, "User/settings.json"),
      JSON.stringify({ ...quietSettings, ...trusts[trust], ...options.settings }, null, 2),
    );
    const args = [
      ...[
        "--host",
        "127.0.0.1",
        "--port",
        String(await freePort(options.port ?? 0)),
        "--connection-token-file",
        tokenFile,
      ],
      ...["--accept-server-license-terms", "--disable-telemetry"],
      ...(trust === "given" ? ["--disable-workspace-trust"] : []),
      ...["--user-data-dir", userDataDir],
      ...["--extensions-dir", options.extensionsDir ?? path.join(folder.path, "extensions")],
      ...(options.builtIn ? ["--builtin-extensions-dir", await linked(options.builtIn)] : []),
      ...(options.args ?? []),
    ];
    const running = start(host.node, ["--require", path.join(__dirname, "preload.cjs"), host.server, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      // Its sync state belongs to a temporary sandbox, so it is temporary too.
      env: {
        ...codeEnvironment(),
        TMPDIR: sockets,
        ASSISTANT_FLOW_STATE_DIR: stateDir,
        ...options.env,
      },
    });
    try {
      const [, port] = await waitForOutput(running, /Extension host agent listening on (\d+)/, "VS Code's server");
      return {
        port: Number(port),
        running,
        userDataDir,
        stateDir,
        address(folderPath, file, payload = []) {
          const remote = `vscode-remote://localhost:${port}`;
          const all = [...(file ? [["openFile", remote + slashes(file)]] : []), ...payload];
          const query = all.length > 0 ? `&payload=${encoded(JSON.stringify(all))}` : "";
          const kind = folderPath.endsWith(".code-workspace") ? "workspace" : "folder";
          return `http://localhost:${port}/?tkn=${token}&${kind}=${encoded(slashes(folderPath))}${query}`;
        },
        async stop() {
          await running.stop();
          await folder.remove();
        },
      };
    } catch (error) {
      await running.stop();
      throw error;
    }
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Installs a packaged extension into a folder. */
export async function installExtension(host: CodeHost, vsix: string, extensionsDir: string): Promise<void> {
  const folder = await temporaryFolder();
  const args = ["--install-extension", vsix, "--force", "--extensions-dir", extensionsDir];
  const profile = ["--user-data-dir", folder.path, "--accept-server-license-terms"];
  const { code, output } = await capture(host.node, [host.server, ...args, ...profile], {
    env: { ...codeEnvironment(), TMPDIR: folder.path },
  }).finally(folder.remove);
  if (code !== 0 || !/successfully installed/.test(output))
    throw new Error(`VS Code couldn't install ${vsix}:\n${output}`);
}

/** Our environment without variables that would affect the server: those of an outer VS Code, of tsx and of Node. */
function codeEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS|NODE_TEST)/.test(name));
  return Object.fromEntries(own);
}

/** Encodes a value for a query, and keeps it readable. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",");
}

function slashes(file: string): string {
  const plain = file.replaceAll(path.sep, "/");
  return plain.startsWith("/") ? plain : `/${plain}`;
}

/**
 * Returns the port if it is free, otherwise the next free one; 0 stays 0. VS Code is served on one loopback address,
 * but a browser may try either for "localhost", so both must be free.
 */
export async function freePort(wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  for (let port = wanted; port < Math.min(wanted + 100, 65536); port += 1) {
    const failures = await Promise.all([failureToListen("127.0.0.1", port), failureToListen("::1", port)]);
    if (!failures[0] && failures[1] !== "EADDRINUSE") return port; // Without IPv6 there is no second address.
  }
  throw new Error(`No free port between ${wanted} and ${wanted + 99}. Choose another with --port.`);
}

function failureToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
