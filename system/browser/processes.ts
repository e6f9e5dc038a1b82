/** Placeholders for processes, threads and streams, which a browser doesn't have; nothing calls them there. */

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
