/** The packaged extension in a VS Code that runs in a browser alone. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { inProject, temporaryFolder } from "../../scripts/project";
import { ensureBrowser } from "../../scripts/vscode/install";
import { drawNothing } from "../support/calm";
import { startWorkbench, WORKSPACE, WORKSPACE_URI } from "../support/web-workbench";
import { Code, extensionsFolder, launchBrowser, PATIENCE_MS } from "./harness";

interface WebOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly open: string;
  /** The files of other revisions, by revision. */
  readonly revisions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The files are read-only. */
  readonly isReadOnly?: boolean;
}

export async function openInBrowser({ files, open, revisions = {}, isReadOnly = false }: WebOptions): Promise<Code> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closing) await each();
  };
  try {
    const workspace = await temporaryFolder();
    closing.unshift(workspace.remove);
    const folder = path.join(workspace.path, WORKSPACE);
    const write = async (to: string, all: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(all)) {
        await mkdir(path.dirname(path.join(to, name)), { recursive: true });
        await writeFile(path.join(to, name), text);
      }
    };
    await write(folder, files);
    for (const [name, all] of Object.entries(revisions))
      await write(path.join(workspace.path, `@${name}`, WORKSPACE), all);
    const extensions = await extensionsFolder();
    const ours = (await readdir(extensions)).find((name) => name.startsWith("assistant-flow.")) ?? "";
    const workbench = await startWorkbench({
      roots: {
        extension: path.join(extensions, ours),
        repository: inProject("test/support/web-repository"),
        files: workspace.path,
      },
      extensions: ["extension", "repository"],
    });
    closing.unshift(workbench.stop);
    const browser = await launchBrowser(await ensureBrowser());
    closing.unshift(() => browser.close());
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    context.setDefaultTimeout(PATIENCE_MS);
    await drawNothing(context);
    const page = await context.newPage();
    const code = new Code(page, context, workbench.server, folder, undefined, close);
    const folderUri = isReadOnly ? `web-read-only:/${WORKSPACE}` : WORKSPACE_URI;
    await page.goto(workbench.address(folderUri, [["openFile", `${folderUri}/${open}`]]));
    await code.started();
    await code.editor(open).waitFor();
    return code;
  } catch (error) {
    await close();
    throw error;
  }
}
