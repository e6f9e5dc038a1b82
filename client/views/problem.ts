/** Shows a failed load as rows: what failed, why, and what to do about it. */
import { l10n } from "vscode";
import { PlatformError } from "../../platform";
import type { Row } from "../ui/row";

/**
 * `things` names what the view lists, as in "Couldn't load the calls". If older data is still shown, the error is one
 * collapsed row above it, so that the data stays in view.
 */
export function problemRows(problem: unknown, view: string, things: string, { isFolded = false } = {}): readonly Row[] {
  const { what, why } = explain(problem, things);
  const kind = problem instanceof PlatformError ? problem.kind : undefined;
  const sentences = why.split(/(?<=[.!?])\s+/).filter(Boolean);
  return [
    {
      // VS Code remembers the expanded state by ID.
      id: isFolded ? "problem/above" : "problem",
      label: what,
      icon: "error",
      color: "list.errorForeground",
      context: "problem",
      ...(isFolded ? { description: why } : {}),
      facts: () => [[l10n.t("Why"), why]],
      expanded: !isFolded,
      children: [
        ...sentences.map((label, index) => ({ id: `problem/${index}`, label })),
        ...remedies(kind).map(({ id, label, icon, command }) => ({
          id: `problem/${id}`,
          label,
          icon,
          command: { command, title: label },
        })),
        {
          id: "problem/retry",
          label: l10n.t("Retry"),
          icon: "refresh",
          command: { command: `assistantFlow.${view}.refresh`, title: l10n.t("Retry") },
        },
      ],
    },
  ];
}

function explain(problem: unknown, things: string): { what: string; why: string } {
  const message =
    problem instanceof PlatformError ? problem.message : l10n.t("Something went wrong in the extension. See the log.");
  const [, what, why] = /^(Could(?: not|n't) [^:]{1,60}): (.*)$/s.exec(message) ?? [];
  const capital = why ? why.charAt(0).toUpperCase() + why.slice(1) : undefined;
  return what && capital ? { what, why: capital } : { what: l10n.t("Couldn't load {0}", things), why: message };
}

function remedies(kind: PlatformError["kind"] | undefined) {
  if (kind === "unauthorized" || kind === "bad-key")
    return [{ id: "key", label: l10n.t("Enter API Key…"), icon: "key", command: "assistantFlow.enterKey" }];
  if (kind === "no-connection" || kind === "insecure-address")
    return [{ id: "edit", label: l10n.t("Edit Connection…"), icon: "edit", command: "assistantFlow.editConnection" }];
  if (kind === "network" || kind === "tls" || kind === "proxy")
    return [
      { id: "switch", label: l10n.t("Switch Connection…"), icon: "plug", command: "assistantFlow.switchConnection" },
    ];
  return [];
}
