/** The start of a run without a test: variables and tool results, as a test would define them. */
import { stringify } from "yaml";
import { type FlowTest, readTestFile } from "../test/file/test-file";

export interface ScriptParts {
  readonly given?: unknown;
  readonly tools?: unknown;
}

export function scriptWith({ given, tools }: ScriptParts): { readonly test: FlowTest } | { readonly problem: string } {
  const parts = { name: "run", ...(given === undefined ? {} : { given }), ...(tools === undefined ? {} : { tools }) };
  const [test] = readTestFile(stringify({ flow: "-", tests: [parts] })).tests;
  const problem = test?.problems[0]?.message;
  return test && !problem ? { test } : { problem: problem ?? "Couldn't parse `given` and `tools`." };
}
