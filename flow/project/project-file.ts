/**
 * Reads a project file: the environments of a repository. Reading never throws: it returns what can be read and a list of
 * problems. An environment with an unusable URL has none, so nothing can be sent there.
 */
import type { FileKey } from "../file-keys";
import { isFlowFile } from "../file-kind";
import { isName, isUuid } from "../grammar";
import { readListText } from "../reading/list-text";
import { MAX_YAML_LENGTH } from "../reading/yaml";
import type { Fix, Severity } from "../rules/engine/rule";
import { briefly, type Span, shift } from "../text";
import { keyText, type MapValue, type Pair, pairOf, textOf, type Value } from "../values";
import { didYouMean, nearest } from "../wording";
import { projectKeys } from "./fields";

export interface ProjectFile {
  readonly text: string;
  readonly default: Written | undefined;
  readonly environments: readonly Environment[];
  readonly problems: readonly ProjectProblem[];
}

export interface Written {
  readonly text: string;
  readonly span: Span;
}

export interface Environment {
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
  readonly url: Written | undefined;
  readonly callingUrl: Written | undefined;
  readonly isProtected: boolean;
  /** By path relative to the project file, with forward slashes. */
  readonly flows: ReadonlyMap<string, FlowEntry>;
  readonly names: ReadonlyMap<string, NameEntry>;
}

export interface FlowEntry {
  readonly keySpan: Span;
  /** Lower case. */
  readonly assistant: string;
  readonly revision: string;
  readonly revisionSpan: Span;
}

export interface NameEntry {
  readonly value: string;
  readonly keySpan: Span;
  readonly span: Span;
  /** The whole entry, key and value. */
  readonly entrySpan: Span;
}

export interface ProjectProblem {
  readonly code: "bad-project" | "missing-name" | "duplicate-value" | "wrong-environment";
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly fixes?: readonly Fix[];
}

/** The variable that contains the API key of an environment. */
export function keyVariable(environment: string): string {
  return `ASSISTANT_FLOW_API_KEY_${variablePart(environment)}`;
}

export function variablePart(environment: string): string {
  return environment.toUpperCase().replaceAll("-", "_");
}

export function readProjectFile(text: string): ProjectFile {
  const problems: ProjectProblem[] = [];
  const nothing = { text, default: undefined, environments: [], problems };
  const start = { start: 0, end: Math.min(1, text.length) };
  if (text.length > MAX_YAML_LENGTH) {
    problems.push(bad("This file is longer than 256 KB and isn't read.", start));
    return nothing;
  }
  const { tops, problems: unreadable } = readListText(text, "environments");
  for (const { message, span, data } of unreadable)
    problems.push({ ...bad(message, span), ...(data ? { fixes: [{ ...data, preferred: true }] } : {}) });
  const keys = projectKeys.file.map(({ name }) => name as string);
  for (const [key, { keySpan }] of tops)
    if (!keys.includes(key)) problems.push(unknownKey(key, keySpan, "A project file", keys));
  const top = tops.get("environments");
  if (top?.value?.kind !== "map" || top.value.pairs.length === 0) {
    const message = "The project file has no environments. Add `environments:` with a name and a `url` for each.";
    if (problems.length === 0) problems.push(bad(message, top?.keySpan ?? start));
    return nothing;
  }
  const reader = new Reader(top.base, problems);
  const environments = top.value.pairs.flatMap((pair) => reader.environment(pair) ?? []);
  const named = tops.get("default");
  const chosen = named && textOf(named.value);
  const initial =
    named?.value && chosen !== undefined ? { text: chosen, span: shift(named.value.span, named.base) } : undefined;
  // One that is listed with an error of its own isn't missing.
  if (named && !top.value.pairs.some((pair) => keyText(pair) === chosen)) {
    const near = nearest(
      chosen ?? "",
      environments.map(({ name }) => name),
    );
    const span = initial?.span ?? named.keySpan;
    problems.push({
      ...bad(`Environment "${briefly(chosen ?? "")}" doesn't exist.${near ? ` ${didYouMean(near)}` : ""}`, span),
      ...(near && initial ? { fixes: [replaceWith(near, span)] } : {}),
    });
  }
  sharedVariables(environments, problems);
  problems.sort((a, b) => a.span.start - b.span.start);
  return { text, default: initial, environments, problems };
}

