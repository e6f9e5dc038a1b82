/** What a run asks of a person: a quick pick for a choice, a box for a value, both for the answer of a tool. */
import * as vscode from "vscode";
import type { RunPlace } from "../../debug/messages";

type Question = NonNullable<RunPlace["asks"]>;

/** The answer in the words of the console; undefined where the person closed the box to look around. */
export async function askPerson(question: Question): Promise<string | undefined> {
  if (question.kind === "choice") return choose(question);
  return question.kind === "value" ? askValue(question) : askCall(question);
}

async function choose({ title, choices }: Question): Promise<string | undefined> {
  const rows = choices.map(({ id, words, to, isDefault }) => ({
    label: isDefault ? vscode.l10n.t("otherwise: {0}", words) : words,
    description: `→ ${to}`,
    id,
  }));
  const chosen = await vscode.window.showQuickPick(rows, {
    title,
    placeHolder: vscode.l10n.t("Select the edge that is taken"),
    ignoreFocusOut: true,
  });
  return chosen && `take ${chosen.id}`;
}

const GIVES_UP = vscode.l10n.t("The caller gives up");

async function askValue({ title, variable, values }: Question): Promise<string | undefined> {
  if (values.length > 0) {
    const rows = [...values, GIVES_UP];
    const chosen = await vscode.window.showQuickPick(rows, {
      title,
      placeHolder: vscode.l10n.t("Select a value for {0}", variable ?? ""),
      ignoreFocusOut: true,
    });
    return chosen && `give ${variable} ${chosen === GIVES_UP ? "null" : JSON.stringify(chosen)}`;
  }
  const prompt = vscode.l10n.t("Value of {0}. Leave empty if the caller gives up.", variable ?? "");
  const typed = await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true });
  return typed === undefined ? undefined : `give ${variable} ${typed.trim() === "" ? "null" : typed}`;
}

async function askCall({ title, answer = "{}", events }: Question): Promise<string | undefined> {
  const returns = { label: vscode.l10n.t("Return…"), description: answer, event: undefined };
  const rows = [
    returns,
    ...events.map((event) => ({ label: vscode.l10n.t("Fail: {0}", event), description: "", event })),
  ];
  const chosen = await vscode.window.showQuickPick(rows, {
    title,
    placeHolder: vscode.l10n.t("Select how the call ends"),
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  if (chosen.event !== undefined) return chosen.event === "error" ? "fail error" : `event ${chosen.event}`;
  const typed = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("Answer as JSON or YAML"),
    value: answer,
    ignoreFocusOut: true,
  });
  return typed === undefined ? undefined : `return ${typed}`;
}
