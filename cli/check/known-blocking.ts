/** The rules that platforms block on, learned from pushes of this computer. Each platform's record is read once. */
import { openState } from "../../files";
import type { BlockingRules } from "../../flow/findings";
import { stateDirectory } from "../../platform";
import { blockingRules } from "../../sync";
import type { Terminal } from "../terminal";

export class KnownBlocking {
  readonly #read = new Map<string | undefined, Promise<BlockingRules>>();

  constructor(private readonly env: Terminal["env"]) {}

  /** `address`: the platform of the flow's environment, if one is chosen. */
  of(address = this.env.ASSISTANT_FLOW_BASE_URL || undefined): Promise<BlockingRules> {
    const reading = this.#read.get(address) ?? blockingRules(openState(stateDirectory(this.env)), address);
    this.#read.set(address, reading);
    return reading;
  }
}
