/** The questions of a debug run, answered in quick inputs. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Questions } from "../../../client/debug/questions";
import { vscodeStub } from "../../support/vscode";

const call = {
  kind: "call" as const,
  at: "look_up",
  variable: undefined,
  title: "look_up calls look_up_account",
  choices: [],
  values: [],
  events: ["error"],
};

test("the result of a tool can be typed where results are listed", async () => {
  const questions = new Questions();
  const asked: string[] = [];
  vscodeStub.answer = ({ prompt, value }) => {
    asked.push(`${prompt}: ${value}`);
    return asked.length === 1 ? '{"plan": "gold"}' : value;
  };
  const sent = await new Promise<string>((resolve) =>
    questions.ask({ ...call, answer: '{"plan": "text"}' }, async (answer) => resolve(answer)),
  );
  assert.equal(sent, 'return {"plan": "gold"}');
  assert.deepEqual(asked, ["Select the result: ", 'Answer as JSON or YAML: {"plan": "gold"}']);
  questions.dispose();
});
