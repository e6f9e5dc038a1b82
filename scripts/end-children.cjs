/** Loaded into each process of tests: what a failed test has started and not ended must not outlive its file. */
const { ChildProcess } = require("node:child_process");

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
      if (error.code !== "ESRCH") throw error; // It was gone already.
    }
  }
});
