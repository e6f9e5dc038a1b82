/**
 * Installs packages with npm: the project's own, and those of the VS Code host (vscode/). Works offline if they are in
 * npm's cache; errors name the package and the reason.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

/** Installs the project's packages unless they match the lockfile. */
export async function ensurePackages() {
  if (packagesAreInstalled(root)) return;
  console.log("Installing the project's packages …");
  await npm(["ci"], { cwd: root });
}

/**
 * npm writes `node_modules/.package-lock.json` last, so an install that was cut off does not have it. Packages of other
 * platforms are optional and absent; everything else must have the version of the lockfile.
 * @param {string} folder
 */
export function packagesAreInstalled(folder) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(folder, file), "utf8"));
  try {
    const installed = read("node_modules/.package-lock.json").packages;
    return Object.entries(read("package-lock.json").packages).every(([place, { version, optional }]) => {
      if (place === "") return true;
      if (!installed[place]) return optional === true;
      return installed[place].version === version && existsSync(path.join(folder, place, "package.json"));
    });
  } catch {
    return false;
  }
}

/** Settings that npm passes to scripts by environment variables must not affect a nested npm. */
export function ensurePlainNpm() {
  for (const name of ["npm_config_global", "npm_config_dry_run", "npm_config_omit", "npm_config_production"]) {
    delete process.env[name];
  }
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** Stops all running npm processes; their callers get an error. */
export function stopNpm() {
  for (const child of running) child.kill();
}

/**
 * Runs npm quietly. Rejects with one sentence that names the package and the reason.
 * @param {string[]} args
 * @param {{cwd: string}} options
 */
export function npm(args, { cwd }) {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  const patient = [
    "--prefer-offline",
    "--fetch-retries=2",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=4000",
  ];
  const all = [...args, ...quiet, ...patient];
  // Under `npm run`, npm's path is known, so it is started directly, without a shell.
  const own = process.env.npm_execpath?.endsWith(".js") ? process.env.npm_execpath : undefined;
  const child = own
    ? spawn(process.execPath, [own, ...all], { cwd, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("npm", all, { cwd, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
  running.add(child);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`Couldn't start npm: ${error.message}`)));
    child.on("exit", () => running.delete(child));
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(explain(args, errors)))));
  });
}

/**
 * What npm said, in one sentence.
 * @param {string[]} args
 * @param {string} errors
 */
export function explain(args, errors) {
  const code = /npm error code (\w+)/.exec(errors)?.[1] ?? "unknown error";
  const address = /request to (\S+) failed|(?:Not Found|Forbidden)[^\n]* - GET (\S+)|(?:fetch|GET) (http\S+)/i.exec(
    errors,
  );
  const named = packageOf(address?.[1] ?? address?.[2] ?? address?.[3]) ?? args.at(-1);
  const what = args[0] === "ci" && !address ? "the project's packages" : `the package "${named}"`;
  return `Setup failed: npm couldn't get ${what}: ${reason(code)}. Fix that and run the command again.`;
}

/** @param {string} code */
function reason(code) {
  if (code === "ENOTCACHED") return "npm is set to work offline and it is not in npm's cache";
  if (/^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/.test(code)) {
    return `the package registry cannot be reached (${code}) and it is not in npm's cache`;
  }
  if (code === "E404" || code === "ETARGET") return "the package registry does not have it";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "EACCES" || code === "EPERM") return "a folder of the project or of npm's cache may not be written";
  return code;
}

/** The package that an address of a registry is about. @param {string | undefined} address */
function packageOf(address) {
  if (!address) return undefined;
  const place = decodeURIComponent(address.replace(/^\w+:\/\/[^/]+\//, "")).replace(/\/-\/.*$/, "");
  return /((?:@[^/]+\/)?[^/?#]+)\/?(?:[?#].*)?$/.exec(place)?.[1];
}
