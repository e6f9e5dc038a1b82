/**
 * The file systems of tests in a browser: a folder of the test, through its HTTP server (test/support/web-workbench.ts).
 * It is a repository without a clone, as on github.dev, and has the ID of the extension that opens those. The files of
 * a revision are in the folder `@<revision>`.
 */
const vscode = require("vscode");

exports.activate = ({ extensionUri, subscriptions }) => {
  const revisionOf = ({ authority }) => {
    const [, hex] = authority.split("+");
    const json = hex && new TextDecoder().decode(Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16)));
    return json ? JSON.parse(json).ref.id : "HEAD";
  };
  const ask = async (uri, query = "", init = {}) => {
    const folder = uri.scheme === "github" ? `/files/@${revisionOf(uri)}` : "/files";
    const url = extensionUri.with({ path: `${folder}${uri.path}`, query });
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
    writeFile: async (uri, body) => {
      const isThere = await ask(uri, "stat").then(
        () => true,
        () => false,
      );
      const { Changed, Created } = vscode.FileChangeType;
      await change(isThere ? Changed : Created, uri, "", { method: "PUT", body });
    },
    createDirectory: (uri) => change(vscode.FileChangeType.Created, uri, "folder", { method: "PUT" }),
    delete: (uri) => change(vscode.FileChangeType.Deleted, uri, "", { method: "DELETE" }),
    /** Within a folder. */
    rename: async (from, to) => {
      await ask(to, `from=${encodeURIComponent(from.path.split("/").at(-1))}`, { method: "PUT" });
      changes.fire([
        { type: vscode.FileChangeType.Deleted, uri: from },
        { type: vscode.FileChangeType.Created, uri: to },
      ]);
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
    register("vscode-vfs", false),
    register("github", true),
    register("web-read-only", true),
    vscode.commands.registerCommand("webFiles.countFixes", countFixes),
  );
  return { getProviderUri: (uri) => uri.with({ scheme: "github" }) };
};
