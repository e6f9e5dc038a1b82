/** Debugs tests for the Test Explorer, one after the other: each stops where it fails. */
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
      const code = await debugOne(test.uri, test.label, run.token);
      if (code === 0) run.passed(test);
      else if (code === undefined) run.skipped(test);
      else run.failed(test, new vscode.TestMessage("The test failed. The debug console says why."));
    }
  } finally {
    run.end();
  }
}

/** The exit code of the session; undefined where it was ended before the test was. */
async function debugOne(uri: vscode.Uri, test: string, token: vscode.CancellationToken): Promise<number | undefined> {
  let code: number | undefined;
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
            onDidSendMessage: (message: { event?: string; body?: { exitCode?: number } }) => {
              if (message.event === "exited") code = message.body?.exitCode;
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
  return code;
}
