/** The webhook events view: the event types an organization can subscribe to, by group, with their sensitivity. */
import * as vscode from "vscode";
import type { WebhookEventType } from "../../platform";
import type { Session } from "../connections";
import { copy, onCommand } from "../ui/act";
import { eventRows } from "./event-rows";
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
