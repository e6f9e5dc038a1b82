/** Documents: their links work, their commands exist and run, and every dependency has a reason. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { capture, codeFolders, filesBelow, inProject, manifest } from "../../scripts/project";

const top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
/** Other tests use the bundles, so they must not be rebuilt now. */
const builtAlready = { ...process.env, ASSISTANT_FLOW_BUILT: "1" };
const read = (file: string) => readFileSync(inProject(file), "utf8");

test("links between documents, and to pictures, lead to files that exist, and every picture is shown", () => {
  const targets = new Set<string>();
  for (const file of [...top, ...filesBelow("docs", ".md")]) {
    for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)) {
      assert.ok(existsSync(inProject(path.dirname(file), target)), `${file} links to ${target}`);
      targets.add(inProject(path.dirname(file), target));
    }
  }
  const unused = filesBelow("docs/images", ".png").filter((picture) => !targets.has(inProject(picture)));
  assert.deepEqual(unused, []);
});

test("documents pin actions by commit, and name no package that isn't ours", () => {
  const pinned = /^[\w-]+\/[\w./-]+@(?:[0-9a-f]{40}|<commit of v\d+(?:\.\d+)*>)$/;
  let actions = 0;
  for (const file of [...top, ...filesBelow("docs", ".md")]) {
    const text = read(file);
    for (const [, action = ""] of text.matchAll(/^\s*(?:- )?uses: *(.*?)(?: +#.*)?$/gm)) {
      actions++;
      assert.match(action, pinned, file);
    }
    // Until the package is published, anyone could publish one with this name.
    const install = new RegExp(`\\b(?:np[mx]|yarn|pnpm)\\b[^\\n\`]*[^\\S\\n]${manifest.name}(?![\\w./-])`);
    const paragraphs = text.split("\n\n").filter((paragraph) => !paragraph.includes("Once it is published"));
    if (manifest.private) for (const paragraph of paragraphs) assert.doesNotMatch(paragraph, install, file);
  }
  assert.ok(actions >= 7, "the workflows are read");
});

/** The lines of README's shell blocks. */
/** The commands that install a release are run in release.test.ts. */
const commands = [
  ...read("README.md")
    .replace(/^## Install\n[\s\S]*?(?=^## )/m, "")
    .matchAll(/```sh\n([\s\S]*?)```/g),
]
  .flatMap(([, block = ""]) => block.split("\n"))
  .map((line) => line.replace(/\s+#.*$/, "").trim())
  .filter(Boolean);

test("README has commands, and every npm script it names exists", () => {
  assert.ok(commands.includes("npm start") && commands.includes("npm test"), commands.join("; "));
  for (const command of commands.filter((each) => each.startsWith("npm "))) {
    const [, first = "", second = ""] = command.split(/\s+/);
    assert.ok(manifest.scripts[first === "run" ? second : first], command);
  }
});

test("VS Code commands named in the documents exist", () => {
  const titles = manifest.contributes.commands.map(({ title }: { title: string }) => `Assistant Flow: ${title}`);
  for (const file of ["README.md", ...filesBelow("docs", ".md"), "scripts/start.ts"])
    for (const [, title = ""] of read(file).matchAll(/`(Assistant Flow: [^`]+)`/g))
      assert.ok(titles.includes(title), `${file} names ${title}`);
});

/** Run elsewhere: test/ui/start.test.ts, the current run, its parts, vsix.test.ts, watch.test.ts. */
const runElsewhere = /^npm (start|test|run (test:(host|ui|editors)|package|watch))\b/;
/** Run here for one file, because they are part of the current run. */
const testRun = /^npm run test:(quick|unit)$/;

for (const command of commands.filter((each) => testRun.test(each))) {
  test(`README: ${command}`, async () => {
    const args = [...command.split(" ").slice(1), "--silent", "--", "unit", "cli/progress"];
    const { code, output } = await capture("npm", args, { shell: process.platform === "win32", env: builtAlready });
    assert.equal(code, 0, output);
    assert.match(output, /^[1-9]\d* passed, 0 failed\n$/m);
  });
}

for (const command of commands.filter((each) => !runElsewhere.test(each) && !testRun.test(each))) {
  test(`README: ${command}`, async () => {
    const [program, ...args] = command.split(/\s+/);
    assert.equal(program, "node", "README uses commands that work on every system");
    const { code, output } = await capture(process.execPath, args);
    assert.equal(code, 0, output);
  });
}

test("CONTRIBUTING has a reason for each dependency", () => {
  const text = read("CONTRIBUTING.md");
  const missing = Object.keys(manifest.devDependencies).filter((name) => !text.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test("ARCHITECTURE describes every folder of the code", () => {
  const text = read("ARCHITECTURE.md");
  const folders = [...codeFolders, "scripts", "test"];
  for (const folder of folders) assert.ok(text.includes(`\`${folder}/\``), folder);
});

test("ARCHITECTURE names files that exist, and in parentheses what they contain", () => {
  const wrong = [
    ...read("ARCHITECTURE.md").matchAll(/`([\w/-]+\/[\w.-]+\.ts)`(?: \(((?:`#?\w+`(?:, )?)+)\))?/g),
  ].flatMap(([, file = "", names = ""]) => {
    if (!existsSync(inProject(file))) return [file];
    const text = read(file);
    return names
      .split(/[`, ]+/)
      .filter((name) => name && !new RegExp(`${name}\\b`).test(text))
      .map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(wrong, []);
});
