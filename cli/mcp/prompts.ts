/** Requests that a person starts an agent with. What the person typed is data in them too. */
import { fencedText } from "../../text";
import type { Prompt } from "./capabilities";

const file = { name: "file", description: "the flow file", required: true };

export const prompts: readonly Prompt[] = [
  {
    name: "write-flow",
    title: "Write a Flow",
    description: "Write a flow for a purpose, with tests.",
    arguments: [
      { name: "purpose", description: "what the assistant should do, in your words", required: true },
      { name: "file", description: "the flow file to write", required: false },
    ],
    text: ({ purpose = "", file: at = "" }) =>
      [
        `Write an assistant flow${at ? ` to the file named below` : ""}. What it is for:`,
        fencedText("text", purpose),
        ...(at ? ["The file:", fencedText("text", at)] : []),
        "1. Read the format: call `format`, or read the resource assistant-flow://format. Leave `assistant` and `revision` out unless I gave them to you.",
        "2. Write the flow. Each tool needs an edge with `on: error`, and every path an end or a transfer.",
        "3. Call `check` and fix what it finds, until there are no errors and warnings.",
        "4. Write tests beside it (`*.flowtest.yaml`), and call `test` until they pass and cover every edge that can be reached.",
        "5. Where there are policies, call `policies`: each must hold.",
        "6. Tell me in a few sentences what the flow does and what you assumed. Don't push.",
      ].join("\n"),
  },
  {
    name: "fix-flow",
    title: "Fix a Flow",
    description: "Fix everything that is wrong with a flow.",
    arguments: [file],
    text: ({ file: at = "" }) =>
      [
        "Fix the flow in this file:",
        fencedText("text", at),
        "1. Call `check` for it. Where a finding has a `fix` and it is what the author meant, apply its edits; else read assistant-flow://rules/{code} and fix the cause.",
        "2. Keep comments, IDs and the author's words. Never silence a rule to get rid of a finding.",
        "3. Call `check` again after each edit, until there are no errors, no warnings and no near misses. Then call `test` and `policies` for the flow.",
        "4. Tell me what was wrong and what you changed. Don't push.",
      ].join("\n"),
  },
  {
    name: "cover-flow",
    title: "Cover a Flow with Tests",
    description: "Write tests that take every edge of a flow.",
    arguments: [file],
    text: ({ file: at = "" }) =>
      [
        "Cover the flow in this file with tests:",
        fencedText("text", at),
        "1. Call `outline` and `test` for it, and see which nodes and edges are missing.",
        "2. Use `run` to try a script: `asks` says what the run waits for. Then write it as a test, with a name that says what it is about and with the path and the end you expect.",
        "3. Call `test` until all pass and nothing that can be reached is missing. Say which edges no run can take, and why.",
        "4. Where a test shows a fault of the flow, tell me; don't change the flow to make a test pass.",
      ].join("\n"),
  },
];
