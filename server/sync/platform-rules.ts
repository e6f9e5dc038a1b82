/** The rules that the platforms in use block on: read once from the state folder, then learned from each answer. */
import { type BlockingRules, NOTHING_LEARNED } from "../../flow/findings";
import { blockingKeeper, blockingRules } from "../../sync";
import type { StateStore } from "../../system";

type Keeper = ReturnType<typeof blockingKeeper>;

interface Platform {
  rules: BlockingRules;
  readonly keep: Keeper;
}

interface Host {
  readonly state: StateStore;
  /** The rules that became known to block, or not to. */
  changed(codes: readonly string[]): void;
  /** Runs work in the background, and logs its errors. */
  run(work: Promise<unknown>): void;
}

export class PlatformRules {
  readonly #platforms = new Map<string, Platform>();

  constructor(private readonly host: Host) {}

  /** The rules that a platform blocks on; none until they are read. */
  of(address: string | undefined): BlockingRules {
    return address === undefined ? NOTHING_LEARNED : this.#platform(address).rules;
  }

  learn(address: string, ...answer: Parameters<Keeper>): void {
    const platform = this.#platform(address);
    this.host.run(platform.keep(...answer).then((rules) => this.#set(platform, rules)));
  }

  #platform(address: string): Platform {
    const known = this.#platforms.get(address);
    if (known) return known;
    const { state } = this.host;
    const platform: Platform = { rules: NOTHING_LEARNED, keep: blockingKeeper(state, address) };
    this.#platforms.set(address, platform);
    this.host.run(
      blockingRules(state, address).then((rules) => {
        // An answer that came in the meantime includes what was on disk.
        if (platform.rules === NOTHING_LEARNED) this.#set(platform, rules);
      }),
    );
    return platform;
  }

  #set(platform: Platform, rules: BlockingRules): void {
    const before = platform.rules;
    const codes = Object.keys({ ...before, ...rules }).filter((code) => before[code] !== rules[code]);
    if (codes.length === 0) return;
    platform.rules = rules;
    this.host.changed(codes);
  }
}
