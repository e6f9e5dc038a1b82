/** Test files named on a command line, with their flows and with the flows that component nodes name. */

import path from "node:path";
import { readText } from "../../files";
import {
  FlowDocument,
  type FlowOf,
  isTestFile,
  type Program,
  programOf,
  readTestFile,
  type SuiteFile,
  topText,
} from "../../flow";
import { Stop } from "../command";
import { findFiles, flowKind, isFlowFile, shownPath, testKind } from "../flow-files";

export interface LoadedSuite {
  readonly files: readonly SuiteFile[];
  readonly flowOf: FlowOf;
  /** The path of a flow as it is shown. */
  readonly pathOf: (document: FlowDocument) => string | undefined;
}

/** Reads flows once each, however many tests name them. */
export class Flows {
  readonly #programs = new Map<string, Program | undefined>();
  readonly #paths = new Map<FlowDocument, string>();
  #byId: Map<string, Program> | undefined;

  constructor(readonly cwd: string) {}

  async read(absolute: string): Promise<Program | undefined> {
    if (!this.#programs.has(absolute)) {
      const text = await readText(absolute).catch(() => undefined);
      const program = text === undefined ? undefined : programOf(FlowDocument.read(text));
      this.#programs.set(absolute, program);
      if (program) this.#paths.set(program.document, shownPath(absolute, this.cwd));
    }
    return this.#programs.get(absolute);
  }

  /** Reads the flows below the working folder, where one that was read has components. */
  async readComponents(): Promise<void> {
    const programs = [...this.#programs.values()];
    if (!programs.some((program) => program && hasComponents(program))) return;
    this.#byId = new Map();
    for (const absolute of await findFiles(["."], this.cwd, flowKind, "silent")) await this.read(absolute);
    for (const program of this.#programs.values()) {
      if (!program) continue;
      for (const key of ["revision", "assistant"]) {
        const id = topText(program.document, key)?.toLowerCase();
        if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, program);
      }
    }
  }

  readonly flowOf: FlowOf = (id) => this.#byId?.get(id.toLowerCase());

  readonly pathOf = (document: FlowDocument): string | undefined => this.#paths.get(document);
}

export async function loadTests(named: readonly string[], cwd: string): Promise<LoadedSuite> {
  const flows = new Flows(cwd);
  // A flow stands for the tests that name it.
  const wantedFlows = new Set(named.filter(isFlowFile).map((name) => path.resolve(cwd, name)));
  const others = named.filter((name) => !isFlowFile(name));
  const found =
    wantedFlows.size > 0
      ? await findFiles([".", ...others], cwd, testKind, "silent")
      : await findFiles(others.length > 0 ? others : ["."], cwd, testKind);
  const explicit = new Set(others.length > 0 ? await findFiles(others, cwd, testKind) : []);
  const files: SuiteFile[] = [];
  for (const absolute of found) {
    const file = readTestFile(await textOf(absolute));
    const flowAt = file.flow && path.resolve(path.dirname(absolute), file.flow.value);
    if (wantedFlows.size > 0 && !explicit.has(absolute) && !(flowAt && wantedFlows.has(flowAt))) continue;
    files.push({
      path: shownPath(absolute, cwd),
      file,
      flowPath: flowAt && shownPath(flowAt, cwd),
      flow: flowAt ? await flows.read(flowAt) : undefined,
    });
  }
  if (files.length === 0) throw new Stop(`No tests for ${named.join(", ")}. Test files end in .flowtest.yaml.`);
  await flows.readComponents();
  return { files, flowOf: flows.flowOf, pathOf: flows.pathOf };
}

async function textOf(absolute: string): Promise<string> {
  if (!isTestFile(absolute))
    throw new Stop(`${path.basename(absolute)} isn't a test file. They end in .flowtest.yaml.`);
  return readText(absolute);
}

function hasComponents({ nodes }: Program): boolean {
  for (const node of nodes.values()) if (node.type === "component") return true;
  return false;
}
