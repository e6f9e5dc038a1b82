/** Finds the policy file of a flow: the nearest one in its folder or a parent folder. Results are cached. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { NearestFile, shownPath } from "../../files";
import { DocumentCache, Suite, today } from "../../files/suite";
import { isFlowFile, POLICY_FILE } from "../../flow";
import { inForce, type Policy, type PolicyFile, type PolicySource, readPolicyFile } from "../../flow/policy";
import { type FlowOf, type Program, SharedWork } from "../../flow/run";
import { positionsIn } from "../../flow/test";
import { fileReason } from "../files/file-error";
import { readSource } from "../files/flow-files";

export class PolicyFiles {
  readonly #nearest = new NearestFile(POLICY_FILE);
  readonly #policies = new Map<string, Promise<PolicyFile>>();
  /** One work budget for all checked flows. */
  readonly work = new SharedWork();
  readonly #reader = new DocumentCache((absolute) => readSource(absolute, this.cwd).catch(() => undefined));
  #components: Promise<FlowOf> | undefined;

  /** Flows below the working folder may be components. */
  constructor(readonly cwd: string) {}

  /** The path of the flow's policy file, if any. */
  of(flow: string): Promise<string | undefined> {
    return this.#nearest.to(flow);
  }

  /**
   * The policies that apply to a flow today, and their source. Parts of the file with syntax errors are ignored here.
   */
  async policiesOf(flow: string): Promise<{ readonly policies: readonly Policy[]; readonly source?: PolicySource }> {
    const file = await this.of(flow);
    if (file === undefined) return { policies: [] };
    const { text, policies } = await cached(this.#policies, file, async () => {
      const text = await readSource(file, this.cwd).catch(() => "");
      return readPolicyFile(text);
    });
    return {
      policies: inForce(policies, pathFrom(file, flow), today()),
      source: { uri: pathToFileURL(file).href, text },
    };
  }

  /** A line for each problem in the policy files of these flows, except files that are checked themselves. */
  async problemsOf(checked: readonly string[]): Promise<string[]> {
    const problems = (await this.uncheckedOf(checked)).map(async (file) => {
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

  /** The policy files of these flows, except files that are checked themselves. */
  protected async uncheckedOf(checked: readonly string[]): Promise<string[]> {
    const nearest = await Promise.all(checked.filter(isFlowFile).map((flow) => this.of(flow)));
    return [...new Set(nearest)].flatMap((file) => (file && !checked.includes(file) ? file : [])).sort();
  }

  /** Looks up components; reads all flows below the working folder if the flow has any. */
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

/** The path of a flow relative to the folder of a policy file, with forward slashes. */
export function pathFrom(file: string, flow: string): string {
  return path.relative(path.dirname(file), flow).split(path.sep).join("/");
}

export function cached<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
