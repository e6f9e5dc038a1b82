/** Every key of a test file. */
import { type FileKey, keysOf as keys } from "../../file-keys";

/** The keys of a test and of each of its cases. */
const parts = {
  given: "Values of variables at the start.",
  tools:
    "Responses of tools and components, by node ID or by tool or component ID. A list has one response for each call, in order.",
  steps: "Answers to the questions of the run, in order.",
  expect: "The expected results.",
};

export const testKeys = {
  file: keys({
    flow: "The flow under test, as a path relative to this file.",
    tests: "The tests of the flow.",
  }),
  test: keys({
    name: "What the test is about.",
    tags: "Tags for running some of the tests: `assistant-flow test --tag NAME`.",
    skip: "The reason why the test is skipped.",
    ...parts,
    cases:
      "Variants of the test. The `given`, `tools` and `expect` of a case override those of the test key by key; its `steps` replace all steps.",
  }),
  case: keys({
    name: "What the case is about.",
    skip: "The reason why the case is skipped.",
    ...parts,
  }),
  stub: keys({
    return: "The tool's response. The node's `saves` reads its values.",
    error: "The tool fails with the event `error`. The value is only a comment.",
    event: "The name of another event of the tool.",
  }),
  step: keys({
    take: "The edge that the model chooses, by its `when`, label, ID or target.",
    give: "The value that the caller gives a collect node, by variable name. `null` as the value, or instead of both, means that the caller gives up.",
    says: "What the caller says. It has no effect.",
    at: "The node where the step happens.",
  }),
  expect: keys({
    path: "The nodes entered, in order. `...` matches any number of nodes.",
    variables: "Values of variables at the end. `null` means no value.",
    ends: "The node where the run ends. `{node: …, transfer: true}` also checks whether the call is transferred.",
    stuck: "The node where the run gets stuck.",
    never: "Nodes that are never entered.",
    unset: "Variables that may be read without a value.",
  }),
  ends: keys({
    node: "The node where the run ends.",
    transfer: "Whether the call is transferred (`true`) or ended (`false`).",
  }),
} as const;

export const namesOf = (list: readonly FileKey[]): string[] => list.map(({ name }) => name);
