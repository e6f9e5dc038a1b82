/**
 * Keeps the code that V8 has compiled, for the processes that load the same files later. Most of the time that a small test
 * file, or a short run of the command line, takes is for compiling what it imports. (`module.enableCompileCache` needs
 * Node 22.)
 */
const { ChildProcess } = require("node:child_process");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const process = require("node:process");
const vm = require("node:vm");
const { threadId } = require("node:worker_threads");

/** Uses and fills the cache for the files below a folder. The cache is in another folder, or beside the files. */
exports.cacheCompiled = (folder, cacheFolder = folder) => {
  const compiled = new Map();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (code, file, ...rest) {
    // Code from a cache can't load modules with `import()`.
    if (!file.startsWith(folder) || /\bimport\(/.test(code)) return compile.call(this, code, file, ...rest);
    const cache = `${path.join(cacheFolder, path.relative(folder, file))}.${process.version}.cache`;
    const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
    const script = new vm.Script(Module.wrap(code.replace(/^#!.*/, "")), { filename: file, cachedData });
    if (!cachedData) compiled.set(cache, script);
    const require = Module.createRequire(file);
    return script.runInThisContext().call(this.exports, this.exports, require, this, file, path.dirname(file));
  };
  // At the end, when the functions that were called are compiled as well.
  process.on("exit", () => {
    for (const [cache, script] of compiled) {
      if (existsSync(cache)) continue;
      const beside = `${cache}.${process.pid}.${threadId}`;
      try {
        writeFileSync(beside, script.createCachedData());
        renameSync(beside, cache);
      } catch {
        return; // The run has ended and removed the folder, or this user can't write to it: the exit code stays.
      }
    }
  });
};

/** Where a process started here runs one of the built programs, it uses the cache too. */
exports.cacheInBuiltPrograms = (cacheFolder) => {
  const dist = path.resolve(__dirname, "../dist");
  const preload = path.join(cacheFolder, "preload.cjs");
  mkdirSync(cacheFolder, { recursive: true });
  const [own, ...folders] = [__filename, dist, cacheFolder].map((each) => JSON.stringify(each));
  const beside = `${preload}.${process.pid}`;
  writeFileSync(beside, `require(${own}).cacheCompiled(${folders.join(", ")});`);
  renameSync(beside, preload);
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (options) {
    const { args = [], cwd } = options;
    const at = args.findIndex(
      (arg, index) => args[index - 1] === process.execPath && path.dirname(path.resolve(cwd ?? ".", arg)) === dist,
    );
    return spawn.call(this, at < 0 ? options : { ...options, args: args.toSpliced(at, 0, "--require", preload) });
  };
};