/** Two names with one variable for the key: the key of one environment would be sent to the other. */
function sharedVariables(environments: readonly Environment[], problems: ProjectProblem[]): void {
  const seen = new Map<string, string>();
  for (const { name, nameSpan } of environments) {
    const other = seen.get(variablePart(name));
    if (other !== undefined)
      problems.push(
        bad(`"${name}" and "${other}" would share the variable ${keyVariable(name)}. Rename one of them.`, nameSpan),
      );
    else seen.set(variablePart(name), name);
  }
}

class Reader {
  constructor(
    private readonly base: number,
    private readonly problems: ProjectProblem[],
  ) {}

  environment(pair: Pair): Environment | undefined {
    const name = keyText(pair);
    const nameSpan = this.#span(pair.key);
    if (!isName(name))
      return this.#complain("The name of an environment can only contain letters, digits, _ and -.", pair.key);
    const { value } = pair;
    if (value?.kind !== "map") return this.#complain(`Environment "${name}" needs a \`url\`.`, pair.key);
    this.#unknownKeys(value, "An environment", projectKeys.environment);
    const url = this.#url(pairOf(value, "url"));
    if (!pairOf(value, "url")) this.#complain(`Environment "${name}" needs a \`url\`.`, pair.key);
    const callingUrl = this.#url(pairOf(value, "calling_url"));
    const protection = pairOf(value, "protected");
    const isProtected = protection?.value?.kind === "scalar" ? protection.value.value : undefined;
    if (protection && typeof isProtected !== "boolean")
      this.#complain("`protected` must be true or false.", protection.value ?? protection.key);
    return {
      name,
      nameSpan,
      span: this.#span(pair),
      url,
      callingUrl,
      // An unreadable value must not make an environment less protected.
      isProtected: protection !== undefined && isProtected !== false,
      flows: this.#flows(pairOf(value, "flows")),
      names: this.#names(pairOf(value, "names")),
    };
  }

  #url(pair: Pair | undefined): Written | undefined {
    if (!pair) return undefined;
    const text = textOf(pair.value)?.trim() ?? "";
    const problem = urlProblem(text);
    if (problem) return this.#complain(problem, pair.value ?? pair.key);
    return { text, span: this.#span(pair.value ?? pair) };
  }

  #flows(pair: Pair | undefined): ReadonlyMap<string, FlowEntry> {
    const flows = new Map<string, FlowEntry>();
    for (const each of this.#pairs(pair, "the flow files of this environment")) {
      const path = keyText(each).replace(/^\.\//, "");
      if (!isFlowFile(path) || /(^|\/)\.\.(\/|$)|^[/\\]|\\|^[A-Za-z]:/.test(path)) {
        this.#complain(
          "Write the path of a flow file below this folder, with forward slashes: flows/billing.flow.yaml.",
          each.key,
        );
        continue;
      }
      const { value } = each;
      if (value?.kind !== "map") {
        this.#complain("A flow needs `assistant` and `revision`.", each.key);
        continue;
      }
      this.#unknownKeys(value, "A flow", projectKeys.flow);
      const ids = ["assistant", "revision"].map((key) => this.#uuid(value, key, each));
      const [assistant, revision] = ids;
      if (assistant === undefined || revision === undefined) continue;
      const revisionSpan = this.#span(pairOf(value, "revision")?.value ?? each);
      flows.set(path, { keySpan: this.#span(each.key), assistant, revision, revisionSpan });
    }
    return flows;
  }

  #uuid(map: MapValue, key: string, flow: Pair): string | undefined {
    const pair = pairOf(map, key);
    const text = textOf(pair?.value)?.trim() ?? "";
    if (isUuid(text)) return text.toLowerCase();
    return this.#complain(
      pair ? `\`${key}\` must be a UUID. Copy it from the platform.` : `A flow needs \`${key}\`.`,
      pair?.value ?? pair?.key ?? flow.key,
    );
  }

