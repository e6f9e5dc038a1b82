/** The `plan` and `push` tools: only a plan that was shown can be pushed, with the text it was made for. */
import path from "node:path";
import type { Plan } from "../../flow";
import { Stop } from "../command";
import { planFiles } from "../commands/plan";
import { pushFiles } from "../commands/push";
import { placeFiles } from "../environments/projects";
import { type FlowFile, readFlowFiles, readSource } from "../files/flow-files";
import type { Terminal } from "../terminal";
import { type Json, listRows, type Rows } from "./page";
import type { Inputs } from "./schemas";

interface ShownPlan {
  readonly file: FlowFile;
  readonly version: unknown;
  readonly batches: string;
}

export class ShownPlans {
  /** Plans by fingerprint. */
  readonly #plans = new Map<string, ShownPlan>();

  async show(paths: readonly string[], terminal: Terminal): Promise<Rows> {
    const files = await readFlowFiles(paths, terminal);
    const { files: planned, ...rest } = await answerOf(planFiles, files, { format: "json" }, terminal);
    const { rows, answer } = listRows(rest, { files: planned as Json[] });
    return {
      rows,
      // A plan counts as shown only if its page was requested.
      answer: (some) => {
        const page = answer(some);
        for (const each of page.files as Json[]) this.#keep(each, files[(planned as Json[]).indexOf(each)]);
        return page;
      },
    };
  }

  async push(
    { file: name, fingerprint, allow_first_push, allow_removals }: Inputs["push"],
    terminal: Terminal,
  ): Promise<Json> {
    const shown = this.#plans.get(fingerprint);
    if (!shown || shown.file.absolute !== path.resolve(terminal.cwd, name))
      throw new Stop("Unknown fingerprint for this file. Call `plan` first.");
    const { file, version, batches } = shown;
    const changed = () =>
      new Stop("The file or the platform has changed since this plan. Call `plan` again and review it.");
    if ((await readSource(file.absolute, terminal.cwd)) !== file.text) throw changed();
    // From here on, the planned text and its environment are used even if the file or the project file changes.
    const placed = await placeFiles([file], undefined, terminal.cwd);
    const { files: again } = await answerOf(planFiles, placed, { format: "json" }, terminal);
    if ((again as Json[])[0]?.fingerprint !== fingerprint) throw changed();
    let isOther = false;
    const expects = (plan: Plan, onto: number | undefined) => {
      const isSame = onto === version && batchesOf(plan) === batches;
      isOther ||= !isSame;
      return isSame;
    };
    const allowed = { format: "json", allowFirstPush: allow_first_push, allowRemovals: allow_removals };
    const pushing: typeof planFiles = (files, options, out) => pushFiles(files, options, out, expects);
    const answer = await answerOf(pushing, placed, allowed, terminal);
    // If the platform has newer changes, a push would merge them into the file.
    const isBehind = (answer.files as Json[]).some(({ state }) => state === "diverged" || state === "conflict");
    if (isOther || isBehind) throw changed();
    return answer;
  }

  #keep({ fingerprint, base_version: version, batches }: Json, file: FlowFile | undefined): void {
    if (typeof fingerprint === "string" && file)
      this.#plans.set(fingerprint, { file, version, batches: JSON.stringify(batches) });
  }
}

function batchesOf({ batches }: Plan): string {
  return JSON.stringify(batches.map((batch) => batch.map(({ op }) => op)));
}

/** Runs a command and returns its JSON output, with its messages as notes. */
async function answerOf(
  command: typeof planFiles,
  files: readonly FlowFile[],
  options: object,
  terminal: Terminal,
): Promise<Json> {
  let out = "";
  let messages = "";
  const write = (text: string) => {
    out += text;
  };
  const err = (text: string) => {
    messages += text;
  };
  await command(files, options, { ...terminal, out: write, data: write, err });
  const notes = messages.split("\n").filter((line) => line !== "");
  return { ...JSON.parse(out), ...(notes.length > 0 ? { notes } : {}) };
}
