/** A project file for the editor's requests. */
import { contains, type Span } from "../../../flow";
import { yamlWord } from "../../../flow/edit";
import { type Environment, type ProjectFile, projectKeys } from "../../../flow/project";
import { codeSpan, t } from "../../../text";
import { bare, hoverKey, keyItems, type LoadedCompanion } from "../companion";
import { partAround, placeIn, suggestionsAt } from "../completion/companion-place";
import { asSnippet, type Suggestion, type Suggestions, suggest, suggestSnippet } from "../completion/insertion";
import type { KeyPlace, Place } from "../completion/place-scanner";
import type { Hover } from "../hover/hover";
import { aboutName } from "./names";

/** A name or an environment at a place. */
export interface ProjectSymbol {
  readonly kind: "name" | "environment";
  readonly name: string;
  readonly span: Span;
}

export function loadedProject(context: ProjectContext): LoadedCompanion {
  const { project } = context;
  return {
    complete: (offset) => completeProject(context, offset),
    hover: (offset) => hoverProject(project, offset),
    outline: () =>
      project.environments.map((environment) => ({
        name: environment.name,
        detail: environment.url?.text ?? "",
        kind: "environment",
        span: environment.span,
        nameSpan: environment.nameSpan,
        children: [
          ...[...environment.flows].map(([name, { keySpan }]) => symbol(name, "file", keySpan)),
          ...[...environment.names].map(([name, { keySpan, entrySpan, value }]) => ({
            ...symbol(name, "name", keySpan),
            span: entrySpan,
            detail: value,
          })),
        ],
      })),
    names: () => [],
    same: (offset) => {
      const found = symbolAt(project, offset);
      return found ? placesOf(project, found) : [];
    },
    files: (offset) => {
      for (const { flows } of project.environments)
        for (const [path, { keySpan }] of flows) {
          const uri = contains(keySpan, offset) ? context.uriOf(path) : undefined;
          if (uri !== undefined) return { span: keySpan, uris: [uri] };
        }
      return undefined;
    },
    lenses: () => [],
  };
}

function symbol(name: string, kind: "file" | "name", span: Span) {
  return { name, detail: "", kind, span, nameSpan: span, children: [] };
}

/** The name or the environment at an offset. */
export function symbolAt(project: ProjectFile, offset: number): ProjectSymbol | undefined {
  const { default: initial } = project;
  for (const environment of project.environments) {
    const { name, nameSpan, names } = environment;
    const at = [nameSpan, ...(initial?.text === name ? [initial.span] : [])].find((span) => contains(span, offset));
    if (at) return { kind: "environment", name, span: bare(project.text, at) };
    for (const [each, { keySpan }] of names)
      if (contains(keySpan, offset)) return { kind: "name", name: each, span: bare(project.text, keySpan) };
  }
  return undefined;
}

/** Every place of a name or an environment in the project file, without quotes. */
export function placesOf(project: ProjectFile, { kind, name }: Omit<ProjectSymbol, "span">): Span[] {
  const { default: initial, environments } = project;
  const spans =
    kind === "name"
      ? environments.flatMap(({ names }) => names.get(name)?.keySpan ?? [])
      : [
          ...environments.filter((each) => each.name === name).map(({ nameSpan }) => nameSpan),
          ...(initial?.text === name ? [initial.span] : []),
        ];
  return spans
    .map((span) => bare(project.text, span))
    .filter(({ start, end }) => project.text.slice(start, end) === name);
}

function aboutEnvironment({ name, url, isProtected, flows, names }: Environment): string {
  return [
    `**${name}**${url ? ` · ${codeSpan(url.text)}` : ""}`,
    ...(isProtected ? [t("Protected: only `promote` changes it.")] : []),
    t("Flows: {0}, names: {1}", flows.size, names.size),
  ].join("\n\n");
}

