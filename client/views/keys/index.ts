/** The API keys view: create (the secret is shown once), store as a connection, revoke. */
import * as vscode from "vscode";
import { type ApiKey, type NewApiKey, PlatformError, safeText } from "../../../platform";
import type { Session } from "../../connections";
import { copy, onCommand, withNotice } from "../../ui/act";
import { expiryMoment, expiryProblem, problemsByField } from "../../ui/checks";
import { askSteps, type FormField, type FormValues } from "../../ui/forms";
import { confirm, inform, present } from "../../ui/notice";
import type { Row } from "../../ui/row";
import { ListView } from "../tree";
import { accessFields, scopesOf } from "./access";
import { keyRows } from "./rows";

export function registerKeys(context: vscode.ExtensionContext, session: Session): void {
  let inUse: (key: ApiKey) => boolean = () => false;
  const view = new ListView<readonly ApiKey[]>(context, session, {
    name: "keys",
    things: ["API key", "API keys"],
    empty: "No active API keys.",
    load: async (signal) => {
      const keys = await session.client.listApiKeys({ signal });
      inUse = await keyInUse(session);
      return keys;
    },
    rows: (keys, now) => keyRows(keys, now, inUse),
  });
  onCommand(context, "createKey", async () => {
    const key = await createKey(session, view.data ?? []);
    if (!key) return;
    await Promise.all([view.reload(), showOnce(session, key)]);
  });
  onCommand(context, "revokeKey", async (...args) => {
    const [target] = await view.chosen(args, "key");
    if (!target?.copy || !target.context?.startsWith("key")) return;
    if (!(await confirmRevoke(session, target))) return;
    await withNotice(`Revoking "${target.label}"`, (signal) =>
      session.client.revokeApiKey(target.copy as string, { signal }),
    ).then(undefined, async (error: unknown) => {
      await view.reload();
      throw error;
    });
    void inform(`Revoked the API key "${target.label}".`);
    await view.reload();
  });
}

/** Recognises the key this window sends. Only the list's prefix is compared; the key itself goes nowhere. */
async function keyInUse(session: Session): Promise<(key: ApiKey) => boolean> {
  const connection = session.connection;
  const secret = connection && (await session.store.secret(connection.id));
  return ({ key_prefix }) => {
    const prefix = key_prefix?.replace(/[.…*•]+$/, "") ?? "";
    return prefix.length >= 4 && (secret?.key.reveal().startsWith(prefix) ?? false);
  };
}

const DAY = 24 * 60 * 60 * 1000;
const presets = [
  { value: "", label: "Never", days: 0 },
  { value: "7", label: "In 7 days", days: 7 },
  { value: "30", label: "In 30 days", days: 30 },
  { value: "90", label: "In 90 days", days: 90 },
  { value: "365", label: "In a year", days: 365 },
  { value: "date", label: "On a date…", days: 0 },
];

function fields(keys: readonly ApiKey[]): readonly FormField[] {
  return [
    { name: "name", label: "Key name", placeholder: "CI of the billing team", required: true },
    ...accessFields(keys),
    {
      name: "expires",
      label: "Expiration",
      options: presets.map(({ value, label, days }) => ({
        value,
        label,
        ...(days > 0 ? { description: new Date(Date.now() + days * DAY).toLocaleDateString() } : {}),
      })),
    },
    {
      name: "expires_at",
      label: "Expiry date",
      placeholder: "yyyy-mm-dd",
      required: true,
      check: (value) => expiryProblem(value, new Date()),
      when: ({ expires }) => expires === "date",
    },
  ];
}

async function createKey(session: Session, keys: readonly ApiKey[]): Promise<NewApiKey | undefined> {
  let values: FormValues = {};
  let problems: Record<string, string> = {};
  while (true) {
    const answers = await askSteps("Create API Key", fields(keys), { values, problems });
    if (!answers) return undefined;
    values = answers;
    try {
      return await withNotice(`Creating "${values.name}"`, (signal) =>
        session.client.createApiKey(requestOf(values), { signal }),
      );
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.kind === "cancelled") return undefined;
      problems = problemsByField(error, "name");
    }
  }
}

function requestOf(values: FormValues) {
  const { name = "", expires, expires_at } = values;
  const scopes = scopesOf(values);
  const days = presets.find(({ value }) => value === expires)?.days ?? 0;
  const end =
    expires === "date" && expires_at
      ? expiryMoment(expires_at)
      : days > 0
        ? new Date(Date.now() + days * DAY)
        : undefined;
  return {
    name,
    ...(scopes ? { scopes } : {}),
    ...(end ? { expires_at: end.toISOString() } : {}),
  };
}

/** The one time the secret can be seen. It is in this dialog, in the clipboard or a connection if asked for, and gone. */
async function showOnce(session: Session, key: NewApiKey): Promise<void> {
  const name = safeText(key.name ?? "the new key", 80);
  let note = "You won't see this key again. Copy it, or save it as a connection.";
  let isKept = false;
  const copyKey = async () => {
    await copy(key.secret.reveal(), "the key");
    note = "Copied to clipboard.";
    isKept = true;
  };
  while (true) {
    const choice = await present({
      text: `The API key "${name}" was created.`,
      detail: `${key.secret.reveal()}\n\n${note}`,
      choices: ["Copy Key", "Save as Connection…"],
      close: "Done",
    });
    if (choice === "Copy Key") await copyKey();
    else if (choice === "Save as Connection…") {
      if (await keep(session, key)) return;
    } else if (isKept) return;
    else {
      // Whoever leaves without the key loses it for good.
      const leaving = await present({
        text: `Close without saving the API key "${name}"?`,
        detail: "The key was not copied or saved as a connection. You won't see it again.",
        choices: ["Copy Key", "Close Anyway"],
        close: "Go Back",
        warns: true,
      });
      if (leaving === "Copy Key") await copyKey();
      if (leaving !== undefined) return;
    }
  }
}

async function keep(session: Session, key: NewApiKey): Promise<boolean> {
  const connection = session.connection;
  const secret = connection && (await session.store.secret(connection.id));
  if (!secret) return false;
  const name = await vscode.window.showInputBox({
    title: "Save as Connection",
    prompt: `Connection name (uses the URLs of "${connection.name}")`,
    value: key.name ?? "",
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === ""
        ? "Enter a name."
        : session.store.byName(value.trim())
          ? `A connection named "${value.trim()}" already exists.`
          : undefined,
  });
  if (!name) return false;
  const { baseUrl, workflowBaseUrl, workflowKey } = secret;
  const second = workflowKey ? { workflowKey } : {};
  const made = await session.store.add(name.trim(), { baseUrl, workflowBaseUrl, key: key.secret, ...second });
  const choice = await inform(`Saved as connection "${made.name}".`, "Use Now");
  if (choice === "Use Now") await session.store.activate(made.id);
  return true;
}

async function confirmRevoke(session: Session, row: Row): Promise<boolean> {
  const inUse = row.context?.includes("in-use") ?? false;
  const detail = inUse
    ? `This window uses this key for "${session.connection?.name}". You will be signed out until you enter another. This can't be undone.`
    : "Requests with this key will fail immediately. This can't be undone.";
  const question = inUse ? `Revoke "${row.label}", the key in use?` : `Revoke the API key "${row.label}"?`;
  return (await confirm(question, detail, "Revoke")) === "Revoke";
}
