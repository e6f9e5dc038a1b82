/** Loads test files by arguments, with their flows and components. */

import { DocumentCache, type LoadedSuite, Suite } from "../../files/suite";
import { isFlowFile } from "../../flow";
import { readTestFile } from "../../flow/test";
import { Stop } from "../command";
import { findFiles, readSource, scopeOf } from "../files/flow-files";

/** A flow that can't be read counts as missing. */
export const diskReader = (cwd?: string) =>
  new DocumentCache((absolute) => readSource(absolute, cwd).catch(() => undefined));

/** A reader from an earlier run reuses unchanged flows. */
export async function loadTests(named: readonly string[], cwd: string, reader = diskReader(cwd)): Promise<LoadedSuite> {
  const suite = new Suite(cwd, reader, await scopeOf(named, cwd));
  // A flow selects all tests that use it.
  const flows = named.filter(isFlowFile);
  const wantedFlows = new Set(flows.length > 0 ? await findFiles(flows, cwd, ["flow"]) : []);
  const others = named.filter((name) => !isFlowFile(name));
  const found =
    wantedFlows.size > 0
      ? await findFiles([".", ...others], cwd, ["test"], "silent")
      : await findFiles(others.length > 0 ? others : ["."], cwd, ["test"]);
  const explicit = new Set(others.length > 0 ? await findFiles(others, cwd, ["test"]) : []);
  for (const absolute of found) {
    const file = readTestFile(await readSource(absolute, cwd));
    const flowAt = Suite.flowPath(absolute, file);
    if (wantedFlows.size > 0 && !explicit.has(absolute) && !(flowAt && wantedFlows.has(flowAt))) continue;
    await suite.add(absolute, file);
  }
  const loaded = await suite.loaded();
  if (loaded.files.length === 0)
    throw new Stop(`No tests found for ${named.join(", ")}. The names of test files end in .flowtest.yaml.`);
  return loaded;
}
