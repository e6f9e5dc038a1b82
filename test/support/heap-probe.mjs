/** Loaded into a measured server (`--expose-gc --import`): reports its heap size after a collection over IPC. */
process.on("message", () => {
  globalThis.gc();
  process.send(process.memoryUsage().heapUsed);
});
// The probe must not keep the server alive.
process.channel.unref();
