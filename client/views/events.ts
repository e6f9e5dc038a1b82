/** The webhook events view: the event types an organization can subscribe to, by group, with their sensitivity. */
import * as vscode from "vscode";
import { safeText, type WebhookEventType } from "../../platform";
import type { Session } from "../connections";
import { copy, onCommand } from "../ui/notice";
import type { Row } from "../ui/row";
import { ListView } from "./tree";

export function registerEvents(context: vscode.ExtensionContext, session: Session): void {
  const view = new ListView<readonly WebhookEventType[]>(context, session, {
    name: "events",
    things: vscode.l10n.t("event types"),
    empty: vscode.l10n.t("No webhook events."),
    load: (signal) => session.client.eventCatalog({ signal }),
    rows: eventRows,
  });
  onCommand(context, "copyEventType", async (...args) => {
    const type = (await view.chosen(args, "event"))[0]?.copy;
    if (type) return copy(type, type);
  });
}

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
      label: safeText(group, 60) || vscode.l10n.t("Other"),
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
    ? vscode.l10n.t("no personal data")
    : event.sensitivity === "pii"
      ? vscode.l10n.t("personal data")
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
      [vscode.l10n.t("Description:"), event.description],
      [vscode.l10n.t("Sensitivity:"), event.sensitivity],
      [vscode.l10n.t("Group:"), event.group],
    ],
  };
}
