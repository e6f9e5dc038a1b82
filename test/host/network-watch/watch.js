/**
 * Runs next to the extension under test and is activated first (`*` precedes all other events). It records every use of
 * a module that can reach another machine, with the stack of the caller, and every file that is read.
 */
const dgram = require("node:dgram");
const dns = require("node:dns");
const http = require("node:http");
const https = require("node:https");
const Module = require("node:module");
const net = require("node:net");
const tls = require("node:tls");

exports.activate = () => {
  const calls = [];
  const watch = (holder, name, label) => {
    const original = holder[name];
    holder[name] = function (...args) {
      // Stacks are short by default, and a stack that ends before the cause is useless.
      const before = Error.stackTraceLimit;
      Error.stackTraceLimit = 100;
      calls.push({ label, at: Date.now(), stack: new Error(label).stack });
      Error.stackTraceLimit = before;
      return new.target ? Reflect.construct(original, args) : original.apply(this, args);
    };
  };
  watch(globalThis, "fetch", "fetch");
  watch(globalThis, "WebSocket", "WebSocket");
  watch(net.Socket.prototype, "connect", "net connect");
  watch(tls, "connect", "tls connect");
  watch(dns, "lookup", "dns lookup");
  watch(dgram.Socket.prototype, "send", "udp send");
  for (const each of [http, https]) for (const name of ["request", "get"]) watch(each, name, `http ${name}`);
  return { calls, ...watchReading() };
};

/** Records the files that are read, the processor time of the reads, and that of each activation. */
function watchReading() {
  const read = [];
  const activations = [];
  const { _compile: compile } = Module.prototype;
  const microseconds = (work) => {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    return { result, microseconds: user + system };
  };
  Module.prototype._compile = function (...args) {
    const file = this.filename;
    const { result, microseconds: taken } = microseconds(() => compile.apply(this, args));
    read.push({ file, microseconds: taken });
    const { activate } = this.exports ?? {};
    if (typeof activate === "function")
      this.exports = {
        ...this.exports,
        activate: (...given) => {
          const done = microseconds(() => activate(...given));
          activations.push({ file, microseconds: done.microseconds, read: read.map((each) => each.file) });
          return done.result;
        },
      };
    return result;
  };
  return { read, activations };
}
