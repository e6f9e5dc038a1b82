/** Filters for the list of calls: all query parameters of the API, and saved filters. */
import { l10n } from "vscode";
import { CALL_ENDED_REASONS, type CallQuery } from "../../../platform";
import { datetimeProblem, idProblem, reasonProblem, secondsProblem } from "../../ui/checks";
import type { FormField, FormValues } from "../../ui/forms";
import { plainWords } from "../../ui/words";

export function filterFields(seen: {
  readonly statuses: Iterable<string>;
  readonly tags: Iterable<string>;
}): readonly FormField[] {
  const options = (values: Iterable<string>) => [
    { value: "", label: l10n.t("Any") },
    ...[...new Set(values)].sort().map((value) => ({ value, label: value })),
  ];
  return [
    {
      name: "callEndedReason",
      label: l10n.t("Ended reason"),
      options: [
        { value: "", label: l10n.t("Any") },
        ...CALL_ENDED_REASONS.map((value) => ({ value, label: value, description: plainWords(value) })),
      ],
      check: reasonProblem,
    },
    { name: "status", label: l10n.t("Status"), options: options(["INITIATED", ...seen.statuses]), free: true },
    { name: "tag", label: l10n.t("Tag"), options: options(["SINGLE", ...seen.tags]), free: true },
    { name: "createdAt", label: l10n.t("Created before"), placeholder: "2026-03-31T09:00:00Z", check: datetimeProblem },
    { name: "duration", label: l10n.t("Duration (seconds)"), placeholder: "90", check: secondsProblem },
    { name: "id", label: l10n.t("Call ID"), check: idProblem },
  ];
}

/** Converts form values to a query. Times without a zone are local. */
export function queryOf(values: FormValues): CallQuery {
  const query: Record<string, string> = {};
  for (const name of ["id", "createdAt", "status", "tag", "callEndedReason", "duration"]) {
    const value = values[name]?.trim();
    if (value)
      query[name] = name === "createdAt" && !/(?:Z|[+-]\d\d:\d\d)$/.test(value) ? new Date(value).toISOString() : value;
  }
  return query as CallQuery;
}

/** Describes a filter briefly; undefined if it is empty. */
export function describeFilter(query: CallQuery): string | undefined {
  const parts = [
    [l10n.t("ended reason"), query.callEndedReason && plainWords(query.callEndedReason)],
    [l10n.t("status"), query.status],
    [l10n.t("tag"), query.tag],
    [l10n.t("before"), query.createdAt],
    [l10n.t("duration (s)"), query.duration],
    [l10n.t("ID"), query.id],
  ] as const;
  const words = parts.flatMap(([name, value]) => (value ? [`${name} ${value}`] : []));
  return words.length > 0 ? words.join(", ") : undefined;
}
