import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { askSteps, editForm, type FormField } from "../../../client/ui/forms";
import { type Question, vscodeStub } from "../../support/vscode";

const ends: readonly FormField[] = [
  { name: "name", label: "Name" },
  {
    name: "expires",
    label: "When?",
    options: [
      { value: "365", label: "In a year" },
      { value: "date", label: "On a date…" },
    ],
  },
  { name: "expires_at", label: "The last day", when: ({ expires }) => expires === "date" },
];

/** The questions until the user cancels. */
async function firstAsked(ask: () => Promise<unknown>): Promise<Question | undefined> {
  const asked: Question[] = [];
  vscodeStub.answer = (question) => void asked.push(question);
  assert.equal(await ask(), undefined, "without a question, there is no consent");
  return asked[0];
}

test("an error about a hidden field is shown at the field that hides it, and the field is shown", async () => {
  const problems = { expires_at: "Too far away." };
  const year = await firstAsked(() => askSteps("Create", ends, { values: { name: "CI", expires: "365" }, problems }));
  assert.deepEqual([year?.prompt, year?.choices.length], ["Too far away.", 2]);
  const date = await firstAsked(() =>
    askSteps("Create", ends, { values: { expires: "date", expires_at: "2099-01-01" }, problems }),
  );
  assert.deepEqual([date?.prompt, date?.value, date?.problem], ["The last day", "2099-01-01", "Too far away."]);
});

test("an error about an unknown field is shown at the first field", async () => {
  const asked = await firstAsked(() => askSteps("Create", ends, { problems: { quota: "No more keys." } }));
  assert.deepEqual([asked?.prompt, asked?.problem], ["Name", "No more keys."]);
});

test("the form shows errors about fields that it doesn't show", async () => {
  const fields = [{ name: "city", label: "City" }];
  const asked = await firstAsked(() =>
    editForm("Lead", "Go On", fields, { problems: { city: "Unknown.", textContent: "Too long." } }),
  );
  assert.equal(asked?.prompt, 'Select a field to edit, or choose "Go On"');
  assert.deepEqual(asked?.choices.slice(0, 1), ["$(warning) Go On"]);
  assert.ok(asked?.choices.includes("$(warning) City"));
});

test("Escape leaves the field, not the form; an empty field is marked without an error", async () => {
  const fields = [
    { name: "city", label: "City" },
    { name: "phone", label: "Phone", required: true },
  ];
  const asked: Question[] = [];
  const answers = ["City", "Ghent", "$(warning) Phone", undefined, undefined];
  vscodeStub.answer = (question) => answers[asked.push(question) - 1];
  assert.equal(await editForm("Lead", "Go On", fields), undefined);
  assert.equal(asked.length, answers.length);
  assert.deepEqual([asked[3]?.prompt, asked[3]?.problem], ["Phone", undefined]);
  assert.ok(asked[4]?.choices.includes("City"), "the form is there again");
});

test("Enter submits a new form at once; after an answer, it edits the next field", async () => {
  const fields = [
    { name: "city", label: "City" },
    { name: "phone", label: "Phone" },
  ];
  const asked: Question[] = [];
  const answers = ["City", "Ghent", "$(play) Go On"];
  vscodeStub.answer = (question) => answers[asked.push(question) - 1];
  assert.deepEqual(await editForm("Lead", "Go On", fields), { city: "Ghent" });
  assert.deepEqual([asked[0]?.active, asked[2]?.active], ["$(play) Go On", "Phone"]);
});
