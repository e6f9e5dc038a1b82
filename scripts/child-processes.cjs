/** Loaded into a test process: when it ends or gets a signal to end, everything that it has started ends with it. */
const { ChildProcess } = require("node:child_process");
const { constants } = require("node:os");
const process = require("node:process");

const children = new Map();
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const result = spawn.call(this, options);
  if (this.pid !== undefined) {
    children.set(this, options.detached === true);
    this.once("exit", () => children.delete(this));
  }
  return result;
};

process.on("exit", () => {
  for (const [child, detached] of children) {
    try {
      process.kill(detached && process.platform !== "win32" ? -child.pid : child.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error; // It had already exited.
    }
  }
});

// Without a listener, a signal ends a process without `exit`.
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
