/** Tasks that run the command line of this extension: `check` and `test`, once or with `--watch`. */
import * as vscode from "vscode";

const TYPE = "assistant-flow";

interface FlowTask extends vscode.TaskDefinition {
  readonly command: "check" | "test";
  readonly watch?: boolean;
  /** Files, folders or patterns; the whole folder by default. */
  readonly paths?: readonly string[];
}

const offered: readonly FlowTask[] = [
  { type: TYPE, command: "check" },
  { type: TYPE, command: "check", watch: true },
  { type: TYPE, command: "test" },
  { type: TYPE, command: "test", watch: true },
];

export function registerTasks(context: vscode.ExtensionContext): void {
  const program = context.asAbsolutePath("dist/cli.js");
  const provider: vscode.TaskProvider = {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
        offered.map((definition) => taskFor(definition, folder, program)),
      ),
    resolveTask: ({ definition, scope }) => {
      const { command } = definition as FlowTask;
      return command === "check" || command === "test"
        ? taskFor(definition as FlowTask, scope ?? vscode.TaskScope.Workspace, program)
        : undefined;
    },
  };
  context.subscriptions.push(vscode.tasks.registerTaskProvider(TYPE, provider));
}

function taskFor(definition: FlowTask, scope: vscode.WorkspaceFolder | vscode.TaskScope, program: string): vscode.Task {
  const { command, watch: isWatching = false, paths = [] } = definition;
  const args = [program, command, ...(isWatching ? ["--watch"] : []), ...(paths.length > 0 ? ["--", ...paths] : [])];
  // In desktop VS Code the extension host is Electron; ELECTRON_RUN_AS_NODE makes it behave like Node.
  const execution = new vscode.ProcessExecution(process.execPath, args, { env: { ELECTRON_RUN_AS_NODE: "1" } });
  const name = isWatching ? `${command} --watch` : command;
  const matcher = `$assistant-flow-${command}${isWatching ? "-watch" : ""}`;
  const task = new vscode.Task(definition, scope, name, TYPE, execution, matcher);
  task.group = command === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  task.isBackground = isWatching;
  return task;
}
