/** Checks the environments of a project file against each other. */
import { isUuid } from "../grammar";
import type { Fix } from "../rules/engine/rule";
import { eolOf } from "../text";
import { listNames } from "../wording";
import type { Environment, NameEntry, ProjectFile, ProjectProblem } from "./project-file";

/** All problems of a project file, in the order of the text. */
export function projectProblems(project: ProjectFile): ProjectProblem[] {
  const problems = [...project.problems];
  for (const environment of project.environments) {
    missingNames(environment, project, problems);
    sharedValues(environment, project, problems);
    sharedRevisions(environment, project, problems);
  }
  return problems.sort((a, b) => a.span.start - b.span.start);
}

function missingNames(own: Environment, { text, environments }: ProjectFile, problems: ProjectProblem[]): void {
  for (const [name, { keySpan, value }] of own.names) {
    const missing = environments.filter((other) => !other.names.has(name));
    const first = environments.find((other) => other.names.has(name));
    if (missing.length === 0 || first !== own) continue;
    problems.push({
      code: "missing-name",
      severity: "warning",
      message: `"${name}" has no value in ${listNames(missing.map((each) => each.name))}. Add one, so that flows can use it there.`,
      span: keySpan,
      fixes: missing.flatMap((each) => addName(text, each, name, isUuid(value) ? "" : value)),
    });
  }
}

/** Adds a name after the last one of an environment in block style. An empty value is reported until it's filled in. */
function addName(text: string, environment: Environment, name: string, value: string): Fix[] {
  const last = [...environment.names.values()].at(-1);
  if (!last) return [];
  const lineStart = text.lastIndexOf("\n", last.keySpan.start - 1) + 1;
  const indent = text.slice(lineStart, last.keySpan.start);
  const entry = `${name}: ${JSON.stringify(value)}`;
  const title = `Add "${name}" to "${environment.name}"`;
  const end = last.entrySpan.end;
  if (indent.trim() !== "") return [{ title, edits: [{ start: end, end, text: `, ${entry}` }] }];
  const lineEnd = text.indexOf("\n", end);
  const at = lineEnd < 0 ? text.length : lineEnd;
  const before = text[at - 1] === "\r" ? at - 1 : at;
  return [
    {
      title,
      edits: [{ start: before, end: before, text: `${eolOf(text)}${indent}${entry}` }],
    },
  ];
}

/** Two names for one value in an environment, and an ID that two environments share. */
function sharedValues(own: Environment, { text, environments }: ProjectFile, problems: ProjectProblem[]): void {
  const seen = new Map<string, string>();
  for (const [name, entry] of own.names) {
    const { value, span } = entry;
    const id = isUuid(value) ? value.toLowerCase() : value;
    const first = seen.get(id);
    if (first !== undefined)
      problems.push({
        code: "duplicate-value",
        severity: "warning",
        message: `"${name}" and "${first}" have the same value. On a pull, a new use of it becomes \`$${first}\`.`,
        span,
        fixes: removeEntry(text, name, entry),
      });
    else seen.set(id, name);
    if (!isUuid(value)) continue;
    const other = environments
      .slice(0, environments.indexOf(own))
      .find((each) => each.url?.text !== own.url?.text && [...each.names.values()].some((one) => sameId(one, id)));
    const there = other && [...other.names].find(([, one]) => sameId(one, id))?.[0];
    if (there !== undefined)
      problems.push({
        code: "wrong-environment",
        severity: "warning",
        message: `This is the ID of "${there}" in "${other?.name}". IDs differ between platforms: use the ID in "${own.name}".`,
        span,
        fixes: [{ title: "Clear the value", edits: [{ ...span, text: '""' }] }],
      });
  }
}

function sameId({ value }: NameEntry, id: string): boolean {
  return value.toLowerCase() === id;
}

function removeEntry(text: string, name: string, { keySpan, entrySpan }: NameEntry): Fix[] {
  const start = text.lastIndexOf("\n", keySpan.start - 1) + 1;
  const newline = text.indexOf("\n", entrySpan.end);
  const end = newline < 0 ? text.length : newline + 1;
  // In flow style, other entries are on the same line.
  const isAlone = text.slice(start, keySpan.start).trim() === "" && /^\s*(#.*)?$/.test(text.slice(entrySpan.end, end));
  return isAlone ? [{ title: `Remove "${name}"`, edits: [{ start, end, text: "" }] }] : [];
}

function sharedRevisions(own: Environment, { environments }: ProjectFile, problems: ProjectProblem[]): void {
  for (const [path, { revision, revisionSpan }] of own.flows) {
    const before = environments
      .slice(0, environments.indexOf(own) + 1)
      .flatMap((environment) =>
        [...environment.flows]
          .filter(([other, entry]) => entry.revision === revision && (environment !== own || other !== path))
          .map(([other]) => ({ environment, path: other })),
      );
    const other = before.find((each) => each.environment !== own || isBefore(own, each.path, path));
    if (!other) continue;
    const where = other.environment === own ? `"${other.path}"` : `"${other.path}" in "${other.environment.name}"`;
    problems.push({
      code: "wrong-environment",
      severity: "error",
      message: `This revision is also used by ${where}. Each flow has its own revision in each environment.`,
      span: revisionSpan,
    });
  }
}

function isBefore({ flows }: Environment, one: string, other: string): boolean {
  const paths = [...flows.keys()];
  return paths.indexOf(one) < paths.indexOf(other);
}
