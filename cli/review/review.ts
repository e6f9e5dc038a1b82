/** The effect of a change to a flow: changed elements, and changes in the conversation, policies and tests. */

import path from "node:path";
import { filesBelow, looksAbove, shownPath } from "../../files";
import { DocumentCache, Suite, today } from "../../files/suite";
import { type FlowDocument, type Graph, graphOf, isTestFile, POLICY_FILE, topText } from "../../flow";
import { inForce, type Judge, judgeOf, matchedParts, type Policy, readPolicyFile } from "../../flow/policy";
import {
  type Behavior,
  behaviorBetween,
  type Change,
  changesBetweenDocuments,
  type Endings,
  endingsBetween,
  NO_ENDINGS,
} from "../../flow/review";
import { type FlowOf, type Program, programOf, SharedWork } from "../../flow/run";
import { type Coverage, coverageOfRuns, readTestFile, runSuiteFile } from "../../flow/test";
import type { CallChanges } from "../calls/sentences";
import { pathFrom } from "../check/policy-files";
import { readSource } from "../files/flow-files";
import type { Terminal } from "../terminal";
import type { Repository } from "./git";

export interface Review {
  /** The displayed path; for a renamed flow, the new one. */
  readonly path: string;
  readonly oldPath?: string;
  /** Computed on demand, for drawings. */
  readonly from: Graph;
  readonly to: Graph;
  readonly changes: readonly Change[];
  readonly behavior: FullBehavior;
  /** Sentences about a changed assistant or revision. */
  readonly links: readonly string[];
  /** Counts the effect on recorded calls. */
  readonly callChanges: (file: string, terminal: Terminal) => Promise<CallChanges>;
  /** Set by `diff --calls`. */
  readonly calls?: CallChanges;
}