function hoverProject(project: ProjectFile, offset: number): Hover | undefined {
  const found = symbolAt(project, offset);
  if (found?.kind === "name") return { span: found.span, text: aboutName(project, found.name) };
  const environment = found && project.environments.find(({ name }) => name === found.name);
  if (environment) return { span: found.span, text: aboutEnvironment(environment) };
  return hoverKey(project.text, offset, undefined, keysAt);
}

/** What the workspace knows about the flows of a project. */
interface ProjectContext {
  readonly project: ProjectFile;
  /** The flow files below the project file, by path, with their own IDs. */
  readonly flows: () => ReadonlyMap<string, { readonly assistant?: string; readonly revision?: string }>;
  readonly uriOf: (path: string) => string | undefined;
}

export function completeProject(context: ProjectContext, offset: number): Suggestions {
  const { text } = context.project;
  const part = partAround(text, offset);
  const place = placeIn(part, offset);
  return suggestionsAt(part, place, itemsAt(context, place));
}

function itemsAt(context: ProjectContext, place: Place): Suggestion[] {
  const { environments } = context.project;
  const [top, environment, part, path] = place.path;
  if (place.kind === "key") {
    const isFree = (name: string) => !place.taken.has(name) || name === place.typed;
    if (top === "environments" && environment === undefined) return place.hasColon ? [] : [newEnvironment(isFree)];
    if (part === "flows" && path === undefined) return flowItems(context, place, isFree);
    if (part === "names") {
      const names = new Set(environments.flatMap(({ names }) => [...names.keys()]));
      const end = place.hasColon ? "" : ": ";
      return [...names].filter(isFree).map((name) => suggest("value", name, undefined, yamlWord(name) + end));
    }
    const isOpened = (name: string) => !place.flow && /^(environments|flows|names)$/.test(name);
    return keyItems(keysAt(place.path), place, (name) => (isOpened(name) ? ":\n  $0" : undefined));
  }
  if (place.kind !== "value") return [];
  const plain = (values: readonly string[]) =>
    values.map((value) => suggest("value", value, undefined, place.quoted ? value : yamlWord(value)));
  if (top === "default") return plain(environments.map(({ name }) => name));
  if (part === "protected") return ["true", "false"].map((value) => suggest("value", value));
  const key = place.path[4];
  const own = part === "flows" && path !== undefined ? context.flows().get(path) : undefined;
  const isId = key === "assistant" || key === "revision";
  const id = isId && !isUsed(context.project, own?.revision) ? own?.[key] : undefined;
  return id === undefined ? [] : [suggest("id", id, t("in the flow file"))];
}

function newEnvironment(isFree: (name: string) => boolean): Suggestion {
  // A name that the file already has would make it invalid.
  const name = ["staging", "production", "testing"].find(isFree) ?? "environment";
  const insert = `\${1:${name}}:\n  url: \${2:https://}\n  flows:\n    $0`;
  return suggestSnippet("environment", t("a platform with its URL"), insert);
}

function flowItems(context: ProjectContext, place: KeyPlace, isFree: (name: string) => boolean): Suggestion[] {
  return [...context.flows()]
    .filter(([path]) => isFree(path))
    .map(([path, own]) => {
      const { assistant = "$1", revision = "$2" } = isUsed(context.project, own.revision) ? {} : own;
      return {
        label: path,
        kind: "id",
        insert: place.hasColon
          ? yamlWord(path)
          : `${asSnippet(yamlWord(path))}: {assistant: ${assistant}, revision: ${revision}}`,
        snippet: !place.hasColon,
      };
    });
}

/** Each environment has its own revision of a flow. */
function isUsed({ environments }: ProjectFile, revision: string | undefined): boolean {
  return environments.some(({ flows }) =>
    [...flows.values()].some((entry) => entry.revision === revision?.toLowerCase()),
  );
}

/** The fixed keys at a path of a project file. */
function keysAt([top, environment, part, flow, ...rest]: readonly string[]) {
  if (top === undefined) return projectKeys.file;
  if (top !== "environments" || environment === undefined || rest.length > 0) return [];
  if (part === undefined) return projectKeys.environment;
  return part === "flows" && flow !== undefined ? projectKeys.flow : [];
}
