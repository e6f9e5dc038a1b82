/**
 * The JSON Schema of test files (draft 7), generated from the table of keys. Unlike flows, tests are closed: unknown
 * keys are errors.
 */
import { closedSchema as closed, type Schema } from "../../file-keys";
import { testKeys } from "./fields";

const text = { type: ["string", "number", "boolean"] };
const texts = { type: "array", items: text };
const values = { type: ["object", "null"] };

const reason = { type: "string", pattern: "\\S" };
const parts = {
  given: values,
  tools: {
    ...values,
    additionalProperties: {
      anyOf: [{ $ref: "#/definitions/stub" }, { type: "array", items: { $ref: "#/definitions/stub" } }],
    },
  },
  steps: { type: ["array", "null"], items: { $ref: "#/definitions/step" } },
  expect: { $ref: "#/definitions/expect" },
};

export function testSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Tests of an assistant flow",
    description: "The input of the caller, the tools and the model in runs of a flow, and the expected results.",
    ...closed(
      testKeys.file,
      { flow: { type: "string" }, tests: { type: "array", items: { $ref: "#/definitions/test" } } },
      // A key with any name may contain shared parts with anchors.
      { required: ["flow", "tests"], additionalProperties: true },
    ),
    definitions: {
      test: closed(
        testKeys.test,
        {
          name: text,
          tags: { anyOf: [text, texts] },
          skip: reason,
          ...parts,
          cases: { type: "array", minItems: 1, items: { $ref: "#/definitions/case" } },
        },
        { required: ["name"] },
      ),
      case: closed(testKeys.case, { name: text, skip: reason, ...parts }),
      stub: closed(testKeys.stub, { return: {}, error: {}, event: text }, { minProperties: 1, maxProperties: 1 }),
      step: closed(
        testKeys.step,
        { take: text, give: { type: ["object", "null"], minProperties: 1, maxProperties: 1 }, says: text, at: text },
        { oneOf: [{ required: ["take"] }, { required: ["give"] }] },
      ),
      expect: closed(
        testKeys.expect,
        {
          path: texts,
          variables: values,
          ends: { anyOf: [text, { $ref: "#/definitions/ends" }] },
          stuck: text,
          never: texts,
          unset: texts,
        },
        { not: { required: ["ends", "stuck"] } },
      ),
      ends: closed(testKeys.ends, { node: text, transfer: { type: "boolean" } }, { required: ["node"] }),
    },
  };
}
