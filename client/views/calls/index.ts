/** The calls view: filtered by the platform, loaded page by page, polled while visible. */
import * as vscode from "vscode";
import { l10n } from "vscode";
import { CALL_ENDED_REASONS, type CallQuery } from "../../../platform";
import type { Session } from "../../connections";
import { datetimeProblem, idProblem, reasonProblem, secondsProblem } from "../../ui/checks";
import { setContext } from "../../ui/context";
import { answered, editForm, type FormField, type FormValues } from "../../ui/forms";
import { inform, onCommand, warn, withNotice } from "../../ui/notice";
import { plainWords, plural } from "../../ui/words";
import { ListView } from "../tree";
import { type CallList, nextQuery, withMore, withNewest } from "./list";
import { callRows } from "./rows";

const SAVED = "calls.savedFilters";
const CURRENT = "calls.filter";

type Shown = CallList & { readonly filter: CallQuery };

export interface CallsView {
  /** Call this after starting a call. */
  refresh(): Promise<void>;
}

export function registerCalls(context: vscode.ExtensionContext, session: Session): CallsView {
  let values: FormValues = context.workspaceState.get<FormValues>(CURRENT) ?? {};
  let more: AbortController | undefined;
  const filter = () => queryOf(values);
  const showFilter = () => void setContext("calls.hasQuery", describeFilter(filter()) !== undefined);
  showFilter();
  const view: ListView<Shown> = new ListView<Shown>(context, session, {
    name: "calls",
    things: vscode.l10n.t("calls"),
    empty: () =>
      describeFilter(filter()) === undefined
        ? vscode.l10n.t("No calls yet.")
        : vscode.l10n.t("No calls match this query."),
    poll: { firstMs: 5000, longestMs: 60_000 },
    load: async (signal) => {
      const asked = filter();
      const page = await session.client.listCalls(asked, { signal });
      const known = view.data && describeFilter(view.data.filter) === describeFilter(asked) ? view.data : undefined;
      const list = withNewest(known, page);
      return known !== undefined && list === known ? known : { ...list, filter: asked };
    },
    rows: callRows,
    hasMore: ({ next }) => next !== undefined,
    note: () => describeFilter(filter()),
  });
  const loadMore = async (signal: AbortSignal): Promise<boolean> => {
    const before = view.data;
    const { generation } = session;
    if (!before?.next) return false;
    const page = await session.client.listCalls(nextQuery(before.filter, before), { signal });
    if (session.generation !== generation) return false; // The connection has changed meanwhile.
    // A poll may have added newer calls meanwhile, so append to the current list.
    const now = view.data;
    if (now?.filter !== before.filter && describeFilter(now?.filter ?? {}) !== describeFilter(before.filter))
      return false;
    if (now) view.data = { ...withMore(now, page), filter: now.filter };
    return view.data?.next !== undefined;
  };
  let generation = session.generation;
  context.subscriptions.push(
    session.onDidChange(() => {
      if (session.generation !== generation) more?.abort();
      generation = session.generation;
    }),
  );
  const setFilter = async (chosenValues: FormValues) => {
    more?.abort();
    values = chosenValues;
    await context.workspaceState.update(CURRENT, values);
    showFilter();
    await view.reload();
  };
  onCommand(context, "calls.loadMore", async () => {
    if (more) return; // Ignore a double click.
    more = new AbortController();
    const location = { location: { viewId: "assistantFlow.calls" } };
    const last = view.data?.calls.at(-1)?.id;
    try {
      await vscode.window.withProgress(location, () => loadMore((more as AbortController).signal));
    } finally {
      more = undefined;
    }
    // The row moved to the end of the list, and VS Code moved the focus with it.
    const calls = view.data?.calls ?? [];
    const added = calls[calls.findIndex(({ id }) => id === last) + 1];
    if (added && view.tree.selection[0]?.id === "more") await view.reveal(`call/${added.id}`);
  });
  onCommand(context, "calls.loadAll", () =>
    withNotice(vscode.l10n.t("Loading all calls"), async (signal, report) => {
      if (view.data === undefined) await view.refresh();
      while (!signal.aborted && (await loadMore(signal)))
        report(vscode.l10n.t("{0} so far", view.data?.calls.length ?? 0));
    }),
  );
  onCommand(context, "calls.setFilter", async () => {
    const seen = view.data?.calls ?? [];
    const fields = filterFields({
      statuses: seen.flatMap(({ status }) => status ?? []),
      tags: seen.flatMap(({ tag }) => tag ?? []),
    });
    const answers = await editForm(vscode.l10n.t("Query Calls"), vscode.l10n.t("Show Calls"), fields, { values });
    if (answers) await setFilter(answers);
  });
  onCommand(context, "calls.clearQuery", () => setFilter({}));
  const queries = () => context.globalState.get<Record<string, FormValues>>(SAVED) ?? {};
  onCommand(context, "calls.saveFilter", async () => {
    // The user may change the filter while entering the name.
    const shown = values;
    const words = describeFilter(queryOf(shown));
    if (!words) return void inform(vscode.l10n.t("Set a query first, then save it."));
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t("Save Query"),
      prompt: vscode.l10n.t("Name for: {0}", words),
      validateInput: (value) => {
        if (value.trim() === "") return vscode.l10n.t("Enter a name.");
        if (!Object.hasOwn(queries(), value.trim())) return undefined;
        const message = vscode.l10n.t('This replaces the saved query "{0}".', value.trim());
        return { message, severity: vscode.InputBoxValidationSeverity.Warning };
      },
    });
    if (!name) return;
    await context.globalState.update(SAVED, { ...queries(), [name.trim()]: shown });
  });
  onCommand(context, "calls.useFilter", async () => {
    const saved = queries();
    const remove = { iconPath: new vscode.ThemeIcon("trash"), tooltip: vscode.l10n.t("Delete Query") };
    const picked = await pickSaved(saved, remove, async (name) => {
      delete saved[name];
      await context.globalState.update(SAVED, { ...saved });
    });
    if (picked) await setFilter(picked);
  });
  onCommand(context, "openRecording", async (...args) => {
    const [row] = await view.chosen(args, "call");
    if (!row) return;
    const address = (row.thing as { recordingUrl?: string } | undefined)?.recordingUrl;
    if (!address) return void inform(vscode.l10n.t("This call has no recording."));
    if (!/^https:\/\//i.test(address) || !URL.canParse(address))
      return void warn(vscode.l10n.t("The recording's URL doesn't use https, so it wasn't opened."));
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
  });
  onCommand(context, "showWorkflowOfCall", async (...args) => {
    const [row] = await view.chosen(args, "call");
    if (!row) return;
    const id = (row.thing as { workflowId?: string } | undefined)?.workflowId;
    return id
      ? vscode.commands.executeCommand("assistantFlow.showWorkflow", id)
      : void inform(vscode.l10n.t("This call isn't linked to a workflow."));
  });
  return { refresh: () => view.refresh() };
}

function pickSaved(
  saved: Readonly<Record<string, FormValues>>,
  remove: vscode.QuickInputButton,
  forget: (name: string) => Promise<void>,
): Promise<FormValues | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { values: FormValues }>();
  pick.title = vscode.l10n.t("Saved Queries");
  pick.placeholder =
    Object.keys(saved).length > 0 ? vscode.l10n.t("Select a query") : vscode.l10n.t("No saved queries.");
  const items = () => [
    { label: vscode.l10n.t("All Calls"), values: {} },
    ...Object.entries(saved).map(([label, values]) => ({
      label,
      description:
        describeFilter(queryOf(values)) ?? plural(0, vscode.l10n.t("condition"), vscode.l10n.t("conditions")),
      values,
      buttons: [remove],
    })),
  ];
  pick.items = items();
  return answered(pick, (finish) => {
    pick.onDidTriggerItemButton(async ({ item }) => {
      await forget(item.label);
      pick.items = items();
    });
    pick.onDidAccept(() => finish(pick.activeItems[0]?.values));
  });
}

/** Filters for the list of calls: all query parameters of the API, and saved filters. */
function filterFields(seen: {
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
      label: l10n.t("End reason"),
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
