/** Completions of the debug console: answers to the current question, and variables. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { offersAt, type Run } from "../flow/debug";
import { variableNames } from "./presentation";

export function completionsFor(run: Run, typed: string): DebugProtocol.CompletionItem[] {
  const begun = typed.trimStart().toLowerCase();
  const answers = offersAt(run).filter(({ text }) => text.toLowerCase().startsWith(begun));
  const { length } = /\{{0,2}(?<![\w-])[\w-]*$/.exec(typed)?.[0] ?? "";
  return [
    ...answers.map((offer) => ({ ...offer, type: "function" as const, start: 0, length: typed.length })),
    ...variableNames(run.state.frame).map((name) => {
      const text = `{{${name}}}`;
      return { label: text, text, type: "variable" as const, start: typed.length - length, length };
    }),
  ];
}
