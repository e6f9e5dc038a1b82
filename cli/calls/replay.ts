/** `assistant-flow diff --calls`: what a change would have done to recorded calls. */
import type { FlowDocument } from "../../flow";
import { CallTracer, replay } from "../../flow/calls";
import { breaksOnPath, type Policy } from "../../flow/policy";
import { type FlowOf, type Program, programOf } from "../../flow/run";
import type { Terminal } from "../terminal";
import { callsIn } from "./input";
import type { CallChanges, CallGroup } from "./sentences";

export async function callChanges(
  file: string,
  documents: { readonly before: FlowDocument; readonly after: FlowDocument },
  flowOf: FlowOf,
  policies: readonly Policy[],
  terminal: Terminal,
): Promise<CallChanges> {
  const [before, after] = [programOf(documents.before), programOf(documents.after)];
  const tracer = new CallTracer(before, flowOf);
  const groups = new Map<string, { -readonly [Key in keyof CallGroup]: CallGroup[Key] }>();
  const totals = { calls: 0, same: 0, other_path: 0, ends_elsewhere: 0, breaks_policy: 0, cant_tell: 0 };
  for await (const call of callsIn(file, terminal)) {
    totals.calls++;
    const trace = tracer.trace(call);
    const result = replay(trace, call, before, after, flowOf);
    if (result.kind === "unknown") totals.cant_tell++;
    if (result.kind === "same") totals.same++;
    if (result.kind !== "changed") continue;
    const wasBroken = brokenBy(
      policies,
      before,
      trace.steps.map(({ node }) => node),
    );
    const breaks = brokenBy(policies, after, result.path).some((id) => !wasBroken.includes(id));
    const group = groups.get(result.change) ?? {
      change: result.change,
      calls: 0,
      ends_elsewhere: 0,
      breaks_policy: 0,
      example: call.id,
    };
    groups.set(result.change, group);
    for (const counted of [group, totals]) {
      counted.ends_elsewhere += Number(result.endsElsewhere);
      counted.breaks_policy += Number(breaks);
    }
    group.calls++;
    totals.other_path++;
  }
  return { ...totals, groups: [...groups.values()].sort((a, b) => b.calls - a.calls) };
}

function brokenBy(policies: readonly Policy[], { nodes }: Program, path: readonly string[]): string[] {
  const along = path.flatMap((id) => nodes.get(id) ?? []);
  return policies.filter(({ demand }) => breaksOnPath(demand, along)).map(({ id }) => id);
}
