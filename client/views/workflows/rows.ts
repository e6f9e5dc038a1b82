/** Shows calling workflows as rows, active and inactive, each with its steps, hours, phone number, and statistics. */
import { l10n } from "vscode";
import { type CallingWorkflow, safeText, type WorkflowStep } from "../../../platform";
import { detailRow, type Row } from "../../ui/row";
import { delay, moment, plainWords, plural } from "../../ui/words";
import { hoursOf } from "./hours";

export function workflowRows(workflows: readonly CallingWorkflow[], now: number): readonly Row[] {
  const groups = [
    { id: "active", label: l10n.t("Active"), list: workflows.filter(({ active }) => active === true) },
    { id: "inactive", label: l10n.t("Inactive"), list: workflows.filter(({ active }) => active === false) },
    { id: "other", label: l10n.t("Unknown"), list: workflows.filter(({ active }) => active === undefined) },
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

function workflowRow(workflow: CallingWorkflow, now: number): Row {
  const hours = hoursOf(workflow, now);
  const callsNow = workflow.active === true && hours?.open === true;
  const state =
    workflow.active === false
      ? l10n.t("inactive")
      : hours?.open === undefined
        ? ""
        : hours.open
          ? l10n.t("within hours")
          : l10n.t("outside hours");
  return {
    id: `workflow/${workflow.id}`,
    label: workflowName(workflow),
    description: [state, plural(workflow.steps?.length ?? 0, l10n.t("step"), l10n.t("steps"))]
      .filter(Boolean)
      .join(" · "),
    icon: callsNow ? "call-outgoing" : workflow.active === false ? "circle-slash" : "circle-outline",
    color: callsNow ? "charts.green" : workflow.active === false ? "disabledForeground" : undefined,
    context: workflow.active === false ? "workflow inactive" : "workflow active",
    copy: workflow.id,
    thing: workflow,
    facts: () => [
      [l10n.t("Description:"), workflow.description],
      [l10n.t("Hours:"), hours?.text],
      [
        l10n.t("Within calling hours:"),
        hours?.open === undefined
          ? undefined
          : hours.open
            ? l10n.t("yes")
            : l10n.t("no, it's {0} there", hours.there ?? ""),
      ],
      [l10n.t("Calls so far:"), workflow.totalCalls?.toLocaleString("en-US")],
      [l10n.t("Updated:"), moment(workflow.updatedAt, now)],
      ["ID:", workflow.id],
    ],
    children: details(workflow, now),
  };
}

function details(workflow: CallingWorkflow, now: number): readonly Row[] {
  const id = `workflow/${workflow.id}`;
  const hours = hoursOf(workflow, now);
  const { phoneNumber: number, stats } = workflow;
  const line = (key: string, label: string, description: string | undefined, icon: string, copy?: string) =>
    detailRow(`${id}/`, label, description, { key, icon, ...(copy ? { copy, context: "text" } : {}) });
  const steps = [...(workflow.steps ?? [])].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  return [
    ...line("what", l10n.t("Description"), workflow.description && safeText(workflow.description), "info"),
    ...line(
      "now",
      l10n.t("Within calling hours"),
      hours &&
        (hours.open === undefined
          ? l10n.t("unknown")
          : hours.open
            ? l10n.t("yes, it's {0} there", hours.there ?? "")
            : l10n.t("no, it's {0} there", hours.there ?? "")),
      hours?.open ? "pass" : "circle-slash",
    ),
    ...line("hours", l10n.t("Hours"), hours?.text, "calendar"),
    ...line(
      "number",
      l10n.t("Number"),
      number?.phoneNumber &&
        [
          number.phoneNumber,
          number.city,
          number.state,
          number.outbound && l10n.t("outbound"),
          number.inbound && l10n.t("inbound"),
        ]
          .filter(Boolean)
          .map((part) => safeText(String(part), 40))
          .join(" · "),
      "device-mobile",
      number?.phoneNumber,
    ),
    {
      id: `${id}/steps`,
      label: l10n.t("Steps"),
      description: String(steps.length),
      icon: "list-ordered",
      expanded: true,
      children: steps.map((step, index) => stepRow(step, `${id}/step/${step.id ?? index}`, index)),
    },
    ...line("agents", l10n.t("Agents"), workflow.numberOfAgents?.toString(), "organization"),
    ...line("voice", l10n.t("Voice"), workflow.voiceId && safeText(workflow.voiceId, 60), "unmute", workflow.voiceId),
    ...line(
      "prompt",
      l10n.t("Prompt"),
      workflow.promptId && safeText(workflow.promptId, 60),
      "comment",
      workflow.promptId,
    ),
    ...line("tag", l10n.t("Tag"), workflow.tag && safeText(workflow.tag, 60), "tag", workflow.tag),
    ...line("calls", l10n.t("Calls so far"), workflow.totalCalls?.toLocaleString("en-US"), "call-outgoing"),
    ...line(
      "leads",
      l10n.t("Leads"),
      stats?.totalLeads === undefined
        ? undefined
        : l10n.t(
            "{0} of {1} completed",
            (stats.totalLeadsCompleted ?? 0).toLocaleString("en-US"),
            stats.totalLeads.toLocaleString("en-US"),
          ),
      "graph",
    ),
    ...line("promises", l10n.t("Promises taken"), stats?.promisesTaken && safeText(stats.promisesTaken, 40), "graph"),
    ...line("cash", l10n.t("Cash collected"), stats?.cashCollected && safeText(stats.cashCollected, 40), "graph"),
  ];
}

function stepRow(step: WorkflowStep, id: string, index: number): Row {
  const finish = (step.finishOn ?? []).map(plainWords).join(", ");
  return {
    id,
    label: `${step.order ?? index + 1}. ${plainWords(step.type ?? "step")}`,
    description: [
      delay(step.delayInSecs),
      step.needsTCPACompliance ? "TCPA" : "",
      finish && l10n.t("done when {0}", finish),
    ]
      .filter(Boolean)
      .join(" · "),
    icon: step.type === "CALL" ? "call-outgoing" : "arrow-small-right",
    context: "thing",
    copy: step.id,
    thing: step,
    facts: () => [
      [l10n.t("When:"), delay(step.delayInSecs)],
      [
        l10n.t("Requires TCPA compliance:"),
        step.needsTCPACompliance === undefined ? undefined : step.needsTCPACompliance ? l10n.t("yes") : l10n.t("no"),
      ],
      [l10n.t("Done when the call ends with:"), finish],
      [l10n.t("Text message:"), step.textMessage],
      [l10n.t("Voicemail:"), step.voicemailMessage],
    ],
  };
}
