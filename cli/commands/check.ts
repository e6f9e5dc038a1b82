/** `assistant-flow check`. */
import { writeWhole } from "../../files";
import type { Severity } from "../../flow";
import { EXIT, type Input, Stop } from "../command";
import { checkFiles, fixedText, isAtLeast } from "../findings";
import { type FlowFile, readFlowFiles, STANDARD_INPUT } from "../flow-files";
import { type Report, reports } from "../report";
import { type RuleOptions, ruleSettings } from "../settings";

interface CheckFlags extends RuleOptions {
  readonly format: string;
  readonly fix?: boolean;
  readonly platform?: boolean;
  readonly failOn: Severity | "never";
  readonly quiet?: boolean;
}

export async function run({ args, options, terminal }: Input<CheckFlags>): Promise<number> {
  if (options.fix && args.includes(STANDARD_INPUT))
    throw new Stop("--fix writes files; standard input is none.", EXIT.usage);
  const rules = await ruleSettings(options, terminal);
  const check = (files: readonly FlowFile[]) =>
    checkFiles(files, { rules, platform: options.platform === true }, terminal);
  let checked = await check(await readFlowFiles(args, terminal));
  let fixed = 0;
  if (options.fix) {
    const files = await Promise.all(
      checked.map(async (each): Promise<FlowFile> => {
        const text = fixedText(each, rules);
        if (text === each.file.text) return each.file;
        await writeWhole(each.file.absolute, text);
        fixed++;
        return { ...each.file, text };
      }),
    );
    if (fixed > 0) checked = await check(files);
  }
  for (const { file, platformSilence } of checked)
    if (platformSilence) terminal.err(`${file.path}: no findings of the platform: ${platformSilence}.\n`);
  const { failOn } = options;
  const failed =
    failOn !== "never" && checked.some((each) => each.findings.some(({ severity }) => isAtLeast(severity, failOn)));
  const shown = options.quiet
    ? checked.map((each) => ({ ...each, findings: each.findings.filter(({ severity }) => severity === "error") }))
    : checked;
  const report = (await reports[options.format as keyof typeof reports]()) as Report;
  terminal.out(report(shown, { fixed, colour: terminal.colour }));
  return failed ? EXIT.failed : EXIT.fine;
}
