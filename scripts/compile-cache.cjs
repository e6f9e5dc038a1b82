/**
 * Keeps the code that V8 has compiled beside the bundled test files, for the processes that load the same files later. Most of
 * the time that a small test file takes is for compiling what it imports. (`module.enableCompileCache` needs Node 22.)
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const process = require("node:process");
const vm = require("node:vm");

/** Uses and fills the cache for the files below a folder. */
exports.cacheCompiled = (folder) => {
  const compiled = new Map();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (code, file, ...rest) {
    // Code from a cache can't load modules with `import()`.
    if (!file.startsWith(folder) || /\bimport\(/.test(code)) return compile.call(this, code, file, ...rest);
    const cache = `${file}.cache`;
    const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
    const script = new vm.Script(Module.wrap(code), { filename: file, cachedData });
    if (!cachedData) compiled.set(cache, script);
    const require = Module.createRequire(file);
    return script.runInThisContext().call(this.exports, this.exports, require, this, file, path.dirname(file));
  };
  // At the end, when the functions that were called are compiled as well.
  process.on("exit", () => {
    for (const [cache, script] of compiled) {
      if (existsSync(cache)) continue;
      const beside = `${cache}.${process.pid}`;
      writeFileSync(beside, script.createCachedData());
      renameSync(beside, cache);
    }
  });
};
