/** The flow whose calls are traced, with its components and the edges that tests of the workspace take. */
import path from "node:path";
import { FileScope, shownPath } from "../../files";
import { Projects, Suite } from "../../files/suite";
import { topText, unreadIn, whyNoRun } from "../../flow";
import { type FlowOf, type Program, SharedWork } from "../../flow/run";
import { coverageOfRuns, runSuiteFile } from "../../flow/test";
import { EXIT, Stop } from "../command";
import { findFiles } from "../files/flow-files";
import { diskReader, loadTests } from "../tests/load";

export interface CallFlow {
  readonly path: string;
  readonly program: Program;
  readonly flowOf: FlowOf;
  /** The assistant and the revision, of the file and of each environment that lists it, in lower case. */
  readonly ids: ReadonlySet<string>;
}

export async function loadCallFlow(name: string | undefined, cwd: string): Promise<CallFlow> {
  if (name === undefined) throw new Stop("Pass the flow with --flow FILE.", EXIT.usage);
  const [absolute, more] = await findFiles([name], cwd, ["flow"]);
  if (absolute === undefined || more !== undefined) throw new Stop(`${name}: expected one flow file.`, EXIT.usage);
  const suite = new Suite(cwd, diskReader(cwd));
  const program = await suite.flow(absolute);
  if (!program) throw new Stop(`${name} can't be read.`);
  if (unreadIn(program.document) || !program.entry) throw new Stop(`${name} ${whyNoRun(program.document)}`);
  const { flowOf } = await suite.loaded();
  const own = ["assistant", "revision"].flatMap((key) => topText(program.document, key)?.toLowerCase() ?? []);
  const at = path.resolve(cwd, absolute);
  const environments = await new Projects(new FileScope([], cwd)).environmentsOf(at);
  const listed = environments.flatMap(({ link }) => [link.assistant, link.revision]);
  return { path: shownPath(at, cwd), program, flowOf, ids: new Set([...own, ...listed]) };
}

/** The IDs of the edges that tests take; none if the flow has no tests. */
export async function testedEdges(flow: CallFlow, cwd: string): Promise<ReadonlySet<string>> {
  try {
    const { files, flowOf } = await loadTests([flow.path], cwd);
    const work = new SharedWork();
    const runs = files.map((file) => runSuiteFile(file, flowOf, work));
    return new Set(coverageOfRuns(runs).flatMap(({ edges }) => edges.covered));
  } catch (error) {
    // Without tests, no edge is tested.
    if (error instanceof Stop) return new Set();
    throw error;
  }
}
