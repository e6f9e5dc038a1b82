/** Stand-ins for processes, threads and streams, which a browser doesn't have; their callers are absent there. */

import { arriving } from "../arriving";

export const hasProcesses: boolean = false;

const started = performance.now();

function absent(): never {
  throw new Error("This isn't available in a browser.");
}

export const spawn: (...args: unknown[]) => never = absent;
export const parentPort = null;
export const workerData: unknown = undefined;

export class Worker {
  constructor() {
    absent();
  }
}

export class Transform {
  constructor() {
    absent();
  }
}

/** Confines file access in the command line; nothing is confined here. */
export class AsyncLocalStorage<Store> {
  getStore(): Store | undefined {
    return undefined;
  }

  run(): never {
    return absent();
  }
}

export const homedir = (): string => "/";
export const hostname = (): string => "browser";
export const collectEarly = (): void => {};

export function processStatus() {
  return {
    node: "a web worker",
    uptimeSeconds: Math.round((performance.now() - started) / 1000),
    memoryMb: 0,
    busyPercent: 0,
  };
}

/** A browser decides itself whether a page may send requests to this machine. */
export async function fetchOnThisMachine(url: URL, init: RequestInit) {
  return arriving(await fetch(url, init));
}

/**
 * Why a request failed, which a browser doesn't say: a server that answers without looking at the answer only refuses
 * requests from this site. This request has no key.
 */
export async function whyNoAnswer({ origin }: URL): Promise<"site" | "network" | undefined> {
  return fetch(origin, { mode: "no-cors", credentials: "omit" }).then(
    () => "site",
    () => "network",
  );
}
