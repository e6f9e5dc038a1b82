/**
 * Shared by the tests of both editors: a flow with mistakes, a platform to save to, and checks of the editor's report.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { startSandbox } from "../../sandbox";
import { build } from "../../scripts/build";
import { packNpmPackage } from "../../scripts/npm-package";
import { capture, inProject } from "../../scripts/project";
import { canonical } from "../support/findings";
import { cli } from "../unit/cli/cli";

/** The report of an editor's script. */
export interface Seen {
  readonly failure?: string;
  readonly asked?: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly completion: readonly string[];
  readonly hover: string;
  readonly definition: string;
  readonly renamed: string;
  readonly action: string;
  readonly fixed: string;
  readonly saved: readonly Diagnostic[];
}

export interface Visit {
  readonly seen: Seen;
  readonly text: string;
  readonly file: string;
  /** The file on disk at the end. */
  readonly left: string;
  end(): Promise<void>;
}

/**
 * Opens a flow in an editor, with the npm package installed from its tarball and a sandbox as the platform. `editors` is
 * the package's folder with the files for editors.
 */
export async function visit(command: string, args: (file: string, editors: string) => string[]): Promise<Visit> {
  await build({ quiet: true });
  const sandbox = await startSandbox({ demo: true });
  const folder = mkdtempSync(path.join(tmpdir(), "aflow-editor-"));
  const end = async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const file = path.join(folder, "support-line.flow.yaml");
    // Letters outside ASCII and the basic plane, which reveal columns in a wrong unit.
    const text = readFileSync(inProject("test/support/flawed.flow.yaml"), "utf8").replace(
      "on account {{acount_id}}",
      "– señor 😀 – on account {{acount_id}}",
    );
    writeFileSync(file, text);
    const output = path.join(folder, "seen.json");
    const installed = await installPackage(folder);
    const child = spawn(command, args(file, path.join(installed, "lib/node_modules/assistant-flow/editors")), {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${path.join(installed, "bin")}${path.delimiter}${process.env.PATH}`,
        HOME: folder,
        XDG_STATE_HOME: path.join(folder, "state"),
        TERM: "dumb",
        LANG: "C.UTF-8",
        FLOW: file,
        OUTPUT: output,
        ASSISTANT_FLOW_BASE_URL: sandbox.baseUrl,
        ASSISTANT_FLOW_WORKFLOW_BASE_URL: sandbox.workflowBaseUrl,
        ASSISTANT_FLOW_API_KEY: sandbox.apiKey,
        ASSISTANT_FLOW_STATE_DIR: path.join(folder, "flow-state"),
      },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (said += part));
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (!existsSync(output)) assert.fail(`${command} ended with ${code} and wrote nothing:\n${said.slice(-4000)}`);
    const seen = JSON.parse(readFileSync(output, "utf8")) as Seen;
    assert.equal(seen.failure, undefined, said.slice(-4000));
    return { seen, text, file, left: readFileSync(file, "utf8"), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function installPackage(folder: string): Promise<string> {
  const tarball = await packNpmPackage(path.join(folder, "release"));
  const prefix = path.join(folder, "installed");
  const args = ["install", "--global", "--offline", "--prefix", prefix, "--cache", path.join(folder, "cache"), tarball];
  const { code, output } = await capture("npm", args);
  assert.equal(code, 0, output);
  return prefix;
}

/** The features that every editor must have. */
export async function checkVisit({ seen, text, file, left }: Visit, showsRelated: boolean): Promise<void> {
  const { out } = await cli(["check", "-", "--format", "json"], { input: text });
  const uri = pathToFileURL(file).href;
  // The server doesn't send related locations to an editor that can't show them.
  const findings = (JSON.parse(out).files[0].findings as { related?: unknown }[]).map(({ related, ...finding }) =>
    showsRelated && related ? { ...finding, related } : finding,
  );
  assert.equal(
    JSON.stringify(seen.diagnostics.map((each) => canonical(each, uri, path.dirname(file)))),
    JSON.stringify(findings),
    "the findings of the editor are those of the command line, byte for byte",
  );
  assert.ok(seen.completion.includes("ask_account"), `completion: ${seen.completion}`);
  assert.match(seen.hover, /greet/);
  assert.match(seen.definition, /^ {2}greet:/);
  assert.match(seen.renamed, /^entry: welcome/m);
  assert.match(seen.renamed, /^ {2}welcome:/m);
  assert.match(seen.action, /account_id/);
  assert.equal(seen.fixed.trimEnd(), seen.renamed.replace("acount_id", "account_id").trimEnd());
  assert.match(seen.asked ?? "", /First push to/);
  assert.equal(left.trimEnd(), seen.fixed.trimEnd(), "saved");
  const theirs = seen.saved.filter(({ source }) => source === "platform");
  const lines = left.split("\n");
  assert.deepEqual(
    theirs.map(({ code, range }) => `${code} ${lines[range.start.line]?.trim()}`),
    // The platform knows the lines of the node, but not those of an edge that was added to it.
    ["edge.duplicate confirm_move:"],
    "the platform's finding is on the node's line",
  );
}
