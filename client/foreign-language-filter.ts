/**
 * Problems of a file are shown by whoever has its language. The server reads every flow file of the workspace, open or not; a
 * file that a person has open as something else, plain YAML for instance, is left to the extension of that language, so that
 * nothing is said twice.
 */
import * as vscode from "vscode";

/** Given to the language client in the place of its own way to make collections. */
export class ForeignLanguageFilter {
  readonly #collections = new Set<vscode.DiagnosticCollection>();

  constructor(subscriptions: vscode.Disposable[]) {
    const opened = (document: vscode.TextDocument) => {
      if (isForeign(document)) for (const each of this.#collections) each.delete(document.uri);
    };
    subscriptions.push(vscode.workspace.onDidOpenTextDocument(opened));
  }

  create(name: string | undefined): vscode.DiagnosticCollection {
    const collection = vscode.languages.createDiagnosticCollection(name);
    this.#collections.add(collection);
    const set = (uri: vscode.Uri, problems: readonly vscode.Diagnostic[]) => {
      const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
      if (open && isForeign(open)) collection.delete(uri);
      else collection.set(uri, problems);
    };
    return new Proxy(collection, {
      get(target, property) {
        if (property === "set") return set;
        const value = Reflect.get(target, property, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  dispose(collection: vscode.DiagnosticCollection): void {
    collection.dispose();
  }
}

/** Test and policy files have languages of their own, which are ours as well. */
const isForeign = (document: vscode.TextDocument) => !/^assistant-flow(-|$)/.test(document.languageId);
