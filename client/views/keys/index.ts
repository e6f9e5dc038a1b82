/** The API keys view: creates keys, shows each secret once, saves keys as connections, and revokes them. */
import * as vscode from "vscode";
import { l10n } from "vscode";
import { type ApiKey, type Endpoint, endpoints, type NewApiKey, safeText } from "../../../platform";
import type { Session } from "../../connections";
import { expiryMoment, expiryProblem, scopeProblem } from "../../ui/checks";
import { DoubleClicks } from "../../ui/double-clicks";
import type { FormField, FormOption, FormStart, FormValues } from "../../ui/forms";
import { askSteps, askUntilAccepted } from "../../ui/forms";
import { confirm, copy, inform, onCommand, present, withNotice } from "../../ui/notice";
import type { Row } from "../../ui/row";
import { ListView } from "../tree";
import { keyRows, observedScopes } from "./rows";

export function registerKeys(context: vscode.ExtensionContext, session: Session): void {
  let inUse: (key: ApiKey) => boolean = () => false;
  const view = new ListView<readonly ApiKey[]>(context, session, {
    name: "keys",
    things: vscode.l10n.t("API keys"),
    empty: vscode.l10n.t("No active API keys."),
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
  const clicks = new DoubleClicks();
  onCommand(context, "revokeKey", async (...args) => {
    if (clicks.isSecond(args[0])) return;
    const [target] = await view.chosen(args, "key");
    if (!target?.copy || !target.context?.startsWith("key")) return;
    if (!(await confirmRevoke(session, target))) return;
    await withNotice(
      vscode.l10n.t('Revoking "{0}"', target.label),
      () => session.client.revokeApiKey(target.copy as string),
      false, // The platform may have done it already. The same applies to a new key, whose value would be lost.
    ).then(undefined, async (error: unknown) => {
      await view.reload();
      throw error;
    });
    void inform(vscode.l10n.t('Revoked the API key "{0}".', target.label));
    // After the key in use was revoked, the list can't be loaded anymore.
    if (view.data) view.data = view.data.filter(({ id }) => id !== target.copy);
    await view.reload();
  });
}

/** Recognizes this window's key by its prefix in the list. The key itself isn't sent anywhere. */
async function keyInUse(session: Session): Promise<(key: ApiKey) => boolean> {
  const connection = session.connection;
  const secret = connection && (await session.store.secret(connection.id));
  return ({ key_prefix }) => {
    const prefix = key_prefix?.replace(/(?<![.…*•])[.…*•]+$/, "") ?? "";
    return prefix.length >= 4 && (secret?.key.reveal().startsWith(prefix) ?? false);
  };
}

const DAY = 24 * 60 * 60 * 1000;
const expiries = [
  { value: "", label: vscode.l10n.t("Never"), days: 0 },
  { value: "7", label: vscode.l10n.t("In 7 days"), days: 7 },
  { value: "30", label: vscode.l10n.t("In 30 days"), days: 30 },
  { value: "90", label: vscode.l10n.t("In 90 days"), days: 90 },
  { value: "365", label: vscode.l10n.t("In a year"), days: 365 },
  { value: "date", label: vscode.l10n.t("On a date…"), days: 0 },
];

function fields(keys: readonly ApiKey[]): readonly FormField[] {
  return [
    {
      name: "name",
      label: vscode.l10n.t("Key name"),
      placeholder: vscode.l10n.t("CI of the billing team"),
      required: true,
    },
    ...accessFields(keys),
    {
      name: "expires",
      label: vscode.l10n.t("Expiration"),
      options: expiries.map(({ value, label, days }) => ({
        value,
        label,
        ...(days > 0 ? { description: new Date(Date.now() + days * DAY).toLocaleDateString() } : {}),
      })),
    },
    {
      name: "expires_at",
      label: vscode.l10n.t("Expiry date"),
      placeholder: "yyyy-mm-dd",
      required: true,
      check: (value) => expiryProblem(value, new Date()),
      when: ({ expires }) => expires === "date",
    },
  ];
}

function createKey(session: Session, keys: readonly ApiKey[]): Promise<NewApiKey | undefined> {
  const form = (start: FormStart) => askSteps(vscode.l10n.t("Create API Key"), fields(keys), start);
  return askUntilAccepted(form, {}, "name", (values) =>
    withNotice(
      vscode.l10n.t('Creating "{0}"', values.name ?? ""),
      () => session.client.createApiKey(requestOf(values)),
      false,
    ),
  );
}

function requestOf(values: FormValues) {
  const { name = "", expires, expires_at } = values;
  const scopes = scopesOf(values);
  const days = expiries.find(({ value }) => value === expires)?.days ?? 0;
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

/**
 * Shows the secret, which the platform returns only once. It is stored only if the user copies it or saves a
 * connection.
 */
export async function showOnce(session: Session, key: NewApiKey): Promise<void> {
  const name = safeText(key.name ?? vscode.l10n.t("the new key"), 80);
  let note = vscode.l10n.t("You won't see this key again. Copy it, or save it as a connection.");
  let isKept = false;
  const copyKey = async () => {
    await copy(key.secret.reveal(), vscode.l10n.t("the key"));
    note = vscode.l10n.t("Copied to clipboard.");
    isKept = true;
  };
  while (true) {
    const choice = await present({
      text: vscode.l10n.t('The API key "{0}" was created.', name),
      detail: `${key.secret.reveal()}\n\n${note}`,
      choices: [vscode.l10n.t("Copy Key"), vscode.l10n.t("Save as Connection…")],
      close: vscode.l10n.t("Done"),
    });
    if (choice === vscode.l10n.t("Copy Key")) await copyKey();
    else if (choice === vscode.l10n.t("Save as Connection…")) {
      if (await keep(session, key)) return;
    } else if (isKept) return;
    else {
      // A key that wasn't copied or saved can't be recovered.
      const leaving = await present({
        text: vscode.l10n.t('Close without saving the API key "{0}"?', name),
        detail: vscode.l10n.t("The key wasn't copied or saved as a connection. You won't see it again."),
        choices: [vscode.l10n.t("Copy Key"), vscode.l10n.t("Close Anyway")],
        close: vscode.l10n.t("Go Back"),
        warns: true,
      });
      // The first dialog then confirms the copy.
      if (leaving === vscode.l10n.t("Copy Key")) await copyKey();
      else if (leaving !== undefined) return;
    }
  }
}

async function keep(session: Session, key: NewApiKey): Promise<boolean> {
  const connection = session.connection;
  const secret = connection && (await session.store.secret(connection.id));
  if (!secret) return false;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t("Save as Connection"),
    prompt: vscode.l10n.t('Connection name (uses the URLs of "{0}")', connection.name),
    value: key.name ?? "",
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === ""
        ? vscode.l10n.t("Enter a name.")
        : session.store.byName(value.trim())
          ? vscode.l10n.t('A connection named "{0}" already exists.', value.trim())
          : undefined,
  });
  if (!name) return false;
  const { baseUrl, workflowBaseUrl, workflowKey } = secret;
  const second = workflowKey ? { workflowKey } : {};
  const made = await session.store.add(name.trim(), { baseUrl, workflowBaseUrl, key: key.secret, ...second });
  const choice = await inform(vscode.l10n.t('Saved as connection "{0}".', made.name), vscode.l10n.t("Use Now"));
  if (choice === vscode.l10n.t("Use Now")) await session.store.activate(made.id);
  return true;
}

async function confirmRevoke(session: Session, row: Row): Promise<boolean> {
  const inUse = row.context?.includes("in-use") ?? false;
  const detail = inUse
    ? vscode.l10n.t(
        'This window uses this key for "{0}". You will be signed out until you enter another. This can\'t be undone.',
        session.connection?.name ?? "",
      )
    : vscode.l10n.t("Requests with this key will fail immediately. This can't be undone.");
  const question = inUse
    ? vscode.l10n.t('Revoke "{0}", the key in use?', row.label)
    : vscode.l10n.t('Revoke the API key "{0}"?', row.label);
  return (await confirm(question, detail, vscode.l10n.t("Revoke"))) === vscode.l10n.t("Revoke");
}

/** Scopes of the platform's endpoints, with the operations each one allows. */
const described = new Map<string, string[]>();
for (const { scope, summary } of Object.values<Endpoint>(endpoints))
  if (scope) described.set(scope, [...(described.get(scope) ?? []), summary]);
const known = [...described.keys()].sort();

interface Preset {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
  /** Undefined: the user chooses. Null: none are sent, which means full access. */
  readonly scopes: readonly string[] | null | undefined;
}

const presets: readonly Preset[] = [
  {
    value: "read",
    label: l10n.t("Read only"),
    detail: l10n.t("See everything, change nothing."),
    scopes: known.filter((scope) => scope.endsWith(":read")),
  },
  {
    value: "flows",
    label: l10n.t("Flows"),
    detail: l10n.t("Read and push flows; restore assistants. Enough for CI."),
    scopes: known.filter((scope) => scope.startsWith("agents:")),
  },
  {
    value: "calling",
    label: l10n.t("Calling"),
    detail: l10n.t("Read calling workflows and calls, and start calls."),
    scopes: known.filter((scope) => /^(workflows|calls):/.test(scope)),
  },
  {
    value: "custom",
    label: l10n.t("Choose scopes…"),
    detail: l10n.t("Select exactly what the key can do."),
    scopes: undefined,
  },
  {
    value: "full",
    label: l10n.t("Full access"),
    detail: l10n.t("All permissions of your role, including creating and revoking keys."),
    scopes: null,
  },
];

/** Access of a new key. The user must choose it; there is no default. Nothing here needs VS Code. */
function accessFields(keys: readonly ApiKey[]): readonly FormField[] {
  return [
    {
      name: "access",
      label: l10n.t("Access"),
      placeholder: l10n.t("Select what the key can do"),
      required: true,
      options: presets.map(
        ({ scopes, ...option }): FormOption => (scopes ? { ...option, description: scopes.join(", ") } : option),
      ),
    },
    {
      name: "scopes",
      label: l10n.t("Scopes"),
      placeholder: l10n.t("Select scopes, or type one as resource:action"),
      options: observedScopes(keys, known).map((value) => {
        const uses = described.get(value);
        return { value, label: value, ...(uses ? { description: uses.join(", ") } : {}) };
      }),
      many: true,
      free: true,
      required: true,
      check: scopeProblem,
      when: ({ access }) => access === "custom",
    },
  ];
}

/** Returns the scopes to request; undefined for full access, only if `full` was chosen. */
function scopesOf({ access, scopes = "" }: FormValues): string[] | undefined {
  const preset = presets.find(({ value }) => value === access);
  if (preset?.scopes === null) return undefined;
  return [...(preset?.scopes ?? scopes.split(",").filter(Boolean))];
}
