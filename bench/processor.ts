/** Processor time of a process, independent of other load. */
import { readFileSync } from "node:fs";

/** Processor time in milliseconds, if the system reports it (Linux: in steps of 10 ms). */
export function cpuOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
