/** Completions of the debug console: answers to the current question, and variables. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { offersAt, type Run } from "../flow/debug";
import { variableNames } from "./presentation";

export function completionsFor(run: Run, typed: string): DebugProtocol.CompletionItem[] {
  const begun = typed.trimStart().toLowerCase();
  const answers = offersAt(run).filter(({ text }) => text.toLowerCase().startsWith(begun));
  const word = /\{{0,2}(?<![\w-])[\w-]*$/.exec(typed)?.[0] ?? "";
  return [
    ...answers.map(({ label, text }) => item(label, text, "function", 0, typed.length)),
    ...variableNames(run.state.frame).map((name) =>
      item(`{{${name}}}`, `{{${name}}}`, "variable", typed.length - word.length, word.length),
    ),
  ];
}

function item(
  label: string,
  text: string,
  type: DebugProtocol.CompletionItemType,
  start: number,
  length: number,
): DebugProtocol.CompletionItem {
  return { label, text, type, start, length };
}
