/**
 * Replaces `@vscode/spdlog` in the VS Code host from npm packages: VS Code writes logs and output channels through that
 * module, whose native part isn't built there. Implements only what VS Code uses.
 */
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const levels = ["trace", "debug", "info", "warn", "error", "critical"];

class Logger {
  constructor(file) {
    this.file = file;
    this.level = 2;
    this.plain = false;
    mkdirSync(dirname(file), { recursive: true });
  }
  write(level, message) {
    if (level < this.level) return;
    const now = new Date().toISOString().replace("T", " ").replace("Z", "");
    try {
      appendFileSync(this.file, this.plain ? message : `${now} [${level === 3 ? "warning" : levels[level]}] ${message}\n`);
    } catch {
      // The folder is already gone when the host stops; losing a log line then is fine.
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.plain = true;
  }
  flush() {}
  drop() {}
}
for (const [level, name] of levels.entries())
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };

const create = async (_name, file) => new Logger(file);

// One assignment each, because VS Code imports these by name, and names are found by static analysis.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
