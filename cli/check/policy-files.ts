/** The policy file that counts for a flow: the nearest one, in its folder or above. Each is looked for and read once. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { NearestFile, shownPath } from "../../files";
import { DocumentCache, Suite, today } from "../../files/suite";
import { isFlowFile, POLICY_FILE } from "../../flow";
import { inForce, type Policy, type PolicyFile, type PolicySource, readPolicyFile } from "../../flow/policy";
import { type FlowOf, type Program, SharedWork } from "../../flow/run";
import { positionsIn } from "../../flow/test";
import { fileReason } from "../files/file-reason";
import { readSource } from "../files/flow-files";

export class PolicyFiles {
  readonly #nearest = new NearestFile(POLICY_FILE);
  readonly #policies = new Map<string, Promise<PolicyFile>>();
  /** One budget for all flows that are checked. */
  readonly work = new SharedWork();
  readonly #reader = new DocumentCache((absolute) => readSource(absolute, this.cwd).catch(() => undefined));
  #components: Promise<FlowOf> | undefined;

  /** Flows below the working folder may be components. */
  constructor(private readonly cwd: string) {}

  /** The path of the policy file, where there is one. */
  of(flow: string): Promise<string | undefined> {
    return this.#nearest.to(flow);
  }

  /** The policies that bind a flow today, and where they are from; what can't be read of the file demands nothing here. */
  async policiesOf(flow: string): Promise<{ readonly policies: readonly Policy[]; readonly source?: PolicySource }> {
    const file = await this.of(flow);
    if (file === undefined) return { policies: [] };
    const { text, policies } = await kept(this.#policies, file, async () => {
      const text = await readSource(file, this.cwd).catch(() => "");
      return readPolicyFile(text);
    });
    return {
      policies: inForce(policies, pathFrom(file, flow), today()),
      source: { uri: pathToFileURL(file).href, text },
    };
  }

  /** What of the policy files of some flows isn't checked, and why: a line for each, unless it is checked with them. */
  async problemsOf(checked: readonly string[]): Promise<string[]> {
    const nearest = await Promise.all(checked.filter(isFlowFile).map((flow) => this.of(flow)));
    const files = [...new Set(nearest)].flatMap((file) => (file && !checked.includes(file) ? file : [])).sort();
    const problems = files.map(async (file) => {
      const shown = shownPath(file, this.cwd);
      const text = await readSource(file, this.cwd).catch((error: Error) => error);
      if (text instanceof Error) return [`${shown} isn't checked: ${fileReason(text)}`];
      const positionOf = positionsIn(text);
      return readPolicyFile(text).problems.map(({ message, span }) => {
        const { line, character } = positionOf(span.start);
        return `${shown}:${line + 1}:${character + 1} isn't checked: ${message}`;
      });
    });
    return (await Promise.all(problems)).flat();
  }

  /** The flows that a flow has as components; all below the working folder are read where it has some. */
  componentsOf(absolute: string, program: Program): Promise<FlowOf> {
    if (![...program.nodes.values()].some(({ type }) => type === "component")) return Promise.resolve(() => undefined);
    this.#components ??= this.#readComponents(absolute);
    return this.#components;
  }

  async #readComponents(absolute: string): Promise<FlowOf> {
    const suite = new Suite(this.cwd, this.#reader);
    await suite.flow(absolute);
    return (await suite.loaded()).flowOf;
  }
}

/** The path of a flow from the folder of a policy file, with slashes. */
export function pathFrom(file: string, flow: string): string {
  return path.relative(path.dirname(file), flow).split(path.sep).join("/");
}

export function kept<Value>(map: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
