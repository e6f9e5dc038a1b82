/** `check --watch` and `test --watch`: run again after a change, until interrupted. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { inProject, manifest } from "../../../scripts/project";
import { folderWith, program } from "./cli";

const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");
const tests = readFileSync(inProject("examples/billing.flowtest.yaml"), "utf8");

for (const command of ["check", "test"])
  test(`${command} --watch`, async () => {
    const folder = folderWith({ "billing.flow.yaml": flow, "billing.flowtest.yaml": tests });
    const args = [...program, command, "--watch", "--", "billing.flow.yaml"];
    const child = spawn(process.execPath, args, { cwd: folder.path });
    try {
      let output = "";
      let changed = () => {};
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (part) => {
          output += part;
          changed();
        });
      const printed = async (pattern: RegExp) => {
        while (!pattern.test(output)) {
          assert.equal(child.exitCode, null, output);
          await new Promise<void>((resolve) => {
            changed = resolve;
          });
        }
      };
      const { background } = manifest.contributes.problemMatchers.find(
        ({ name }: { name: string }) => name === `assistant-flow-${command}-watch`,
      );
      const ended = new RegExp(background.endsPattern, "m");
      await printed(ended);
      const first = output;
      output = "";
      writeFileSync(path.join(folder.path, "billing.flow.yaml"), flow.replace("to: look_up", "to: lok_up"));
      await printed(ended);
      assert.match(output, new RegExp(background.beginsPattern, "m"));
      assert.match(output, /lok_up/);
      assert.doesNotMatch(first, /lok_up/);
      child.kill("SIGINT");
      assert.deepEqual(await once(child, "close"), [1, null]);
    } finally {
      child.kill("SIGKILL");
      folder.remove();
    }
  });
