/** Runs tests on the language server, including unsaved changes. */
import * as vscode from "vscode";
import { ask } from "../../server/messages";
import {
  ListTestsRequest,
  type NewTests,
  NewTestsRequest,
  type NoNewTests,
  type RunTestsParams,
  RunTestsRequest,
  type TestFileView,
  type TestRunView,
  type UnsavedText,
  type WantedTests,
} from "../../server/test-messages";
import { isFileUri } from "../../system";
import type { Server } from "../server";

/** Whether a document is a flow or test file, which runs depend on. */
export function affectsRuns(document: vscode.TextDocument): boolean {
  const { languageId, uri } = document;
  return isFileUri(uri.toString()) && (languageId === "assistant-flow" || languageId === "assistant-flow-test");
}

export class TestServer {
  constructor(private readonly server: Server) {}

  list(files: readonly vscode.Uri[]): Promise<readonly TestFileView[]> {
    return ask(this.server, ListTestsRequest, { files: files.map(String), unsaved: unsavedTexts() });
  }

  /** Rejects if the run is cancelled. */
  run(files: RunTestsParams["files"], token: vscode.CancellationToken): Promise<TestRunView> {
    return ask(this.server, RunTestsRequest, { files, unsaved: unsavedTexts() }, token);
  }

  create(flow: vscode.Uri, what: WantedTests): Promise<NewTests | NoNewTests> {
    return ask(this.server, NewTestsRequest, { flow: flow.toString(), what, unsaved: unsavedTexts() });
  }
}

export function unsavedTexts(): UnsavedText[] {
  return vscode.workspace.textDocuments
    .filter((document) => document.isDirty && affectsRuns(document))
    .map((document) => ({ uri: document.uri.toString(), text: document.getText() }));
}
