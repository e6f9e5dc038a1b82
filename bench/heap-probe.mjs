/** Loaded into a server that is measured (`--expose-gc --import`): says over IPC what is in use after a collection. */
process.on("message", () => {
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
// The probe alone must not keep the server alive.
process.channel.unref();
