/**
 * Hides diagnostics for flow files that are open in another language, such as plain YAML. The server checks every flow
 * file in the workspace, but that language's extension may report the same problems.
 */
import * as vscode from "vscode";

/** Passed to the language client, which creates its diagnostic collections with it. */
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

/** Test, policy and project files have their own languages, which also belong to this extension. */
const isForeign = (document: vscode.TextDocument) => !/^assistant-flow(-|$)/.test(document.languageId);
