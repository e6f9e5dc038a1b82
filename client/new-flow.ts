/** Templates for new flows, and their file names. */

import { l10n } from "vscode";
import { withoutFlowEnding } from "../../../flow/file-kind";

export interface Template {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

export const templates: readonly Template[] = [
  {
    label: l10n.t("Minimal flow"),
    detail: l10n.t("A greeting and an end."),
    text: `entry: greet

nodes:
  greet:
    type: message
    name: Greeting
    instructions: Welcome the caller and ask how you can help.
    edges:
      - to: goodbye
  goodbye:
    type: end
    instructions: Thank the caller and say goodbye.
`,
  },
  {
    label: l10n.t("Collect and answer"),
    detail: l10n.t("Collects an account number, answers, or transfers."),
    text: `persona: |
  You are a calm and friendly assistant.
entry: greet

context_variables:
  account_id:
    type: string
    description: The account the caller asks about.

nodes:
  greet:
    type: message
    name: Greeting
    instructions: Welcome the caller and ask how you can help.
    edges:
      - to: ask_account
  ask_account:
    type: collect
    variable: account_id
    instructions: Ask for the account number.
    edges:
      - {to: answer, when: "{{account_id}} is known"}
      - {to: hand_over, label: gave up}
  answer:
    type: message
    instructions: Answer the question about account {{account_id}}.
    edges:
      - to: goodbye
  hand_over:
    type: transfer
    destination: "+15550100"
    mode: cold
  goodbye:
    type: end
    instructions: Thank the caller and say goodbye.
`,
  },
];

/** Builds a file name from the user's input: `Billing line` becomes `billing-line.flow.yaml`. */
export function flowFileName(typed: string): string {
  const plain = withoutFlowEnding(typed.trim());
  const slug = plain
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "" : `${slug}.flow.yaml`;
}
