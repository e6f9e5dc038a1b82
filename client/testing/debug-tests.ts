/** Debugs tests for the Test Explorer one at a time; each stops where it fails. */
import * as vscode from "vscode";

export async function debugTests(
  controller: vscode.TestController,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
): Promise<void> {
  const run = controller.createTestRun(request);
  try {
    const chosen = request.include ?? [...controller.items].map(([, item]) => item);
    const tests = chosen.flatMap((item) => (item.parent ? [item] : [...item.children].map(([, test]) => test)));
    for (const test of tests) {
      if (token.isCancellationRequested || run.token.isCancellationRequested) break;
      if (!test.uri || request.exclude?.includes(test)) continue;
      run.started(test);
      const { code, why } = await debugOne(test.uri, test.label, run.token);
      if (code === 0) run.passed(test);
      else if (code === undefined) run.skipped(test);
      else run.failed(test, failure(why, test.uri, test.range));
    }
  } finally {
    run.end();
  }
}

function failure(why: string, uri: vscode.Uri, range: vscode.Range | undefined): vscode.TestMessage {
  const message = new vscode.TestMessage(why);
  if (range) message.location = new vscode.Location(uri, range);
  return message;
}

interface Debugged {
  /** The exit code; undefined if the session ended before the test did. */
  readonly code: number | undefined;
  /** The message at the last stop. */
  readonly why: string;
}

/** The part of the adapter's messages that is used here. */
interface AdapterMessage {
  readonly event?: string;
  readonly body?: { readonly exitCode?: number; readonly reason?: string; readonly text?: string };
}

async function debugOne(uri: vscode.Uri, test: string, token: vscode.CancellationToken): Promise<Debugged> {
  let code: number | undefined;
  let why = vscode.l10n.t("The test failed. The debug console shows the reason.");
  let ours: vscode.DebugSession | undefined;
  const subscriptions: vscode.Disposable[] = [];
  const ended = new Promise<void>((resolve) => {
    const isOurs = ({ configuration }: vscode.DebugSession) =>
      configuration.test === test && configuration.type === "assistant-flow";
    subscriptions.push(
      vscode.debug.registerDebugAdapterTrackerFactory("assistant-flow", {
        createDebugAdapterTracker: (session) => {
          if (!isOurs(session)) return undefined;
          ours = session;
          return {
            onDidSendMessage: ({ event, body }: AdapterMessage) => {
              if (event === "exited") code = body?.exitCode;
              if (event === "stopped" && body?.reason === "exception" && body.text) why = body.text;
            },
          };
        },
      }),
      vscode.debug.onDidTerminateDebugSession((session) => session === ours && resolve()),
      token.onCancellationRequested(() => {
        if (ours) void vscode.debug.stopDebugging(ours);
      }),
    );
  });
  try {
    await vscode.commands.executeCommand("assistantFlow.debugTest", uri.toString(), test);
    if (ours) await ended;
  } finally {
    for (const each of subscriptions) each.dispose();
  }
  return { code, why };
}
