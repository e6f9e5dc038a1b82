/** Shows API keys as rows: permissions, last use, and expiry. */
import { l10n } from "vscode";
import { type ApiKey, safeText } from "../../../platform";
import type { Row } from "../../ui/row";
import { ago, moment } from "../../ui/words";

const SOON_MS = 7 * 24 * 60 * 60 * 1000;

export type KeyBadge = "in use" | "expired" | "revoked" | "expires soon" | "never used";

const badgeWords: Record<KeyBadge, string> = {
  "in use": l10n.t("in use"),
  expired: l10n.t("expired"),
  revoked: l10n.t("revoked"),
  "expires soon": l10n.t("expires soon"),
  "never used": l10n.t("never used"),
};

export function badgesOf(key: ApiKey, now: number, inUse: boolean): readonly KeyBadge[] {
  const expires = key.expires_at ? Date.parse(key.expires_at) : Number.NaN;
  const badges: KeyBadge[] = [];
  if (inUse) badges.push("in use");
  if (expires <= now) badges.push("expired");
  else if (key.is_active === false) badges.push("revoked");
  else if (expires - now < SOON_MS) badges.push("expires soon");
  if (!key.last_used_at && !inUse) badges.push("never used");
  return badges;
}

/** `isInUse` recognizes the key this window uses. */
export function keyRows(keys: readonly ApiKey[], now: number, isInUse: (key: ApiKey) => boolean): readonly Row[] {
  return [...keys]
    .sort((a, b) => (b.created_at ?? "").localeCompare(a.created_at ?? "") || a.id.localeCompare(b.id))
    .map((key) => keyRow(key, now, isInUse(key)));
}

function keyRow(key: ApiKey, now: number, inUse: boolean): Row {
  const badges = badgesOf(key, now, inUse);
  const scopes = key.scopes ?? [];
  const used = key.last_used_at ? l10n.t("used {0}", ago(key.last_used_at, now)) : l10n.t("never used");
  const expires = key.expires_at ? moment(key.expires_at, now) : l10n.t("never");
  const isBad = badges.includes("expired") || badges.includes("revoked");
  const isSoon = badges.includes("expires soon");
  return {
    id: `key/${key.id}`,
    label: safeText(key.name ?? "", 80) || l10n.t("Unnamed key"),
    description: [
      ...badges.map((badge) => badgeWords[badge]),
      key.key_prefix && `${safeText(key.key_prefix, 20)}…`,
      badges.includes("never used") ? "" : used,
    ]
      .filter(Boolean)
      .join(" · "),
    icon: inUse ? "pass-filled" : isBad ? "circle-slash" : isSoon ? "warning" : "key",
    color: inUse ? "charts.green" : isBad ? "disabledForeground" : isSoon ? "list.warningForeground" : undefined,
    context: inUse ? "key in-use" : "key",
    copy: key.id,
    thing: key,
    facts: () => [
      [l10n.t("Prefix:"), key.key_prefix],
      [l10n.t("Scopes:"), scopes.length > 0 ? scopes.join(", ") : l10n.t("all of the creator's permissions")],
      [l10n.t("Last used:"), key.last_used_at ? moment(key.last_used_at, now) : l10n.t("never")],
      [l10n.t("Expires:"), expires],
      [l10n.t("Created:"), moment(key.created_at, now)],
      [l10n.t("State:"), badges.map((badge) => badgeWords[badge]).join(", ")],
      ["ID:", key.id],
    ],
    children: [
      ...(scopes.length === 0
        ? [{ id: `key/${key.id}/scopes`, label: l10n.t("Full access"), icon: "shield" }]
        : scopes.map((scope) => ({
            id: `key/${key.id}/scope/${scope}`,
            label: safeText(scope, 80),
            icon: "shield",
            copy: scope,
            context: "text",
          }))),
      {
        id: `key/${key.id}/used`,
        label: l10n.t("Last used"),
        description: key.last_used_at ? moment(key.last_used_at, now) : l10n.t("never"),
        icon: "history",
      },
      { id: `key/${key.id}/expires`, label: l10n.t("Expires"), description: expires, icon: "calendar" },
    ],
  };
}

/** Returns the scopes of all listed keys and those in the API description. */
export function observedScopes(keys: readonly ApiKey[], known: Iterable<string>): readonly string[] {
  const documented = ["conversations:read", "conversations:write", "agents:read"];
  return [...new Set([...documented, ...known, ...keys.flatMap((key) => key.scopes ?? [])])].sort();
}
