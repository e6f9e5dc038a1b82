/** Worker threads. Each program is a file next to the bundle that starts it. */
export { parentPort, Worker, workerData } from "node:worker_threads";
