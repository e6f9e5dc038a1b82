/** Loaded into the process of each test file: how it ends, and which random cases it tries. */
const { existsSync, readFileSync, writeFileSync, writeSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const process = require("node:process");
require("./child-processes.cjs");
const { cacheCompiled, cacheInBuiltPrograms } = require("./compile-cache.cjs");

/** The originals, which a test may replace. */
const { clearTimeout, setTimeout } = globalThis;

/**
 * The limit for a single test, so that a hang is reported with its name. It is generous: VS Code is slow where other programs
 * use the machine.
 */
const TEST_MS = Number(process.env.ASSISTANT_FLOW_TEST_LIMIT_MS ?? 15 * 60_000);

/** A test that hangs ends its file, because it may hold resources that the following tests need. */
function endsWhenHung() {
  const { beforeEach, afterEach } = require("node:test");
  const timers = new WeakMap();
  beforeEach((test) => {
    const end = () => {
      writeSync(process.stderr.fd, `✖ ${test.name}\n  It took more than ${TEST_MS / 1000} s, so its file was ended.\n`);
      process.exit(1);
    };
    timers.set(test, setTimeout(end, TEST_MS).unref());
  });
  afterEach((test) => clearTimeout(timers.get(test)));
}

/**
 * Called at the end of the file: when its tests and their hooks are done, the process ends, whatever still runs in it.
 */
exports.endsWithItsTests = () => {
  endsWhenReported();
  require("node:test").after(() => {
    // After this last hook, Node waits for whatever still runs; on `beforeExit` it prints its last reports.
    setImmediate(() => process.emit("beforeExit", 0));
  });
};

/**
 * `node --test-force-exit` would end the process while its reports are still on their way to a slow reader, and a test
 * whose report is lost isn't counted anywhere. Here the process ends after its last report is written. A process that
 * ends earlier, for example because a test calls `process.exit`, has failed, since some tests may not have run.
 */
function endsWhenReported() {
  let reported = false;
  process.stdout.once("pipe", (reports) =>
    reports.once("end", () =>
      process.stdout.write("", () => {
        reported = true;
        process.exit();
      }),
    ),
  );
  process.on("exit", () => {
    if (reported || process.exitCode) return;
    process.exitCode = 1;
    writeSync(process.stderr.fd, "The process ended before all of its tests were reported.\n");
  });
}

/** Linux reports the processor time of a process and of the children it has waited for, in hundredths of a second. */
process.on("exit", () => {
  const [file, stat] = [process.env.ASSISTANT_FLOW_TEST_CPU, "/proc/self/stat"];
  if (!file || !existsSync(stat)) return;
  const fields = readFileSync(stat, "utf8").split(") ").at(-1).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
  writeFileSync(file, String(ticks / 100));
});

/** `npm test` tries the same random cases each time, so that it fails only for a change. `npm run test:long` tries new ones. */
const SEED = 20_260_101;
endsWhenHung();
const bundles = process.env.ASSISTANT_FLOW_TEST_BUNDLES;
if (bundles) {
  cacheCompiled(bundles);
  cacheInBuiltPrograms(path.join(bundles, "dist"));
}
if (!process.env.ASSISTANT_FLOW_TEST_LONG) {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    if (request === "fast-check") loaded.configureGlobal({ ...loaded.readConfigureGlobal(), seed: SEED });
    return loaded;
  };
}
