/** Shows webhook event types as rows. */
import { l10n } from "vscode";
import { safeText, type WebhookEventType } from "../../platform";
import type { Row } from "../ui/row";

export function eventRows(events: readonly WebhookEventType[]): readonly Row[] {
  const byGroup = new Map<string, WebhookEventType[]>();
  for (const event of events) {
    const group = event.group ?? "";
    byGroup.set(group, [...(byGroup.get(group) ?? []), event]);
  }
  return [...byGroup]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([group, list]) => ({
      id: `group/${group}`,
      label: safeText(group, 60) || l10n.t("Other"),
      description: String(list.length),
      icon: "symbol-namespace",
      expanded: true,
      children: [...list].sort((a, b) => a.type.localeCompare(b.type)).map(eventRow),
    }));
}

function eventRow(event: WebhookEventType): Row {
  // An unknown sensitivity is treated as sensitive.
  const harmless = event.sensitivity === "non_pii";
  const sensitivity = harmless
    ? l10n.t("no personal data")
    : event.sensitivity === "pii"
      ? l10n.t("personal data")
      : event.sensitivity;
  return {
    id: `event/${event.type}`,
    label: safeText(event.type, 120),
    description: sensitivity && safeText(sensitivity, 40),
    icon: harmless ? "broadcast" : "lock",
    color: harmless ? undefined : "list.warningForeground",
    context: "event",
    copy: event.type,
    thing: event,
    facts: () => [
      [l10n.t("Description:"), event.description],
      [l10n.t("Sensitivity:"), event.sensitivity],
      [l10n.t("Group:"), event.group],
    ],
  };
}
