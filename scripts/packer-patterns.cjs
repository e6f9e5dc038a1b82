/**
 * Loaded into the packer. Files get the same permissions whatever they have on this machine, so that archives are
 * reproducible. The packer also compiles each of its 40 patterns again for every file of the folder, the ten thousand of
 * .vscode-test/ included. Compiled once, they save ten of the sixteen seconds that it takes.
 */
const { createRequire } = require("node:module");

const packer = createRequire(require.resolve("@vscode/vsce/package.json"));
const library = packer("minimatch");
const compiled = new Map();

library.minimatch = (file, pattern, options) => {
  if (!compiled.has(pattern)) compiled.set(pattern, new library.Minimatch(pattern, options));
  return compiled.get(pattern).match(file);
};

const { ZipFile } = packer("yazl");
const { addFile } = ZipFile.prototype;
ZipFile.prototype.addFile = function (file, name, options) {
  return addFile.call(this, file, name, { ...options, mode: 0o100644 });
};

// The packer's library compresses with the default level.
const zlib = require("node:zlib");
const { DeflateRaw } = zlib;
zlib.DeflateRaw = function () {
  return new DeflateRaw({ level: 9 });
};
