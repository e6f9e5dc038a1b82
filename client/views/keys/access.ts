/** Access of a new key. The user must choose it; there is no default. Nothing here needs VS Code. */
import { l10n } from "vscode";
import { type ApiKey, type Endpoint, endpoints } from "../../../platform";
import { scopeProblem } from "../../ui/checks";
import type { FormField, FormOption, FormValues } from "../../ui/forms";
import { observedScopes } from "./rows";

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

export function accessFields(keys: readonly ApiKey[]): readonly FormField[] {
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
export function scopesOf({ access, scopes = "" }: FormValues): string[] | undefined {
  const preset = presets.find(({ value }) => value === access);
  if (preset?.scopes === null) return undefined;
  return [...(preset?.scopes ?? scopes.split(",").filter(Boolean))];
}
