/** Public interface of `server/` for the CLI, which can start it too. */

/** Starts the server in this process, as `--stdio` would. It is a separate file in dist/, so it's loaded on demand. */
export async function serveOnStdio(): Promise<void> {
  process.argv.push("--stdio");
  await import("./main");
}
