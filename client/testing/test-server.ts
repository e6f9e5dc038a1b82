/** Runs tests on the language server, with unsaved texts. */
import * as vscode from "vscode";
import {
  ListTestsRequest,
  type NewTests,
  type NewTestsParams,
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

  async list(files: readonly vscode.Uri[]): Promise<readonly TestFileView[]> {
    const params = { files: files.map(String), unsaved: unsavedTexts() };
    return (await this.server.sendRequest(ListTestsRequest.method, params)) as readonly TestFileView[];
  }

  /** Rejects if the run is cancelled. */
  async run(files: RunTestsParams["files"], token: vscode.CancellationToken): Promise<TestRunView> {
    const params: RunTestsParams = { files, unsaved: unsavedTexts() };
    return (await this.server.sendRequest(RunTestsRequest.method, params, token)) as TestRunView;
  }

  async create(flow: vscode.Uri, what: WantedTests): Promise<NewTests | NoNewTests> {
    const params: NewTestsParams = { flow: flow.toString(), what, unsaved: unsavedTexts() };
    return (await this.server.sendRequest(NewTestsRequest.method, params)) as NewTests | NoNewTests;
  }
}

export function unsavedTexts(): UnsavedText[] {
  return vscode.workspace.textDocuments
    .filter((document) => document.isDirty && affectsRuns(document))
    .map((document) => ({ uri: document.uri.toString(), text: document.getText() }));
}

export function rangeOf({ start, end }: { start: Place; end: Place }): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

interface Place {
  readonly line: number;
  readonly character: number;
}
