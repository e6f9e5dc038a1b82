/** A project file for the editor's requests. */
import { contains, type Span } from "../../../flow";
import type { Environment, ProjectFile } from "../../../flow/project";
import { codeSpan, t } from "../../../text";
import { bare, hoverKey, type LoadedCompanion } from "../companion";
import type { Hover } from "../hover/hover";
import { completeProject, keysAt, type ProjectContext } from "./completion";
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
