/** JSON Schemas of the tools' inputs and outputs. Outputs may have further fields, those of the command line's JSON. */
import type { ReportedTest } from "../../flow/test";
import { DEFAULT_LIMIT, MAX_LIMIT, type PageInput } from "./page";
import type { ScriptInput } from "./run-script";

interface Paths {
  readonly paths?: readonly string[];
}

/** The types of valid inputs. */
export interface Inputs {
  check: Paths & PageInput & { readonly platform?: boolean };
  outline: PageInput & { readonly file: string };
  paths: PageInput & { readonly file: string; readonly from?: string; readonly to?: string };
  run: ScriptInput;
  test: Paths & PageInput & { readonly filter?: string; readonly tag?: readonly string[]; readonly coverage?: boolean };
  policies: Paths & PageInput & { readonly list?: boolean };
  calls_report: { readonly file: string; readonly calls: string };
  tools: Paths & PageInput;
  format: { readonly of?: FormatPart };
  plan: Paths & PageInput;
  push: {
    readonly file: string;
    readonly fingerprint: string;
    readonly allow_first_push?: boolean;
    readonly allow_removals?: boolean;
  };
}

export type FormatPart = "flows" | "tests" | "policies" | "tools";
export type ToolName = keyof Inputs;
type Schema = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Schema>>;

const described = (schema: Schema, description?: string): Schema => (description ? { ...schema, description } : schema);
const text = (description?: string): Schema => described({ type: "string" }, description);
const name = (description: string): Schema => ({
  type: "string",
  maxLength: 4096,
  pattern: "^[^\\u0000]+$",
  description,
});
const flag = (description?: string): Schema => described({ type: "boolean" }, description);
const list = (items: Schema, description?: string): Schema => described({ type: "array", items }, description);
const data = (description: string): Schema => ({ type: "object", description });
const number: Schema = { type: "integer" };
const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });

/** An object without other fields. */
const input = (fields: Fields, required: readonly string[] = []): Schema => ({
  type: "object",
  properties: fields,
  required,
  additionalProperties: false,
});

/** An object that may have other fields. A name that ends in a question mark is optional. */
function object(fields: Fields, description?: string): Schema {
  const names = Object.keys(fields);
  const properties = Object.fromEntries(names.map((each) => [each.replace(/\?$/, ""), fields[each]]));
  const required = names.filter((each) => !each.endsWith("?"));
  return described({ type: "object", properties, required }, description);
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
    description: `page size (default: ${DEFAULT_LIMIT}; 20 for check)`,
  },
  cursor: { type: "string", maxLength: 100, description: "`next_cursor` from the previous response" },
};

export const inputs: Readonly<Record<ToolName, Schema>> = {
  check: input({
    paths,
    platform: flag("include the platform's findings from the last sync; sends no request"),
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
      given: data("initial values of variables"),
      tools: data("results of tools and components by node or tool ID: {return: {…}}, {error: …}, or a list of these"),
      steps: {
        ...list({ type: "object" }),
        maxItems: 10_000,
        description:
          "{take: an edge's `when`, label, ID or target} at a choice, {give: {variable: value}} at a collect node, or {give: null} if the caller gives up",
      },
      expect: data("path, variables, ends, stuck, never and unset, as in a test file"),
    },
    ["file"],
  ),
  test: input({
    paths,
    filter: { type: "string", maxLength: 1000, description: "run only tests whose name contains this text" },
    tag: {
      ...list({ type: "string", maxLength: 1000 }),
      maxItems: 100,
      description: "run only tests with one of these tags",
    },
    coverage: flag("report covered nodes and edges (default: true)"),
    ...page,
  }),
  policies: input({ paths, list: flag("list the policies that apply to each flow, without verdicts"), ...page }),
  calls_report: input({ file, calls: name("a file with calls as JSON, one per line, inside the roots") }, [
    "file",
    "calls",
  ]),
  tools: input({ paths, ...page }),
  format: input({
    of: { ...oneOf("flows", "tests", "policies", "tools"), description: "one part of the page (default: all)" },
  }),
  plan: input({ paths, ...page }),
  push: input(
    {
      file,
      fingerprint: { ...text("`fingerprint` of this file from a `plan` call"), pattern: "^[0-9a-f]{64}$" },
      allow_first_push: flag("allow the first push of this file from this computer"),
      allow_removals: flag("allow a plan that removes more than 20% of the nodes"),
    },
    ["file", "fingerprint"],
  ),
};

