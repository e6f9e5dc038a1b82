/** A file system for tests in a browser: a folder of the test, through its HTTP server (test/ui/web.ts). It can be read-only. */
const vscode = require("vscode");

exports.activate = ({ extensionUri, subscriptions }) => {
  const ask = async (uri, query = "", init = {}) => {
    const url = extensionUri.with({ path: `/files${uri.path}`, query });
    const answer = await fetch(url.toString(true), init);
    if (answer.status === 404) throw vscode.FileSystemError.FileNotFound(uri);
    return answer;
  };
  const changes = new vscode.EventEmitter();
  const change = async (type, uri, query, init) => {
    await ask(uri, query, init);
    changes.fire([{ type, uri }]);
  };
  const files = {
    onDidChangeFile: changes.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: async (uri) => (await ask(uri, "stat")).json(),
    readDirectory: async (uri) => (await ask(uri, "list")).json(),
    readFile: async (uri) => new Uint8Array(await (await ask(uri)).arrayBuffer()),
    writeFile: (uri, body) => change(vscode.FileChangeType.Changed, uri, "", { method: "PUT", body }),
    createDirectory: (uri) => change(vscode.FileChangeType.Created, uri, "folder", { method: "PUT" }),
    delete: (uri) => change(vscode.FileChangeType.Deleted, uri, "", { method: "DELETE" }),
    rename: async () => {
      throw vscode.FileSystemError.NoPermissions("Files aren't renamed here.");
    },
  };
  const register = (scheme, isReadonly) =>
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true, isReadonly });
  const countFixes = async () => {
    const { uri } = vscode.window.activeTextEditor.document;
    const [finding] = vscode.languages.getDiagnostics(uri);
    const fixes = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri, finding.range);
    vscode.window.showInformationMessage(`There are ${fixes.length} fixes.`);
  };
  subscriptions.push(
    register("web-files", false),
    register("web-read-only", true),
    vscode.commands.registerCommand("webFiles.countFixes", countFixes),
  );
};
