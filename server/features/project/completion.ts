/** Completion in project files: keys, environments, flow files, and names that other environments have. */
import { yamlWord } from "../../../flow/edit";
import { type ProjectFile, projectKeys } from "../../../flow/project";
import { t } from "../../../text";
import { keyItems } from "../companion";
import { partAround, placeIn, suggestionsAt } from "../completion/companion-place";
import { asSnippet } from "../completion/insertion";
import type { KeyPlace, Place } from "../completion/place-scanner";
import { type Suggestion, type Suggestions, suggest, suggestSnippet } from "../completion/suggestion";

/** What the workspace knows about the flows of a project. */
export interface ProjectContext {
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
    if (top === "environments" && environment === undefined) return place.hasColon ? [] : [newEnvironment()];
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
  const id = key === "assistant" || key === "revision" ? own?.[key] : undefined;
  return id === undefined ? [] : [suggest("id", id, t("in the flow file"))];
}

function newEnvironment(): Suggestion {
  const insert = `\${1:staging}:\n  url: \${2:https://}\n  flows:\n    $0`;
  return suggestSnippet("environment", t("a platform with its URL"), insert);
}

function flowItems({ flows }: ProjectContext, place: KeyPlace, isFree: (name: string) => boolean): Suggestion[] {
  return [...flows()]
    .filter(([path]) => isFree(path))
    .map(([path, { assistant = "$1", revision = "$2" }]) => ({
      label: path,
      kind: "id",
      insert: place.hasColon
        ? yamlWord(path)
        : `${asSnippet(yamlWord(path))}: {assistant: ${assistant}, revision: ${revision}}`,
      snippet: !place.hasColon,
    }));
}

/** The fixed keys at a path of a project file. */
export function keysAt([top, environment, part, flow, ...rest]: readonly string[]) {
  if (top === undefined) return projectKeys.file;
  if (top !== "environments" || environment === undefined || rest.length > 0) return [];
  if (part === undefined) return projectKeys.environment;
  return part === "flows" && flow !== undefined ? projectKeys.flow : [];
}
