/** Reading and writing files that others have changed or replaced. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import {
  createPrivate,
  createWhole,
  FileRefused,
  isPrivateFolder,
  privateFolder,
  readPrivate,
  readText,
  replaceText,
  writeWhole,
} from "../../../files";
import { temporaryFolder } from "../../../scripts/project";

const posix = { skip: process.platform === "win32" ? "needs links, modes and named pipes" : false };
const modeOf = (file: string) => lstatSync(file).mode & 0o777;

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const { path: folder, remove } = await temporaryFolder();
  await body(folder).finally(remove);
}

test("a write replaces the whole file, keeps its mode and leaves no other files", posix, () =>
  inFolder(async (folder) => {
    const file = path.join(folder, "a.flow.yaml");
    for (const mode of [0o600, 0o640, 0o664, 0o755]) {
      writeFileSync(file, "old");
      chmodSync(file, mode);
      await writeWhole(file, "new");
      assert.equal(readFileSync(file, "utf8"), "new");
      assert.equal(modeOf(file), mode);
    }
    assert.deepEqual(readdirSync(folder), ["a.flow.yaml"]);
  }),
);

test("a text replaces only the version that was read", posix, () =>
  inFolder(async (folder) => {
    const file = path.join(folder, "a.flow.yaml");
    const refused = (before: string | undefined) =>
      assert.rejects(replaceText(file, before, "new"), /a\.flow\.yaml: the file changed in the meantime and was left/);
    await refused("old");
    await replaceText(file, undefined, "old");
    chmodSync(file, 0o640);
    await refused(undefined);
    await refused("older");
    await refused("");
    assert.equal(readFileSync(file, "utf8"), "old");
    await replaceText(file, "old", "new");
    assert.equal(readFileSync(file, "utf8"), "new");
    assert.equal(modeOf(file), 0o640);
    symlinkSync("a.flow.yaml", path.join(folder, "link.flow.yaml"));
    await assert.rejects(replaceText(path.join(folder, "link.flow.yaml"), "new", "x"), /a link, not a file/);
    assert.deepEqual(readdirSync(folder).sort(), ["a.flow.yaml", "link.flow.yaml"], "nothing is left beside it");
  }),
);

test("a private write has mode 0600 under any umask, even if the file was readable by others", posix, () =>
  inFolder(async (folder) => {
    const umask = process.umask(0);
    try {
      const [made, open] = [path.join(folder, "made"), path.join(folder, "open")];
      writeFileSync(open, "", { mode: 0o666 });
      for (const file of [made, open]) {
        await writeWhole(file, "x", { private: true });
        assert.equal(modeOf(file), 0o600);
      }
      await createPrivate(path.join(folder, "next"), "x");
      assert.equal(modeOf(path.join(folder, "next")), 0o600);
      await privateFolder(path.join(folder, "a/b"));
      assert.equal(modeOf(path.join(folder, "a")), 0o700);
      assert.equal(modeOf(path.join(folder, "a/b")), 0o700);
    } finally {
      process.umask(umask);
    }
  }),
);

test("no write follows a link, to a file, to a folder or to nothing", posix, () =>
  inFolder(async (folder) => {
    const victim = path.join(folder, "profile");
    mkdirSync(path.join(folder, "below"));
    for (const target of [victim, path.join(folder, "nothing"), path.join(folder, "below")]) {
      writeFileSync(victim, "mine");
      const file = path.join(folder, `${path.basename(target)}.flow.yaml`);
      symlinkSync(target, file);
      await assert.rejects(writeWhole(file, "theirs"), FileRefused);
      assert.equal(await createWhole(file, "theirs"), false);
      assert.ok(lstatSync(file).isSymbolicLink());
      await createPrivate(file, "theirs");
      assert.ok(lstatSync(file).isFile(), "a link left under a private name is removed");
    }
    assert.equal(readFileSync(victim, "utf8"), "mine");
    assert.ok(!existsSync(path.join(folder, "nothing")));
  }),
);

test("a hard link keeps the old content", posix, () =>
  inFolder(async (folder) => {
    const [file, victim] = [path.join(folder, "a.flow.yaml"), path.join(folder, "profile")];
    writeFileSync(victim, "mine");
    linkSync(victim, file);
    await writeWhole(file, "theirs");
    assert.equal(readFileSync(victim, "utf8"), "mine");
  }),
);

test("special files are rejected at once, for reading and writing", posix, () =>
  inFolder(async (folder) => {
    const [pipe, below, device] = ["pipe", "below", "device"].map((name) => path.join(folder, `${name}.flow.yaml`));
    execFileSync("mkfifo", [pipe as string]);
    mkdirSync(below as string);
    symlinkSync("/dev/zero", device as string);
    for (const file of [pipe, below, device] as string[]) {
      await assert.rejects(readText(file), FileRefused, file);
      await assert.rejects(writeWhole(file, "x"), FileRefused, file);
      assert.equal(await createWhole(file, "x"), false);
    }
  }),
);

test("a failed write leaves the file unchanged and removes its temporary file", posix, () =>
  inFolder(async (folder) => {
    const file = path.join(folder, "a.flow.yaml");
    writeFileSync(file, "old");
    await assert.rejects(writeWhole(file, { length: 1 } as never));
    await assert.rejects(writeWhole(path.join(folder, "missing/a.flow.yaml"), "x"), /missing\/a\.flow\.yaml|ENOENT/);
    assert.equal(readFileSync(file, "utf8"), "old");
    assert.deepEqual(readdirSync(folder), ["a.flow.yaml"]);
  }),
);

test("a file is read completely, up to its size limit", () =>
  inFolder(async (folder) => {
    const file = path.join(folder, "a.flow.yaml");
    for (const text of ["", "a", "é".repeat(100_000)]) {
      writeFileSync(file, text);
      assert.equal(await readText(file), text);
    }
    await assert.rejects(readText(file, 1000), FileRefused);
    await assert.rejects(readText(path.join(folder, "none")), { code: "ENOENT" });
    assert.equal(await readPrivate(path.join(folder, "none")), undefined);
    if (existsSync("/proc/self/status")) assert.match(await readText("/proc/self/status"), /Name:/);
  }));

test("an existing file isn't created again", () =>
  inFolder(async (folder) => {
    const file = path.join(folder, "lock");
    assert.equal(await createWhole(file, "first"), true);
    assert.equal(await createWhole(file, "second"), false);
    assert.equal(readFileSync(file, "utf8"), "first");
    assert.deepEqual(readdirSync(folder), ["lock"]);
  }));

test("a private folder belongs to this user only", posix, () =>
  inFolder(async (folder) => {
    const [own, open, link] = ["own", "open", "link"].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    assert.equal(await isPrivateFolder(own), false);
    await privateFolder(own);
    await privateFolder(own);
    assert.equal(await isPrivateFolder(own), true);
    for (const mode of [0o777, 0o770, 0o720, 0o1777]) {
      mkdirSync(open, { recursive: true });
      chmodSync(open, mode);
      await assert.rejects(privateFolder(open), /can write to this folder/);
      await assert.rejects(isPrivateFolder(open), FileRefused);
    }
    symlinkSync(open, link);
    await assert.rejects(privateFolder(link), FileRefused);
    if (statSync("/").uid !== process.geteuid?.()) await assert.rejects(privateFolder("/usr"), /another user/);
    writeFileSync(path.join(folder, "file"), "");
    await assert.rejects(privateFolder(path.join(folder, "file")), /not a folder/);
  }),
);
