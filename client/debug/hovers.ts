/** Chooses the expression that a hover evaluates while a run is paused: a variable in braces, or a whole condition. */
import * as vscode from "vscode";

const VARIABLE = /\{\{\s*[A-Za-z][\w-]*\s*\}\}/g;
const CONDITION = /(?<=\bwhen:\s{0,20}(["']?)).+?(?=\1\s{0,20}(?:[,}]|#|$))/g;

export function registerHovers(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.languages.registerEvaluatableExpressionProvider("assistant-flow", {
      provideEvaluatableExpression(document, position) {
        const { text } = document.lineAt(position.line);
        for (const pattern of [VARIABLE, CONDITION])
          for (const match of text.matchAll(pattern)) {
            const range = new vscode.Range(position.line, match.index, position.line, match.index + match[0].length);
            if (range.contains(position)) return new vscode.EvaluatableExpression(range, match[0]);
          }
        const word = document.getWordRangeAtPosition(position, /[A-Za-z][\w-]*/);
        return word && new vscode.EvaluatableExpression(word);
      },
    }),
  );
}
