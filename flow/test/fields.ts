/** Every key of a test file, with what it means. The reader, the JSON Schema and the editor's help come from this table. */
export interface TestKey {
  readonly name: string;
  readonly doc: string;
}

const keys = <Name extends string>(docs: Record<Name, string>) =>
  Object.entries(docs).map(([name, doc]) => ({ name: name as Name, doc: doc as string }));

export const testKeys = {
  file: keys({
    flow: "The flow under test, as a path relative to this file.",
    tests: "The tests of the flow.",
  }),
  test: keys({
    name: "What the test is about.",
    given: "Variables before the first node.",
    tools:
      "Answers of tools and components, by node ID or by tool or component ID. A list has one answer for each call, in order.",
    steps: "Answers to what the run asks, used up in order.",
    expect: "What has to come out.",
  }),
  stub: keys({
    return: "What the tool answers. `saves` of the node takes its values from here.",
    error: "The tool fails: the event `error`. The value is for the reader.",
    event: "Another event of the tool, by its name.",
  }),
  step: keys({
    take: "The edge to take where only a model could tell: by its `when`, label, ID or target.",
    give: "The variable that a collect node asks for, with its value. `null`: the caller gave up.",
    says: "What the caller says, for the reader. It has no effect.",
    at: "The node where the step happens.",
  }),
  expect: keys({
    path: "The nodes that are entered, in order. `...` stands for any number of nodes.",
    variables: "Values of variables at the end. `null`: no value.",
    ends: "The node where the run ends.",
    stuck: "The node where the run gets stuck.",
    never: "Nodes that are never entered.",
    unset: "Variables that may be read without a value.",
  }),
} as const;

export const namesOf = (list: readonly TestKey[]): string[] => list.map(({ name }) => name);
