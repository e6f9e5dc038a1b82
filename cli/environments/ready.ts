/** What prevents a flow from being promoted, as far as its files show: errors, failing tests and broken policies. */
import { FileScope } from "../../files";
import { Suite } from "../../files/suite";
import type { RuleSettings } from "../../flow";
import { SharedWork } from "../../flow/run";
import { readTestFile, runSuiteFile } from "../../flow/test";
import { checkFiles } from "../check/check-files";
import { isBad, judgeFlows } from "../commands/policies";
import { type FlowFile, findFiles, readSource } from "../files/flow-files";
import { count, type Terminal } from "../terminal";
import { diskReader } from "../tests/load";

export async function offlineBlockers(file: FlowFile, rules: RuleSettings, terminal: Terminal): Promise<string[]> {
  const { cwd, env } = terminal;
  const options = { rules, platform: false, fix: false, details: "none", env: { ...env }, cwd, folders: [] } as const;
  const input = () => terminal.input();
  const quiet: Terminal = { cwd, env, color: false, watched: false, input, out() {}, data() {}, err() {} };
  const checked = await checkFiles([file], options, quiet);
  // Policies are reported below.
  const errors = checked
    .flatMap(({ findings }) => findings)
    .filter(({ severity, code }) => severity === "error" && code !== "policy-broken");
  const { verdicts, problems } = await judgeFlows([file.absolute], quiet);
  const failed = await failedTests(file.absolute, cwd);
  return [
    ...errors.map(({ message, range }) => `${file.path}:${range.start.line + 1}: ${message}`),
    ...problems.map(({ file: at, line, message }) => `${at}:${line}: ${message}`),
    ...verdicts.filter(isBad).map(({ policy, message }) => `Policy "${policy}": ${message}`),
    ...(failed.length > 0 ? [`${count(failed.length, "test")} failed: ${failed.join(", ")}.`] : []),
  ];
}

/** The names of the flow's tests that fail, and the files of those that can't be run. */
async function failedTests(flow: string, cwd: string): Promise<string[]> {
  const suite = new Suite(cwd, diskReader(cwd), new FileScope([], cwd));
  for (const absolute of await findFiles(["."], cwd, ["test"], "silent")) {
    const text = await readSource(absolute, cwd).catch(() => undefined);
    const file = text === undefined ? undefined : readTestFile(text);
    if (file && Suite.flowPath(absolute, file) === flow) await suite.add(absolute, file);
  }
  const { files, flowOf } = await suite.loaded();
  const work = new SharedWork();
  return files.flatMap((each) => {
    const { problem, results, path } = runSuiteFile(each, flowOf, work);
    if (problem) return [`${path} (${problem.message})`];
    return results.filter(({ status }) => status === "failed").map(({ test }) => `"${test.name}"`);
  });
}
