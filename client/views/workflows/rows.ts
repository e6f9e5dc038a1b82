/** Calling workflows as rows: active and inactive ones, each with its steps, hours, number and figures. */
import { type CallingWorkflow, safeText, type WorkflowStep } from "../../../platform";
import type { Row } from "../../ui/row";
import { delay, moment, plainWords, plural } from "../../ui/words";
import { hoursOf } from "./hours";

export function workflowRows(workflows: readonly CallingWorkflow[], now: number): readonly Row[] {
  const groups = [
    { id: "active", label: "Active", list: workflows.filter(({ active }) => active === true) },
    { id: "inactive", label: "Inactive", list: workflows.filter(({ active }) => active === false) },
    { id: "other", label: "Unknown", list: workflows.filter(({ active }) => active === undefined) },
  ];
  return groups.flatMap(({ id, label, list }) =>
    list.length === 0
      ? []
      : [
          {
            id: `group/${id}`,
            label,
            description: String(list.length),
            expanded: id !== "inactive",
            children: list.map((workflow) => workflowRow(workflow, now)),
          },
        ],
  );
}

export function workflowName(workflow: CallingWorkflow): string {
  return safeText(workflow.name ?? "", 80) || workflow.id;
}

export function workflowRow(workflow: CallingWorkflow, now: number): Row {
  const hours = hoursOf(workflow, now);
  const callsNow = workflow.active === true && hours?.open === true;
  const state =
    workflow.active === false
      ? "inactive"
      : hours?.open === undefined
        ? ""
        : hours.open
          ? "calling now"
          : "outside hours";
  return {
    id: `workflow/${workflow.id}`,
    label: workflowName(workflow),
    description: [state, plural(workflow.steps?.length ?? 0, "step")].filter(Boolean).join(" · "),
    icon: callsNow ? "call-outgoing" : workflow.active === false ? "circle-slash" : "circle-outline",
    color: callsNow ? "charts.green" : workflow.active === false ? "disabledForeground" : undefined,
    context: workflow.active === false ? "workflow inactive" : "workflow active",
    copy: workflow.id,
    thing: workflow,
    facts: () => [
      ["Description:", workflow.description],
      ["Hours:", hours?.text],
      ["Calling now:", hours?.open === undefined ? undefined : callsNow ? "yes" : `no, it's ${hours.there} there`],
      ["Calls so far:", workflow.totalCalls?.toLocaleString("en-US")],
      ["Updated:", moment(workflow.updatedAt, now)],
      ["ID:", workflow.id],
    ],
    children: details(workflow, now),
  };
}

function details(workflow: CallingWorkflow, now: number): readonly Row[] {
  const id = `workflow/${workflow.id}`;
  const hours = hoursOf(workflow, now);
  const { phoneNumber: number, stats } = workflow;
  const line = (
    name: string,
    label: string,
    description: string | undefined,
    icon: string,
    copy?: string,
  ): readonly Row[] =>
    description ? [{ id: `${id}/${name}`, label, description, icon, ...(copy ? { copy, context: "text" } : {}) }] : [];
  const steps = [...(workflow.steps ?? [])].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const yes = workflow.active !== false && hours?.open;
  return [
    ...line("what", "Description", workflow.description && safeText(workflow.description), "info"),
    ...line(
      "now",
      "Calling now",
      hours &&
        (hours.open === undefined
          ? "unknown"
          : yes
            ? `yes, it's ${hours.there} there`
            : `no, it's ${hours.there} there`),
      yes ? "pass" : "circle-slash",
    ),
    ...line("hours", "Hours", hours?.text, "calendar"),
    ...line(
      "number",
      "Number",
      number?.phoneNumber &&
        [number.phoneNumber, number.city, number.state, number.outbound && "outbound", number.inbound && "inbound"]
          .filter(Boolean)
          .map((part) => safeText(String(part), 40))
          .join(" · "),
      "device-mobile",
      number?.phoneNumber,
    ),
    {
      id: `${id}/steps`,
      label: "Steps",
      description: String(steps.length),
      icon: "list-ordered",
      expanded: true,
      children: steps.map((step, index) => stepRow(step, `${id}/step/${step.id ?? index}`, index)),
    },
    ...line("agents", "Agents", workflow.numberOfAgents?.toString(), "organization"),
    ...line("voice", "Voice", workflow.voiceId && safeText(workflow.voiceId, 60), "unmute", workflow.voiceId),
    ...line("prompt", "Prompt", workflow.promptId && safeText(workflow.promptId, 60), "comment", workflow.promptId),
    ...line("tag", "Tag", workflow.tag && safeText(workflow.tag, 60), "tag", workflow.tag),
    ...line("calls", "Calls so far", workflow.totalCalls?.toLocaleString("en-US"), "call-outgoing"),
    ...line(
      "leads",
      "Leads",
      stats?.totalLeads === undefined
        ? undefined
        : `${(stats.totalLeadsCompleted ?? 0).toLocaleString("en-US")} of ${stats.totalLeads.toLocaleString("en-US")} completed`,
      "graph",
    ),
    ...line("promises", "Promises taken", stats?.promisesTaken && safeText(stats.promisesTaken, 40), "graph"),
    ...line("cash", "Cash collected", stats?.cashCollected && safeText(stats.cashCollected, 40), "graph"),
  ];
}

function stepRow(step: WorkflowStep, id: string, index: number): Row {
  const finish = (step.finishOn ?? []).map(plainWords).join(", ");
  return {
    id,
    label: `${step.order ?? index + 1}. ${plainWords(step.type ?? "step")}`,
    description: [delay(step.delayInSecs), step.needsTCPACompliance ? "TCPA" : "", finish && `done when ${finish}`]
      .filter(Boolean)
      .join(" · "),
    icon: step.type === "CALL" ? "call-outgoing" : "arrow-small-right",
    context: "thing",
    copy: step.id,
    thing: step,
    facts: () => [
      ["When:", delay(step.delayInSecs)],
      [
        "Requires TCPA compliance:",
        step.needsTCPACompliance === undefined ? undefined : step.needsTCPACompliance ? "yes" : "no",
      ],
      ["Done when the call ends with:", finish],
      ["Text message:", step.textMessage],
      ["Voicemail:", step.voicemailMessage],
    ],
  };
}
