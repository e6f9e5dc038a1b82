/** Which policies bind which flows. */

import { shownPath } from "../../files";
import { today } from "../../files/suite";
import { exceptionsFor, type PolicyFile, policiesFor } from "../../flow/policy";
import { visibleLine } from "../../text";
import { painter, type Terminal } from "../terminal";
import { pathFrom } from "./policy-files";

export interface FlowBindings {
  readonly flow: string;
  /** The policy file that applies to it; empty if there is none. */
  readonly file: string;
  readonly policies: readonly Binding[];
}

interface Binding {
  readonly policy: string;
  readonly severity: string;
  readonly because?: string;
  /** The exceptions that count today; one without a node is for the whole flow. */
  readonly except?: readonly { readonly node?: string; readonly until: string; readonly because: string }[];
}

export function bindingsOf(
  flow: string,
  own: { readonly absolute: string; readonly file: PolicyFile } | undefined,
  cwd: string,
): FlowBindings {
  const shown = shownPath(flow, cwd);
  if (!own) return { flow: shown, file: "", policies: [] };
  const from = pathFrom(own.absolute, flow);
  const policies = policiesFor(own.file.policies, from).map((policy): Binding => {
    const except = exceptedIn(policy, from);
    const because = policy.because === undefined ? {} : { because: policy.because };
    return { policy: policy.id, severity: policy.severity, ...because, ...(except.length > 0 ? { except } : {}) };
  });
  return { flow: shown, file: shownPath(own.absolute, cwd), policies };
}

/** The exceptions of a policy that count today, as programs read them. */
export function exceptedIn(policy: Parameters<typeof exceptionsFor>[0], path: string): NonNullable<Binding["except"]> {
  return exceptionsFor(policy, path, today()).map(({ node, until, because }) => ({
    ...(node ? { node: node.text } : {}),
    until: until.text,
    because,
  }));
}

export function bindingsText(flows: readonly FlowBindings[], terminal: Terminal): string {
  const paint = painter(terminal);
  const lines = flows.flatMap(({ flow, file, policies }) => [
    `${paint(flow, "bold")}  ${file || "no policy file"}`,
    ...policies.flatMap(({ policy, severity, because, except = [] }) => [
      `  ${visibleLine(policy)}  ${severity}${because === undefined ? "" : `  ${visibleLine(because)}`}`,
      ...except.map((each) => {
        const what = each.node === undefined ? "whole flow" : `"${each.node}"`;
        return `    ${visibleLine(`except ${what} until ${each.until}: ${each.because}`)}`;
      }),
    ]),
    ...(file && policies.length === 0 ? ["  no policies"] : []),
  ]);
  return `${lines.join("\n")}\n`;
}
