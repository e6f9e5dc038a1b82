/** What the tools take and answer, as JSON Schema. Answers may have further fields: those of the command line's JSON. */
import { DEFAULT_LIMIT, MAX_LIMIT, type PageInput } from "./page";
import type { ScriptInput } from "./run-script";

interface Paths {
  readonly paths?: readonly string[];
}

/** Inputs once they fit their schema. */
export interface Inputs {
  check: Paths & PageInput & { readonly platform?: boolean };
  outline: PageInput & { readonly file: string };
  paths: PageInput & { readonly file: string; readonly from?: string; readonly to?: string };
  run: ScriptInput;
  test: Paths & PageInput & { readonly filter?: string; readonly tag?: readonly string[]; readonly coverage?: boolean };
  policies: Paths & PageInput & { readonly list?: boolean };
  format: { readonly of?: "flows" | "tests" | "policies" };
  plan: Paths & PageInput;
  push: {
    readonly file: string;
    readonly fingerprint: string;
    readonly allow_first_push?: boolean;
    readonly allow_removals?: boolean;
  };
}

export type ToolName = keyof Inputs;
type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

const text = (description?: string): Schema => ({ type: "string", ...(description ? { description } : {}) });
const name = (description: string): Schema => ({
  type: "string",
  maxLength: 4096,
  pattern: "^[^\\u0000]+$",
  description,
});
const flag = (description?: string): Schema => ({ type: "boolean", ...(description ? { description } : {}) });
const list = (items: Schema, description?: string): Schema => ({
  type: "array",
  items,
  ...(description ? { description } : {}),
});
const data = (description: string): Schema => ({ type: "object", description });
const number: Schema = { type: "integer" };
const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });

/** Only these fields. */
const input = (fields: Fields, required: readonly string[] = []): Schema => ({
  type: "object",
  properties: fields,
  required,
  additionalProperties: false,
});

/** At least these fields; a name that ends in a question mark may be missing. */
function object(fields: Fields, description?: string): Schema {
  const names = Object.keys(fields);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((each) => [each.replace(/\?$/, ""), fields[each]])),
    required: names.filter((each) => !each.endsWith("?")),
    ...(description ? { description } : {}),
  };
}

const file = name("the flow file, relative to the first root, or absolute inside a root");
const paths = {
  ...list(name("a file, a folder, or a pattern such as flows/**/*.flow.yaml")),
  maxItems: 1000,
  description: "files, folders and patterns inside the roots (default: everything below the first root)",
};
const page = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `rows of a page (default: ${DEFAULT_LIMIT}, of check 20)`,
  },
  cursor: { type: "string", maxLength: 100, description: "`next_cursor` of the page before" },
};

export const inputs: Readonly<Record<ToolName, Schema>> = {
  check: input({
    paths,
    platform: flag("add what the platform said at the last sync; makes no request"),
    ...page,
  }),
  outline: input({ file, ...page }, ["file"]),
  paths: input(
    {
      file,
      from: name("ID of a node (default: the entry)"),
      to: name("ID of a node, or `end` or `transfer` for any node of that type"),
      ...page,
    },
    ["file"],
  ),
  run: input(
    {
      file,
      given: data("variables before the first node"),
      tools: data("answers of tools and components by node or tool ID: {return: {…}}, {error: …}, or a list of these"),
      steps: {
        ...list({ type: "object" }),
        maxItems: 10_000,
        description:
          "{take: an edge's `when`, label, ID or target} at a choice, {give: {variable: value}} at a collect node",
      },
      expect: data("path, variables, ends, stuck, never and unset, as in a test file"),
    },
    ["file"],
  ),
  test: input({
    paths,
    filter: { type: "string", maxLength: 1000, description: "only tests whose name contains this text" },
    tag: {
      ...list({ type: "string", maxLength: 1000 }),
      maxItems: 100,
      description: "only tests with one of these tags",
    },
    coverage: flag("which nodes and edges the tests cover (default: true)"),
    ...page,
  }),
  policies: input({ paths, list: flag("only which policies bind which flows, without verdicts"), ...page }),
  format: input({ of: { ...oneOf("flows", "tests", "policies"), description: "one part of the page (default: all)" } }),
  plan: input({ paths, ...page }),
  push: input(
    {
      file,
      fingerprint: { ...text("`fingerprint` of this file from a `plan` call"), pattern: "^[0-9a-f]{64}$" },
      allow_first_push: flag("the file was never pushed from this machine"),
      allow_removals: flag("the plan removes more than 20% of the nodes"),
    },
    ["file", "fingerprint"],
  ),
};

