/** Chooses the version that a graph is compared with, and loads its text. */
import * as vscode from "vscode";
import { type SeenVersionView, VersionsRequest, VersionTextRequest } from "../../server/environment-messages";
import {
  ask,
  type ComparedElement,
  ComparedTextsRequest,
  GraphRequest,
  type GraphView,
  OtherTextRequest,
  SyncActionRequest,
  type TextRun,
} from "../../server/messages";
import { versionName } from "../environments/history";
import { repositoryOf, textIn, whyNoHistory } from "../git";
import type { Server } from "../server";
import type { SyncStates } from "../sync";
import { answered } from "../ui/forms";
import { inform } from "../ui/notice";

type Seen = Pick<SeenVersionView, "version" | "graph" | "environment">;

/** A Git revision, the last synced version, the platform's version, the version a push starts from, or one seen before. */
export type Other =
  | { readonly kind: "revision"; readonly revision: string }
  /** `shown` is the version that is shown instead of the file. */
  | { readonly kind: "version"; readonly seen: Seen; readonly shown?: Seen }
  | { readonly kind: "base" | "remote" | "push" };

/** The name of the version that is shown instead of the file. */
export function shownName(other: Other | undefined): string | undefined {
  return other?.kind === "version" && other.shown ? versionName(other.shown) : undefined;
}

export function nameOf(other: Other): string {
  if (other.kind === "revision") return other.revision;
  if (other.kind === "version") return versionName(other.seen);
  return whichOf(other) === "base" ? vscode.l10n.t("Last sync") : vscode.l10n.t("Platform");
}

/** The versions that sentences don't name. */
export function whichOf({ kind }: Other): "base" | "platform" | undefined {
  if (kind === "revision" || kind === "version") return undefined;
  return kind === "base" ? "base" : "platform";
}

type OtherText = { readonly text: string } | { readonly problem: string };

