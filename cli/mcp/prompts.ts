/** Prompts for agents. Arguments typed by the user are passed as data. */
import { fencedText } from "../../text";
import type { Prompt } from "./capabilities";

const file = { name: "file", description: "the flow file", required: true };

export const prompts: readonly Prompt[] = [
  {
    name: "write-flow",
    title: "Write a Flow",
    description: "Write a flow for a purpose, with tests",
    arguments: [
      { name: "purpose", description: "what the assistant should do", required: true },
      { name: "file", description: "the flow file to write", required: false },
    ],
    text: ({ purpose = "", file: at = "" }) =>
      [
        `Write an assistant flow${at ? ` to the file below` : ""}. Its purpose:`,
        fencedText("text", purpose),
        ...(at ? ["The file:", fencedText("text", at)] : []),
        "1. Read the format: call `format`, or read the resource assistant-flow://format. Omit `assistant` and `revision` unless I gave them to you.",
        "2. Call `tools` for the tools that exist, and write the flow. Each tool needs an edge with `on: error`, and every path must reach an end or transfer node.",
        "3. Call `check` and fix its findings until there are no errors or warnings.",
        "4. Write tests next to it (`*.flowtest.yaml`), and call `test` until they pass and cover every reachable edge.",
        "5. If there are policies, call `policies`: all must hold.",
        "6. Summarize in a few sentences what the flow does and what you assumed. Don't push.",
      ].join("\n"),
  },
  {
    name: "fix-flow",
    title: "Fix a Flow",
    description: "Fix all problems of a flow",
    arguments: [file],
    text: ({ file: at = "" }) =>
      [
        "Fix the flow in this file:",
        fencedText("text", at),
        "1. Call `check` for it. If a finding has a `fix` that matches the author's intent, apply its edits; otherwise read assistant-flow://rules/{code} and fix the cause.",
        "2. Keep comments, IDs and the author's wording. Never disable a rule to get rid of a finding.",
        "3. Call `check` again after each edit, until there are no errors, warnings or possible typos. Then call `test` and `policies` for the flow.",
        "4. Summarize the problems and your changes. Don't push.",
      ].join("\n"),
  },
  {
    name: "cover-flow",
    title: "Cover a Flow with Tests",
    description: "Write tests that cover every edge of a flow",
    arguments: [file],
    text: ({ file: at = "" }) =>
      [
        "Cover the flow in this file with tests:",
        fencedText("text", at),
        "1. Call `outline` and `test` for it to find the nodes and edges that aren't covered.",
        "2. Use `run` to try a script: `asks` in the response is what the run waits for. Then write it as a test with a descriptive name, the expected path and the expected end.",
        "3. Call `test` until all tests pass and everything reachable is covered. List the unreachable edges and explain why.",
        "4. If a test reveals a bug in the flow, report it; don't change the flow to make a test pass.",
      ].join("\n"),
  },
];