const ids = list(text());
/** Every place in an answer counts so. */
const FROM_ONE = "counts from 1";
const line: Schema = { ...number, description: FROM_ONE };
const position = object({ line, character: { ...number, description: `${FROM_ONE}, in UTF-16 units` } });
const range = object({ start: position, end: position }, "lines and characters count from 1; the end isn't part of it");
const exceptions = list(
  object({ "node?": text("missing: the whole flow"), until: text("the last day, YYYY-MM-DD"), because: text() }),
  "exceptions that count today",
);
const next = { "next_cursor?": text("there is more: call again with it"), "notes?": list(text()) };
const cover = object({ covered: ids, missing: ids, unreachable: ids });
const ran = {
  status: oneOf("passed", "failed"),
  path: ids,
  edges: ids,
  variables: { type: "object" },
  "ended?": object({ kind: oneOf("end", "transfer", "stuck", "endless", "waiting"), node: text() }),
  failures: list(object({ kind: text(), message: text() })),
};
const flowState = { path: text(), state: text() };

export const outputs: Readonly<Record<ToolName, Schema>> = {
  check: object({
    version: { type: "integer", const: 1 },
    files: list(
      object({
        path: text(),
        findings: list(
          object({
            source: text(),
            code: text("the rule, described by assistant-flow://rules/{code}"),
            severity: oneOf("error", "warning", "info", "hint"),
            message: text(),
            range,
            "fix?": object({ title: text(), preferred: flag(), changes: list(object({ range, text: text() })) }),
          }),
        ),
      }),
    ),
    summary: object({ files: number, errors: number, warnings: number, infos: number, hints: number }),
    ...next,
  }),
  outline: object({
    file: text(),
    "entry?": text(),
    variables: list(object({ name: text(), line, set_by: ids, read_by: ids })),
    nodes: list(
      object({
        id: text(),
        line,
        reachable: flag("edges lead there from the entry"),
        reads: ids,
        sets: ids,
        edges: list(
          object({
            id: text(),
            to: text(),
            decided: oneOf("event", "offline", "model", "partly", "default"),
            reachable: flag(),
          }),
        ),
      }),
    ),
    ...next,
  }),
  paths: object({
    file: text(),
    from: text(),
    "to?": text(),
    "reachable?": flag("a path leads there that conditions allow"),
    "only_by_shape?": flag("edges lead there, but their conditions exclude each other"),
    "path?": list(text(), "a shortest path"),
    "edges?": ids,
    "sets?": list(object({ variable: text(), node: text() }), "variables set on the way"),
    "reaches?": list(text(), "nodes that edges lead to from `from`"),
    "reached_by?": list(text(), "nodes from which edges lead to `to`, or to `from` without one"),
    ...next,
  }),
  run: object({
    file: text(),
    ...ran,
    "asks?": object({ kind: oneOf("choice", "value", "call"), node: text() }, "what the run waits for"),
  }),
  test: object({
    tests: list(object({ file: text(), name: text(), ...ran })),
    "coverage?": list(object({ flow: text(), nodes: cover, edges: cover })),
    ...next,
  }),
  policies: object({
    "summary?": object({
      holds: flag("every policy was judged and holds"),
      proved: number,
      broken: number,
      matches_nothing: number,
      problems: number,
    }),
    "verdicts?": list(
      object({
        policy: text("its `id`"),
        file: text("the policy file"),
        flow: text("the flow; empty where a policy matches nothing in several flows, or in none"),
        verdict: text("proved-by-shape, proved-given-conditions, broken, matches-nothing, not-checked or excepted"),
        path: list(text(), "where it is broken: a shortest path, node by node"),
        edges: ids,
        severity: text(),
        message: text(),
        "because?": text(),
        "except?": exceptions,
      }),
    ),
    "flows?": list(
      object({
        flow: text(),
        file: text("the policy file; empty where there is none"),
        policies: list(object({ policy: text(), severity: text(), "because?": text(), "except?": exceptions })),
      }),
      "with `list`: which policies bind which flows",
    ),
    problems: list(
      object({ file: text(), line, column: line, message: text() }),
      "what couldn't be read, and so isn't judged; examples that fail; exceptions that expired or have no effect",
    ),
    ...next,
  }),
  format: object({ page: text("Markdown") }),
  plan: object({ files: list(object({ ...flowState, "fingerprint?": text("what `push` needs") })), ...next }),
  push: object({ files: list(object(flowState)), ...next }),
};