export class OtherVersions implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changes.event;
  /** The last text of a revision, cached until its repository changes. */
  #known: { readonly key: string; readonly text: Promise<OtherText>; readonly listener: vscode.Disposable } | undefined;

  /** The versions that were compared last. */
  #texts: { readonly other?: string; readonly shown?: string } = {};

  constructor(
    private readonly server: Server,
    private readonly states: SyncStates,
  ) {}

  /** The graph of a flow, compared with another version if there is one. */
  async viewOf(file: vscode.Uri, other: Other | undefined): Promise<GraphView | null> {
    const found = other && (await this.#textOf(file, other));
    const shown = other?.kind === "version" && other.shown ? await this.#seen(file, other.shown) : undefined;
    const problem = [found, shown].find((each) => each && "problem" in each);
    this.#texts = problem
      ? {}
      : {
          ...(found && "text" in found ? { other: found.text } : {}),
          ...(shown && "text" in shown ? { shown: shown.text } : {}),
        };
    const view = await ask(this.server, GraphRequest, { uri: file.toString(), ...this.#texts });
    return view && problem && "problem" in problem ? { ...view, comparison: problem } : view;
  }

  /** An element's text in both versions. */
  async textsOf(uri: string, element: ComparedElement): Promise<readonly TextRun[] | undefined> {
    const { other, shown } = this.#texts;
    if (other === undefined) return undefined;
    const texts = { other, ...(shown === undefined ? {} : { shown }) };
    return (await ask(this.server, ComparedTextsRequest, { uri, ...texts, element })) ?? undefined;
  }

  async #textOf(file: vscode.Uri, other: Other): Promise<OtherText> {
    if (other.kind === "revision") return this.#inGit(file, other.revision);
    if (other.kind === "version") return this.#seen(file, other.seen);
    const text = await ask(this.server, OtherTextRequest, { uri: file.toString(), which: other.kind });
    if (text !== null) return { text };
    const state = this.states.get(file);
    return state?.kind === "unlinked" && state.reason === undefined
      ? { problem: vscode.l10n.t("This flow isn't linked. Link it to an assistant first.") }
      : { problem: vscode.l10n.t("This flow wasn't synced yet. Push or pull it once.") };
  }

  async #seen(file: vscode.Uri, { graph, environment }: Seen): Promise<OtherText> {
    const of = environment === undefined ? {} : { environment };
    const text = await ask(this.server, VersionTextRequest, { uri: file.toString(), version: graph, ...of });
    return text === null ? { problem: vscode.l10n.t("This version isn't stored any more.") } : { text };
  }

  dispose(): void {
    this.#known?.listener.dispose();
    this.#changes.dispose();
  }

  async #inGit(file: vscode.Uri, revision: string): Promise<OtherText> {
    const key = `${revision}\n${file.toString()}`;
    if (this.#known?.key === key) return this.#known.text;
    const repository = await repositoryOf(file);
    const listener = repository?.state.onDidChange(() => {
      if (this.#known?.listener !== listener) return;
      listener?.dispose();
      this.#known = undefined;
      this.#changes.fire();
    });
    this.#known?.listener.dispose();
    const text = textIn(revision, file);
    if (listener) this.#known = { key, text, listener };
    return text;
  }
}

/** More would hide branches and tags. */
const MOST_VERSIONS = 50;

interface Row extends vscode.QuickPickItem {
  readonly other?: Other;
}

/** Asks what to compare with, unless it's a given version. The platform's version is loaded again. */
export async function chooseOther(
  file: vscode.Uri,
  server: Server,
  given: SeenVersionView | undefined,
): Promise<Other | undefined> {
  const uri = file.toString();
  const [repository, synced, seen] = await Promise.all([
    repositoryOf(file),
    ask(server, OtherTextRequest, { uri, which: "base" }),
    ask(server, VersionsRequest, { uri }),
  ]);
  const versions = seen.versions.filter(({ environment }) => environment !== undefined).slice(0, MOST_VERSIONS);
  if (given) return chooseShown({ kind: "version", seen: given }, versions);
  const refs = (await repository?.getRefs({}))?.flatMap(({ name }) => name ?? []) ?? [];
  const revision = (name: string, icon: string): Row => ({
    label: `$(${icon}) ${name}`,
    other: { kind: "revision", revision: name },
  });
  const rows: Row[] = [
    ...(repository ? [{ ...revision("HEAD", "git-commit"), description: vscode.l10n.t("last commit") }] : []),
    ...(synced === null
      ? []
      : [
          { label: vscode.l10n.t("$(sync) Last Sync"), other: { kind: "base" } as const },
          { label: vscode.l10n.t("$(cloud) Platform"), other: { kind: "remote" } as const },
        ]),
    ...(versions.length > 0
      ? [{ label: vscode.l10n.t("Versions seen from this computer"), kind: vscode.QuickPickItemKind.Separator }]
      : []),
    ...versions.map((seen): Row => ({ ...versionRow(seen), other: { kind: "version", seen } })),
    ...(refs.length > 0
      ? [{ label: vscode.l10n.t("Branches and tags"), kind: vscode.QuickPickItemKind.Separator }]
      : []),
    ...[...new Set(refs)].map((name) => revision(name, "git-branch")),
  ];
  if (rows.length === 0) {
    void inform(
      vscode.l10n.t("There is nothing to compare the flow with. {0} It isn't synced either.", await whyNoHistory(file)),
    );
    return undefined;
  }
  const placeholder = repository
    ? vscode.l10n.t("Select a version, or type a branch, tag or commit")
    : vscode.l10n.t("Select a version. {0}", await whyNoHistory(file));
  const chosen = await pick(rows, placeholder, repository ? (typed) => revision(typed, "git-commit") : undefined);
  if (chosen?.kind === "remote") await ask(server, SyncActionRequest, { uri, action: "look" });
  return chosen?.kind === "version" ? chooseShown(chosen, versions) : chosen;
}

function versionRow(seen: SeenVersionView): vscode.QuickPickItem & { readonly seen: SeenVersionView } {
  const description = new Date(seen.at).toLocaleString();
  return { label: `$(history) ${versionName(seen)}`, description, seen };
}

/** Asks what to compare a version with: the file, or another version. */
async function chooseShown(
  chosen: Extract<Other, { kind: "version" }>,
  versions: readonly SeenVersionView[],
): Promise<Other | undefined> {
  const { graph, environment } = chosen.seen;
  const others = versions.filter((each) => each.graph !== graph || each.environment !== environment);
  if (others.length === 0) return chosen;
  const file: vscode.QuickPickItem & { readonly seen?: SeenVersionView } = {
    label: vscode.l10n.t("$(file) This File"),
  };
  const picked = await vscode.window.showQuickPick([file, ...others.map(versionRow)], {
    title: vscode.l10n.t("Compare {0} with", versionName(chosen.seen)),
    placeHolder: vscode.l10n.t("Select the file or another version"),
    matchOnDescription: true,
  });
  return picked && (picked.seen ? { ...chosen, shown: picked.seen } : chosen);
}

/** `typed` turns input that isn't listed into a row. */
function pick(
  rows: readonly Row[],
  placeholder: string,
  typed: ((text: string) => Row) | undefined,
): Promise<Other | undefined> {
  const box = vscode.window.createQuickPick<Row>();
  box.title = vscode.l10n.t("Compare Graphs");
  box.placeholder = placeholder;
  box.items = rows;
  return answered(box, (finish) => {
    box.onDidChangeValue((value) => {
      const text = value.trim();
      const isListed = rows.some(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
      box.items = typed && text !== "" && !isListed ? [...rows, typed(text)] : rows;
    });
    box.onDidAccept(() => {
      // The user may press Enter before the typed text is listed.
      const text = box.value.trim();
      finish((box.selectedItems[0] ?? (text === "" ? undefined : typed?.(text)))?.other);
    });
  });
}
