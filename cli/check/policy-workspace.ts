/** The flows of policy files, each parsed once, and policies that match nothing in them. */

import path from "node:path";
import { shownPath } from "../../files";
import { type CompanionProblem, problemsBeside, slipOf } from "../../files/suite";
import { FlowDocument, type Span, unreadIn } from "../../flow";
import {
  type Judge,
  judgeOf,
  matchedParts,
  type Policy,
  partsOfPolicy,
  policiesFor,
  readPolicyFile,
} from "../../flow/policy";
import { type Program, programOf } from "../../flow/run";
import { positionsIn } from "../../flow/test";
import { findFiles, readSource } from "../files/flow-files";
import type { CheckedFile, Finding } from "./findings";
import { cached, PolicyFiles, pathFrom } from "./policy-files";

export class PolicyWorkspace extends PolicyFiles {
  readonly #programs = new Map<string, Promise<Program>>();
  readonly #judges = new Map<string, Promise<Judge | undefined>>();

  read(flow: string): Promise<Program> {
    return cached(this.#programs, flow, async () => programOf(FlowDocument.read(await readSource(flow, this.cwd))));
  }

  /** Undefined if the flow is too large with its components. */
  judge(flow: string): Promise<Judge | undefined> {
    return cached(this.#judges, flow, async () => {
      const program = await this.read(flow);
      const flowOf = await this.componentsOf(flow, program);
      return judgeOf(program, flowOf, this.work.forFlow());
    });
  }

  /** The flows whose nearest policy file this is. */
  async flowsOf(file: string): Promise<string[]> {
    const below = await findFiles([path.dirname(file)], this.cwd, ["flow"], "silent");
    const nearest = await Promise.all(below.map((flow) => this.of(flow)));
    return below.filter((_, index) => nearest[index] === file);
  }

  /** The first part of a policy that matches nothing in its flows, as a message with its span. */
  async missingPart(
    policy: Policy,
    scope: readonly string[],
  ): Promise<{ readonly message: string; readonly span: Span } | undefined> {
    if (scope.length === 0) {
      const message = policy.flows
        ? "`flows` matches no flow that uses this policy file."
        : "no flow uses this policy file.";
      return { message, span: policy.flowsSpan ?? policy.idSpan };
    }
    let left = partsOfPolicy(policy).map((part, index) => ({ ...part, index }));
    const read: { readonly program: Program; readonly judged: { readonly whole: Program } }[] = [];
    for (const flow of scope) {
      const program = await this.read(flow);
      // A match may be in a part that can't be read.
      if (unreadIn(program.document)) return undefined;
      const judge = await this.judge(flow);
      // A match may be in a flow that is too large to analyze.
      if (!judge) return undefined;
      read.push({ program, judged: { whole: judge.program } });
      const found = matchedParts(policy, judge.program);
      left = left.filter(({ index }) => !found[index]);
      if (left.length === 0) return undefined;
    }
    const names = left.map(({ name }) => `\`${name}\``).join(" and ");
    const [slip] = left.flatMap(({ selector }) => (selector && slipOf(selector, read)) ?? []);
    const advice = slip ? ` Did you mean "${slip.near}"?` : "";
    return {
      message: `${names} ${left.length === 1 ? "matches" : "match"} nothing.${advice}`,
      span: slip?.span ?? left[0]?.span ?? policy.span,
    };
  }

  /** Problems with the exceptions and examples of a policy. */
  async problemsBeside(policy: Policy, scope: readonly string[], file: string): Promise<CompanionProblem[]> {
    if (policy.exceptions.length + policy.examples.length === 0) return [];
    const nodesOf = async (flow: string) => {
      const judge = await this.judge(flow);
      const whole = judge?.program ?? (await this.read(flow));
      return { path: pathFrom(file, flow), judged: { whole, isTooLarge: judge === undefined } };
    };
    return problemsBeside(policy, await Promise.all(scope.map(nodesOf)));
  }

  /**
   * Problems in the policy files of these flows, except files that are checked themselves: policies that match nothing,
   * expired exceptions, failing examples.
   */
  async unmatchedFor(checked: readonly string[]): Promise<CheckedFile[]> {
    return Promise.all((await this.uncheckedOf(checked)).map((absolute) => this.#unmatchedIn(absolute)));
  }

  async #unmatchedIn(absolute: string): Promise<CheckedFile> {
    const text = await readSource(absolute, this.cwd).catch(() => "");
    const positionOf = positionsIn(text);
    const flows = await this.flowsOf(absolute);
    const findings: Finding[] = [];
    const add = (code: string, severity: Finding["severity"], message: string, { start, end }: Span) =>
      findings.push({
        source: "assistant-flow",
        code,
        severity,
        message,
        range: { start: positionOf(start), end: positionOf(end) },
      });
    for (const policy of readPolicyFile(text).policies) {
      const scope = scopeIn(flows, policy, absolute);
      const missing = await this.missingPart(policy, scope);
      if (missing)
        add("matches-nothing", "warning", `Policy "${policy.id}" isn't checked: ${missing.message}`, missing.span);
      for (const { code, severity, message, span } of await this.problemsBeside(policy, scope, absolute))
        add(code, severity, message, span);
    }
    return { file: { path: shownPath(absolute, this.cwd), absolute }, findings };
  }
}

/** The flows that a policy applies to. */
export function scopeIn(flows: readonly string[], policy: Policy, file: string): string[] {
  return flows.filter((flow) => policiesFor([policy], pathFrom(file, flow)).length > 0);
}