  #names(pair: Pair | undefined): ReadonlyMap<string, NameEntry> {
    const names = new Map<string, NameEntry>();
    for (const each of this.#pairs(pair, "names and their values")) {
      const name = keyText(each);
      const value = textOf(each.value);
      const spans = {
        keySpan: this.#span(each.key),
        span: this.#span(each.value ?? each),
        entrySpan: this.#span(each),
      };
      if (!isName(name))
        this.#complain("A name can only contain letters, digits, _ and -, and at most 64 of them.", each.key);
      else if (value === undefined || value.trim() === "") this.#complain(`"${name}" has no value.`, each.key);
      else if (each.value?.kind === "scalar" && typeof each.value.value !== "string")
        this.#complain(`Quote the value of "${name}", so that it's read as text.`, each.value, [
          { title: "Quote the value", edits: [{ ...spans.span, text: JSON.stringify(value) }], preferred: true },
        ]);
      else if (value.startsWith("$") || value.includes("{{"))
        this.#complain(`The value of "${name}" must be an ID, a number or an address.`, each.value ?? each.key);
      else names.set(name, { value, ...spans });
    }
    return names;
  }

  #pairs(pair: Pair | undefined, what: string): readonly Pair[] {
    if (!pair?.value || (pair.value.kind === "scalar" && pair.value.value === null)) return [];
    if (pair.value.kind === "map") return pair.value.pairs;
    this.#complain(`\`${keyText(pair)}\` must be a map of ${what}.`, pair.value);
    return [];
  }

  #unknownKeys(map: MapValue, what: string, known: readonly FileKey[]): void {
    const names = known.map(({ name }) => name);
    for (const pair of map.pairs)
      if (!names.includes(keyText(pair)))
        this.problems.push(unknownKey(keyText(pair), this.#span(pair.key), what, names));
  }

  #span(part: Value | Pair): Span {
    return shift(part.span, this.base);
  }

  #complain(message: string, at: Value | Pair, fixes?: readonly Fix[]): undefined {
    this.problems.push({ ...bad(message, this.#span(at)), ...(fixes ? { fixes } : {}) });
    return undefined;
  }
}

function bad(message: string, span: Span): ProjectProblem {
  return { code: "bad-project", severity: "error", message, span };
}

function unknownKey(key: string, span: Span, what: string, known: readonly string[]): ProjectProblem {
  if (/key|token|secret|password/i.test(key))
    return bad(
      "A project file must not contain API keys: everyone who can read the repository would have them. Remove this line.",
      span,
    );
  const near = nearest(key, known, true);
  const advice = near ? didYouMean(near) : `Its keys are ${known.map((each) => `\`${each}\``).join(", ")}.`;
  return {
    ...bad(`${what} has no key "${briefly(key)}". ${advice}`, span),
    ...(near ? { fixes: [replaceWith(near, span)] } : {}),
  };
}

function replaceWith(text: string, span: Span): Fix {
  return { title: `Replace with "${text}"`, edits: [{ ...span, text }], preferred: true };
}

/** What the platform's connection would refuse as well; here it's shown while the URL is typed. */
function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "Write a URL that starts with https://.";
  if (url.username || url.password) return "Remove the user name and password from the URL.";
  if (url.search || url.hash) return "Remove everything after the ? or # from the URL.";
  const isLocal = /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(url.hostname);
  return url.protocol === "http:" && !isLocal ? "Use https. Over http, others could read the API key." : undefined;
}
