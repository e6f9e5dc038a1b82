/** `assistant-flow check`. */
import path from "node:path";
import { replaceText, shownPath } from "../../files";
import { type FileKind, fileKind, type Severity } from "../../flow";
import { oneLine } from "../../text";
import { CheckContext } from "../check/check-context";
import { checkFiles } from "../check/check-files";
import { checkSnapshot } from "../check/companion-findings";
import { type CheckedFile, isAtLeast } from "../check/findings";
import { PolicyWorkspace } from "../check/policy-workspace";
import { EXIT, type Input, Stop } from "../command";
import { environmentIn } from "../environments/projects";
import { CHECKED_KINDS, namedFiles, STANDARD_INPUT, scopeOf } from "../files/flow-files";
import { type RuleOptions, ruleSettings } from "../files/rule-settings";
import type { Report } from "../report/report";
import { type WatchedRun, watchFiles } from "../watch";

/** Each format is loaded when it's used. */
const reports: Readonly<Record<string, () => Promise<Report>>> = {
  text: async () => (await import("../report/check-text")).textReport,
  json: async () => (await import("../report/json")).jsonReport,
  sarif: async () => (await import("../report/sarif")).sarifReport,
  github: async () => (await import("../report/github")).githubReport,
  junit: async () => (await import("../report/junit")).junitReport,
};

interface CheckFlags extends RuleOptions {
  readonly format: string;
  readonly fix?: boolean;
  readonly fixes?: boolean;
  readonly platform?: boolean;
  readonly env?: string;
  readonly failOn: Severity | "never";
  readonly quiet?: boolean;
  readonly watch?: boolean;
}

export async function run(input: Input<CheckFlags>): Promise<number> {
  const { args, options, terminal } = input;
  for (const flag of ["fix", "watch"] as const)
    if (options[flag] && args.includes(STANDARD_INPUT))
      throw new Stop(`--${flag} can't be used with standard input.`, EXIT.usage);
  if (options.env !== undefined && !options.platform) throw new Stop("--env needs --platform.", EXIT.usage);
  if (options.env !== undefined) await environmentIn(terminal.cwd, options.env);
  if (!options.watch) return (await runOnce(input)).code;
  const isWatched = (name: string) => CHECKED_KINDS.includes(fileKind(name) as FileKind);
  return watchFiles(() => runOnce(input), isWatched, terminal);
}

async function runOnce({ args, options, terminal }: Input<CheckFlags>): Promise<WatchedRun> {
  const rules = await ruleSettings(options, terminal);
  const detailed = options.format === "text" || options.format === "sarif" || options.fixes === true;
  const wanted = {
    rules,
    platform: options.platform === true,
    environment: options.env,
    fix: false,
    details: detailed ? (options.quiet ? "errors" : "all") : "none",
    env: { ...terminal.env },
    cwd: terminal.cwd,
    folders: (await scopeOf(args, terminal.cwd)).folders,
  } as const;
  const files = await namedFiles(args, terminal, CHECKED_KINDS);
  let checked = await checkFiles(files, { ...wanted, fix: options.fix === true }, terminal);
  const changed = checked.flatMap(({ file, fixed }) => (fixed ? { ...fixed, file: file.absolute } : []));
  await Promise.all(changed.map(({ file, before, after }) => replaceText(file, before, after)));
  if (changed.length > 0) checked = await checkFiles(files, wanted, terminal);
  for (const { file, platformSilence } of checked)
    if (platformSilence) terminal.err(oneLine`${file.path}: no platform findings: ${platformSilence}.\n`);
  // Unchecked policies must not look as if they hold.
  const flows = files.map(({ absolute }) => absolute);
  const policies = new PolicyWorkspace(terminal.cwd);
  const unchecked = await policies.problemsOf(flows);
  const companions = await policies.unmatchedFor(flows);
  const context = new CheckContext(wanted);
  const snapshots = (await context.tools.filesOf(flows)).filter((absolute) => !flows.includes(absolute));
  for (const absolute of snapshots)
    companions.push(await checkSnapshot({ path: shownPath(absolute, terminal.cwd), absolute }, context));
  const all = [...checked, ...companions.filter(({ findings }) => findings.length > 0)];
  for (const each of unchecked) terminal.err(oneLine`${each}\n`);
  const { failOn } = options;
  const isBad = ({ findings }: CheckedFile) => findings.some(({ severity }) => isAtLeast(severity, failOn as Severity));
  const failed = failOn !== "never" && (unchecked.length > 0 || all.some(isBad));
  const shown = options.quiet
    ? all.map((each) => ({ ...each, findings: each.findings.filter(({ severity }) => severity === "error") }))
    : all;
  const report = (await reports[options.format]?.()) as Report;
  terminal.out(report(shown, { fixed: changed.length, color: terminal.color }));
  return {
    code: failed ? EXIT.failed : EXIT.fine,
    folders: [...new Set([...flows, ...snapshots].map((file) => path.dirname(file)))],
  };
}