const ids = list(text());
const FROM_ONE = "1-based";
const line: Schema = { ...number, description: FROM_ONE };
const position = object({ line, character: { ...number, description: `${FROM_ONE}, in UTF-16 units` } });
const range = object({ start: position, end: position }, "1-based lines and characters; the end is exclusive");
const exceptions = list(
  object({
    "node?": text("missing if the exception is for the whole flow"),
    until: text("the last day, YYYY-MM-DD"),
    because: text(),
  }),
  "exceptions that are active today",
);
const next = { "next_cursor?": text("there are more results: call again with this cursor"), "notes?": list(text()) };
const cover = object({ covered: ids, missing: ids, unreachable: ids });
const ran = {
  path: ids,
  edges: ids,
  variables: { type: "object" },
  "ended?": object({ kind: oneOf("end", "transfer", "stuck", "endless", "waiting"), node: text() }),
  failures: list(object({ kind: text(), message: text() })),
  "warnings?": list(object({ kind: text(), message: text() }), "parts without effect"),
};
/** A record, so that the compiler reports a missing status: clients reject a result that violates its schema. */
const statuses: Record<ReportedTest["status"], true> = { passed: true, failed: true, skipped: true };
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
        reachable: flag("whether edges lead here from the entry"),
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
    "reachable?": flag("whether conditions allow a path to it"),
    "only_by_shape?": flag("edges lead to it, but their conditions contradict each other"),
    "path?": list(text(), "a shortest path"),
    "edges?": ids,
    "sets?": list(object({ variable: text(), node: text() }), "variables set along the path"),
    "reaches?": list(text(), "nodes reachable from `from`"),
    "reached_by?": list(text(), "nodes that can reach `to`, or `from` if `to` isn't given"),
    ...next,
  }),
  run: object({
    file: text(),
    status: oneOf("passed", "failed"),
    ...ran,
    "asks?": object({ kind: oneOf("choice", "value", "call"), node: text() }, "what the run waits for"),
    "notes?": list(text()),
  }),
  test: object({
    tests: list(object({ file: text(), name: text(), status: oneOf(...Object.keys(statuses)), ...ran })),
    "coverage?": list(object({ flow: text(), nodes: cover, edges: cover })),
    ...next,
  }),
  policies: object({
    "summary?": object({
      holds: flag("whether every policy was checked and holds"),
      proved: number,
      broken: number,
      matches_nothing: number,
      problems: number,
    }),
    "verdicts?": list(
      object({
        policy: text("its `id`"),
        file: text("the policy file"),
        flow: text("the flow; empty if a policy matches nothing in several flows, or has no flows"),
        verdict: text("proved-by-shape, proved-given-conditions, broken, matches-nothing, not-checked or excepted"),
        path: list(text(), "if broken: the shortest violating path, as node IDs"),
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
        file: text("the policy file; empty if there is none"),
        policies: list(object({ policy: text(), severity: text(), "because?": text(), "except?": exceptions })),
      }),
      "with `list`: the policies that apply to each flow",
    ),
    problems: list(
      object({ file: text(), line, column: line, message: text() }),
      "syntax errors, which prevent checks; failing examples; exceptions that have expired or have no effect",
    ),
    ...next,
  }),
  calls_report: object({
    flow: text(),
    calls: number,
    placed: number,
    partly: number,
    unplaced: number,
    nodes: data("by node ID: calls, certain, and left, the calls whose last known step it is"),
    edges: data("by `from:index`: calls, certain, and whether a test takes the edge"),
    ends: data("by node ID: calls that ended there"),
    reasons: data("by end reason: calls"),
    "notes?": list(text()),
  }),
  tools: object({
    version: { type: "integer", const: 1 },
    tools: list(
      object({
        id: text("the value of `tool` in a node"),
        name: text(),
        description: text(),
        type: text(),
        "inputs?": list(
          object({
            name: text(),
            "type?": text(),
            required: flag(),
            has_default: flag("whether the flow can omit it"),
            "description?": text(),
          }),
          "missing if they aren't known",
        ),
        outputs: list(object({ path: text("a path for `saves`"), "alias?": text() })),
        transfer: {
          ...object({ mode: { type: ["string", "null"] }, dynamic: flag() }, "null if the tool doesn't transfer"),
          type: ["object", "null"],
        },
        used_by: list(object({ file: text(), node: text() })),
      }),
    ),
    knowledge_base_ids: ids,
    ...next,
  }),
  format: object({ page: text("Markdown") }),
  plan: object({ files: list(object({ ...flowState, "fingerprint?": text("pass this to `push`") })), ...next }),
  push: object({ files: list(object(flowState)), ...next }),
};
