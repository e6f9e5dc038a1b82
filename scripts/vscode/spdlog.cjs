/**
 * Stands in for `@vscode/spdlog` in the VS Code host that is made of npm packages: VS Code writes its logs and the text
 * of output channels through that module, and its native part is not built there. Only what VS Code calls is here.
 */
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const levels = ["trace", "debug", "info", "warning", "error", "critical"];

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
      appendFileSync(this.file, this.plain ? message : `${now} [${levels[level]}] ${message}\n`);
    } catch {
      // The folder of a host that is being ended is gone; a log line lost then is no loss.
    }
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
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

const create = async (_name, file) => new Logger(file);

// One assignment each: VS Code imports these by name, and names are found by reading such lines.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
