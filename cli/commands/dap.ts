/** `assistant-flow dap`: the debug adapter for editors, on standard input and output. */
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import { type DebugHost, FlowDebugSession } from "../../debug";
import { FileScope } from "../../files";
import { snapshotText } from "../../flow/tools";
import { ToolSnapshots } from "../check/tool-snapshots";
import { EXIT, type Input } from "../command";

export async function run({ terminal }: Input): Promise<number> {
  return new Promise((done) => {
    const session = new FlowDebugSession(hostIn(terminal.cwd), () => {
      // An open stdin would keep the process alive.
      process.stdin.destroy();
      done(EXIT.fine);
    });
    // The editor has exited.
    process.stdin.once("close", () => {
      session.dispose();
      done(EXIT.fine);
    });
    session.start(process.stdin, process.stdout);
  });
}

function hostIn(cwd: string): DebugHost {
  return {
    cwd,
    toolsFor: async (flow) => {
      const definitions = await new ToolSnapshots(new FileScope([cwd], cwd)).definitionsFor(flow);
      return definitions && snapshotText(definitions);
    },
    textOf: (file) => new FileScope([cwd], cwd).read(file).catch(() => undefined),
    watch(files, changed) {
      const watchers = [...new Set(files.map((file) => path.dirname(file)))].flatMap((folder): FSWatcher[] => {
        const names = new Map(
          files.filter((file) => path.dirname(file) === folder).map((file) => [path.basename(file), file]),
        );
        try {
          const watcher = watch(folder, (_event, name) => {
            const file = names.get(String(name));
            if (file !== undefined) changed(file);
          });
          return [watcher.on("error", () => watcher.close())];
        } catch {
          return []; // File watching isn't supported here: the run keeps the text it started with.
        }
      });
      return {
        dispose: () => {
          for (const watcher of watchers) watcher.close();
        },
      };
    },
  };
}
