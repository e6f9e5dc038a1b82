/**
 * Stands beside the extension under test, is activated before it (`*` comes before `onStartupFinished`), and from then on
 * writes down every way to another machine that anybody in the extension host takes, with the stack of who took it.
 */
const dgram = require("node:dgram");
const dns = require("node:dns");
const http = require("node:http");
const https = require("node:https");
const net = require("node:net");
const tls = require("node:tls");

exports.activate = () => {
  const calls = [];
  const watch = (holder, name, label) => {
    const original = holder[name];
    holder[name] = function (...args) {
      // Stacks are short by default, and one that is cut off before its cause names nobody.
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
  return { calls };
};
