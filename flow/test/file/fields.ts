/**
 * Every key of a test file, with its documentation. The parser, the JSON Schema and the editor's help use this table.
 */
export interface TestKey {
  readonly name: string;
  readonly doc: string;
}

const keys = <Name extends string>(docs: Record<Name, string>) =>
  Object.entries(docs).map(([name, doc]) => ({ name: name as Name, doc: doc as string }));

/** The keys of a test and of each of its cases. */
const parts = {
  given: "Variables before the first node.",
  tools:
    "Answers of tools and components, by node ID or by tool or component ID. A list has one answer for each call, in order.",
  steps: "Answers to what the run asks, used up in order.",
  expect: "What has to come out.",
};

export const testKeys = {
  file: keys({
    flow: "The flow under test, as a path relative to this file.",
    tests: "The tests of the flow.",
  }),
  test: keys({
    name: "What the test is about.",
    tags: "Names to choose tests by: `assistant-flow test --tag NAME`.",
    skip: "Why the test isn't run for now. It's reported as skipped.",
    ...parts,
    cases:
      "Runs of the test with other values. What a case says under `given`, `tools` and `expect` wins key by key, its `steps` as a whole.",
  }),
  case: keys({
    name: "What is special about the case.",
    skip: "Why the case isn't run for now. It's reported as skipped.",
    ...parts,
  }),
  stub: keys({
    return: "What the tool answers. `saves` of the node takes its values from here.",
    error: "The tool fails: the event `error`. The value is for the reader.",
    event: "Another event of the tool, by its name.",
  }),
  step: keys({
    take: "The edge to take where only a model could tell: by its `when`, label, ID or target.",
    give: "The variable that a collect node asks for, with its value. `null`, for the value or in place of both: the caller gave up.",
    says: "What the caller says, for the reader. It has no effect.",
    at: "The node where the step happens.",
  }),
  expect: keys({
    path: "The nodes that are entered, in order. `...` stands for any number of nodes.",
    variables: "Values of variables at the end. `null`: no value.",
    ends: "The node where the run ends. `{node: …, transfer: true}` also says whether the call is transferred there.",
    stuck: "The node where the run gets stuck.",
    never: "Nodes that are never entered.",
    unset: "Variables that may be read without a value.",
  }),
  ends: keys({
    node: "The node where the run ends.",
    transfer: "Whether the call is transferred there (`true`) or ends (`false`).",
  }),
} as const;

export const namesOf = (list: readonly TestKey[]): string[] => list.map(({ name }) => name);