export interface FullBehavior extends Behavior, Endings {
  /** IDs of policies whose verdict changed, with details below. */
  readonly policies: readonly string[];
  readonly policy_changes: readonly PolicyChange[];
  /** Names of tests whose result changed, with details below. */
  readonly tests: readonly string[];
  readonly test_changes: readonly {
    readonly name: string;
    readonly file: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** Missing if the flow has no tests. */
  readonly coverage?: { readonly before: Covered; readonly after: Covered };
}

export interface PolicyChange {
  readonly policy: string;
  readonly before: string;
  readonly after: string;
  /** The shortest path that violates the policy, on the side where it is violated. */
  readonly path: readonly string[];
  readonly because?: string;
}

export interface Covered {
  readonly nodes: readonly [covered: number, all: number];
  readonly edges: readonly [covered: number, all: number];
}

/** Where tests and policies are read from: the new side, for both versions. */
export interface SourceFiles {
  read(absolute: string): Promise<string | undefined>;
  tests(): Promise<readonly string[]>;
  readonly cwd: string;
  /** One budget for all flows that are compared. */
  readonly work: SharedWork;
}

export function onDisk(cwd: string): SourceFiles {
  let found: Promise<readonly string[]> | undefined;
  return {
    cwd,
    work: new SharedWork(),
    read: (absolute) => readSource(absolute, cwd).catch(() => undefined),
    tests: () => {
      found ??= filesBelow(cwd, isTestFile, "readable").then((files) => files.sort());
      return found;
    },
  };
}

export function inCommit(repository: Repository, commit: string, cwd: string): SourceFiles {
  let found: Promise<readonly string[]> | undefined;
  const inside = (absolute: string) => path.relative(repository.top, absolute).split(path.sep).join("/");
  return {
    cwd,
    work: new SharedWork(),
    read: (absolute) => repository.read(commit, inside(absolute)),
    tests: () => {
      found ??= repository.list(commit).then((files) =>
        files
          .filter(isTestFile)
          .map((file) => path.join(repository.top, file))
          .sort(),
      );
      return found;
    },
  };
}

/** `absolute` is the path of the new version, `old` of the old one. */
export async function review(
  before: FlowDocument,
  after: FlowDocument,
  absolute: string,
  old: string,
  sources: SourceFiles,
  /** Two versions of the same file, at different paths. */
  isOneFile = false,
): Promise<Review> {
  const was = programOf(before);
  const is = programOf(after, was);
  const policy_changes = await changedPolicies(was, is, absolute, sources);
  const tested = await testedBoth(was, is, new Set([absolute, old]), sources);
  const changes = changesBetweenDocuments(before, after);
  const shown = shownPath(absolute, sources.cwd);
  const oldPath = shownPath(old, sources.cwd);
  let [from, to]: (Graph | undefined)[] = [];
  return {
    path: shown,
    ...(oldPath === shown || isOneFile ? {} : { oldPath }),
    get from() {
      from ??= graphOf(before);
      return from;
    },
    get to() {
      to ??= graphOf(after);
      return to;
    },
    changes,
    links: relinked(before, after),
    callChanges: async (file, terminal) => {
      const { callChanges } = await import("../calls/replay");
      const policies = await policiesInForce(absolute, sources);
      return callChanges(file, { before, after }, await componentsOf(absolute, sources), policies, terminal);
    },
    behavior: {
      ...behaviorBetween(before, after),
      ...(changes.some(movesPaths) ? endingsBetween(was, is) : NO_ENDINGS),
      policies: policy_changes.map(({ policy }) => policy),
      policy_changes,
      tests: tested.test_changes.map(({ name }) => name),
      ...tested,
    },
  };
}

/**
 * The assistant and revision decide where a push goes, but aren't part of the graph. New and removed files are skipped.
 */
function relinked(before: FlowDocument, after: FlowDocument): string[] {
  if (before.tops.length === 0 || after.tops.length === 0) return [];
  return (["assistant", "revision"] as const).flatMap((key) => {
    const [was, is] = [topText(before, key), topText(after, key)];
    if (was === is) return [];
    return `Changed ${key}: ${was ?? "(none)"} → ${is ?? "(none)"}.`;
  });
}

/** Fields that can't change paths. */
const TEXT_FIELDS = new Set(["instructions", "name", "description", "label", "persona", "destination", "mode"]);

function movesPaths({ kind, fields }: Change): boolean {
  return kind !== "changed" || fields.some((field) => !TEXT_FIELDS.has(field));
}

async function changedPolicies(
  was: Program,
  is: Program,
  absolute: string,
  sources: SourceFiles,
): Promise<PolicyChange[]> {
  const policies = await policiesInForce(absolute, sources);
  if (policies.length === 0) return [];
  const flowOf = await componentsOf(absolute, sources);
  const { work } = sources;
  const judges = { was: judgeOf(was, flowOf, work.forFlow()), is: judgeOf(is, flowOf, work.forFlow()) };
  return policies.flatMap((policy) => {
    const [before, after] = [verdictOf(policy, judges.was), verdictOf(policy, judges.is)];
    if (before.verdict === after.verdict) return [];
    const because = policy.because === undefined ? {} : { because: policy.because };
    const steps = after.verdict === "broken" ? after.path : before.path;
    return [{ policy: policy.id, before: before.verdict, after: after.verdict, path: steps, ...because }];
  });
}

function verdictOf(
  policy: Policy,
  judge: Judge | undefined,
): { readonly verdict: string; readonly path: readonly string[] } {
  if (!judge) return { verdict: "not-checked", path: [] };
  const verdict = judge.judge(policy.demand);
  if (verdict.verdict === "broken") return { verdict: "broken", path: verdict.path.nodes.map(({ id }) => id) };
  const isMatched = judge.program.entry && matchedParts(policy, judge.program).every(Boolean);
  return { verdict: isMatched ? verdict.verdict : "matches-nothing", path: [] };
}

async function policiesInForce(absolute: string, sources: SourceFiles): Promise<readonly Policy[]> {
  const found = await nearestPolicies(path.dirname(absolute), sources);
  if (!found) return [];
  const policyFile = path.join(found.folder, POLICY_FILE);
  return inForce(readPolicyFile(found.text).policies, pathFrom(policyFile, absolute), today());
}

async function componentsOf(absolute: string, sources: SourceFiles): Promise<FlowOf> {
  const suite = new Suite(sources.cwd, new DocumentCache(sources.read));
  await suite.flow(absolute);
  return (await suite.loaded()).flowOf;
}

async function nearestPolicies(
  folder: string,
  sources: SourceFiles,
): Promise<{ readonly text: string; readonly folder: string } | undefined> {
  const text = await sources.read(path.join(folder, POLICY_FILE));
  if (text !== undefined) return { text, folder };
  return (await looksAbove(folder)) ? nearestPolicies(path.dirname(folder), sources) : undefined;
}

/** Runs the tests of the flow on both versions. */
async function testedBoth(
  was: Program,
  is: Program,
  flows: ReadonlySet<string>,
  sources: SourceFiles,
): Promise<Pick<FullBehavior, "test_changes" | "coverage">> {
  const suite = new Suite(sources.cwd, new DocumentCache(sources.read));
  for (const absolute of await sources.tests()) {
    const text = await sources.read(absolute);
    const file = text === undefined ? undefined : readTestFile(text);
    const flow = file && Suite.flowPath(absolute, file);
    if (file && flow !== undefined && flows.has(flow)) await suite.add(absolute, file);
  }
  const { files, flowOf } = await suite.loaded();
  if (files.length === 0) return { test_changes: [] };
  const run = (flow: Program) => files.map((file) => runSuiteFile({ ...file, flow }, flowOf, sources.work));
  const [before, after] = [run(was), run(is)];
  const test_changes = after.flatMap(({ path: file, results }, index) =>
    results.flatMap(({ test, status }, each) => {
      const earlier = before[index]?.results[each]?.status ?? "failed";
      return earlier === status ? [] : [{ name: test.name, file, before: earlier, after: status }];
    }),
  );
  return { test_changes, coverage: { before: coveredBy(before), after: coveredBy(after) } };
}

function coveredBy(runs: Parameters<typeof coverageOfRuns>[0]): Covered {
  const all = coverageOfRuns(runs);
  const sum = (which: keyof Coverage): [number, number] => {
    const covered = all.reduce((count, each) => count + each[which].covered.length, 0);
    return [covered, all.reduce((count, each) => count + each[which].missing.length, covered)];
  };
  return { nodes: sum("nodes"), edges: sum("edges") };
}
