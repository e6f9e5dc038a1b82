/** What a process has computed, however much else the machine did meanwhile. */
import { readFileSync } from "node:fs";

/** Milliseconds of processor time a process has used, where the system tells (Linux counts in hundredths of a second). */
export function cpuOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
