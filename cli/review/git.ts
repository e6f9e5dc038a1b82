/**
 * What Git knows of flows: revisions, what changed between them, and files as they were. A repository's configuration comes
 * with it where it was unpacked from an archive, and may name programs for Git to run; none of them is run, and nothing is fetched.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { isBelow, MAX_TEXT_SIZE } from "../../files";
import { isFlowFile } from "../../flow";
import { EXIT, Stop } from "../command";

/** A file that differs; a side it isn't on has no path. Paths are relative to the top of the repository. */
export interface ChangedFile {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export class Repository {
  private constructor(
    readonly top: string,
    private readonly cwd: string,
  ) {}

  /** `notHere` is what was named and isn't a file here: without a repository it can't be a revision either. */
  static async at(cwd: string, notHere?: string): Promise<Repository> {
    const { code, out, missing } = await git(cwd, ["rev-parse", "--show-toplevel"]);
    if (missing) throw new Stop("Git isn't installed, or isn't in the path.");
    if (code !== 0 && notHere !== undefined)
      throw new Stop(
        `There is no file “${notHere}” here, and no such revision: this folder isn't in a Git repository.`,
      );
    if (code !== 0) throw new Stop("This folder isn't in a Git repository.");
    const top = out.toString("utf8").trimEnd();
    // A repository's own configuration may say that its files are somewhere else (core.worktree).
    if (!isBelow(await realpath(cwd), [await realpath(top)]) || !existsSync(path.join(top, ".git")))
      throw new Stop(
        `Git takes the files of this repository from ${top}, which isn't around this folder, so it isn't used.`,
      );
    return new Repository(top, cwd);
  }

  /** Sets a value of this repository's own configuration. */
  async configure(key: string, value: string): Promise<void> {
    const { code, err } = await git(this.cwd, ["config", "--local", key, value]);
    if (code !== 0) throw new Stop(`Git couldn't be configured: ${err.split("\n")[0]}`);
  }

  /** The commit a revision names. `a...b` is for whoever asks: the commit both started from. */
  async commit(revision: string): Promise<string> {
    const found = await this.tryCommit(revision);
    if (found !== undefined) return found;
    if (revision === "HEAD") throw new Stop("This repository has no commit yet, so there is nothing to compare with.");
    const shallow = (await git(this.cwd, ["rev-parse", "--is-shallow-repository"])).out.toString().trim() === "true";
    const why = shallow
      ? "This clone is shallow: run “git fetch --unshallow”, or check out with the whole history (fetch-depth: 0)."
      : "Run “git fetch” if it is on a remote, and look at “git branch --all”.";
    throw new Stop(`There is no revision “${revision}” here. ${why}`);
  }

  async tryCommit(revision: string): Promise<string | undefined> {
    if (revision === "" || revision.startsWith("-") || /[\0\n]/.test(revision)) return undefined;
    const { code, out } = await git(this.cwd, ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
    return code === 0 ? out.toString().trim() : undefined;
  }

  async mergeBase(a: string, b: string): Promise<string> {
    const { code, out } = await git(this.cwd, ["merge-base", await this.commit(a), await this.commit(b)]);
    if (code !== 0)
      throw new Stop(`“${a}” and “${b}” have no common history here. In a shallow clone, run “git fetch --unshallow”.`);
    return out.toString().trim();
  }

  /** The flows that differ between a commit and another one, or the working tree. */
  async changed(base: string, head: string | undefined, paths: readonly string[]): Promise<ChangedFile[]> {
    const named = paths.length > 0 ? paths : [":/*.flow.yaml", ":/*.flow.yml"];
    // Of a repository inside this one Git would ask whether it changed, and that one has a configuration of its own.
    const flags = [
      "--name-status",
      "-z",
      "-M",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--ignore-submodules=all",
    ];
    const args = ["diff", ...flags, base, ...(head ? [head] : []), "--", ...named];
    const { code, out, err } = await git(this.cwd, args, await withoutFilters(this.cwd));
    if (code !== 0) throw new Stop(`Git couldn't compare: ${err.split("\n")[0]}`);
    const fields = out.toString("utf8").split("\0");
    const changed: ChangedFile[] = [];
    for (let at = 0; at + 1 < fields.length; ) {
      const status = fields[at++] as string;
      const first = fields[at++] as string;
      if (/^[RC]/.test(status)) changed.push({ before: first, after: fields[at++] as string });
      else changed.push({ before: status === "A" ? undefined : first, after: status === "D" ? undefined : first });
    }
    if (!head) {
      const untracked = ["ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ...named];
      for (const file of (await git(this.cwd, untracked)).out.toString("utf8").split("\0"))
        if (file !== "") changed.push({ before: undefined, after: file });
    }
    // Of a flow that got another name, or that had one, only the flow is read.
    const flowOr = (file: string | undefined) => (file !== undefined && isFlowFile(file) ? file : undefined);
    return changed
      .map(({ before, after }) => ({ before: flowOr(before), after: flowOr(after) }))
      .filter(({ before, after }) => before !== undefined || after !== undefined)
      .sort((a, b) => ((a.after ?? a.before ?? "") < (b.after ?? b.before ?? "") ? -1 : 1));
  }

  /** The bytes of a file in a commit; undefined where it has none. */
  async read(commit: string, file: string): Promise<string | undefined> {
    const { code, out } = await git(this.top, ["cat-file", "blob", `${commit}:${file}`]);
    if (code === 0) return out.toString("utf8");
    const { out: listed } = await git(this.top, ["ls-tree", "-z", commit, "--", file]);
    if (/^\d+ blob /.test(listed.toString()))
      throw new Stop(
        `This partial clone doesn't have “${file}” as it was. Run “git show ${commit.slice(0, 12)}:${file}” to fetch it.`,
      );
    return undefined;
  }

  /** Whether a commit has a file or a folder; the name is as it was typed, from the working folder on. */
  async has(commit: string, name: string): Promise<boolean> {
    const { code, out } = await git(this.cwd, ["ls-tree", "-z", commit, "--", name.replace(/\/+$/, "")]);
    return code === 0 && out.length > 0;
  }

  async list(commit: string): Promise<string[]> {
    const { out } = await git(this.top, ["ls-tree", "-r", "-z", "--name-only", commit]);
    return out.toString("utf8").split("\0").filter(Boolean);
  }
}

interface Ran {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
  readonly missing: boolean;
}

type Variables = Readonly<Record<string, string>>;

/**
 * Filters change the bytes of a file on their way to Git, which runs them to see whether a file differs. Their names are
 * anybody's, so each one there is gets switched off by its name; a file is compared by its bytes, as we read it.
 */
async function withoutFilters(cwd: string): Promise<Variables> {
  const { out } = await git(cwd, ["config", "-z", "--name-only", "--get-regexp", "^filter\\."]);
  const names = new Set(
    out
      .toString("utf8")
      .split("\0")
      .flatMap((key) => (key === "" ? [] : [key.slice(0, key.lastIndexOf("."))])),
  );
  const off = [...names].flatMap((name) => [
    [`${name}.clean`, ""] as const,
    [`${name}.process`, ""] as const,
    [`${name}.required`, "false"] as const,
  ]);
  // After those that the person's own environment sets. A variable, because a name may hold what a switch can't.
  const first = Number(process.env.GIT_CONFIG_COUNT ?? 0);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(first + off.length)],
    ...off.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${first + index}`, key],
      [`GIT_CONFIG_VALUE_${first + index}`, value],
    ]),
  ]);
}

/** Fetching what a partial clone lacks would run what its remote names: how to get there, and who knows the password. */
const NO_FETCH: Variables = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };

/** Git waits forever for a named pipe that is in the place of one of its files. */
const GIT_MS = 60_000;

function git(cwd: string, args: readonly string[], more: Variables = {}): Promise<Ran> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"];
  const quiet = [...safe, "-c", "core.quotePath=false", "--no-pager", "--literal-pathspecs"];
  const own = args.some((arg) => arg.startsWith(":/")) ? quiet.slice(0, -1) : quiet;
  const options = {
    cwd,
    encoding: "buffer",
    maxBuffer: 4 * MAX_TEXT_SIZE,
    timeout: GIT_MS,
    killSignal: "SIGKILL",
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", ...NO_FETCH, ...more },
  } as const;
  return new Promise((resolve, reject) => {
    execFile("git", [...own, ...args], options, (error, out, err) => {
      if (error?.killed && error.signal === "SIGKILL")
        return reject(
          new Stop("Git took longer than a minute and was ended. A named pipe in the repository may be why."),
        );
      const code = error ? (typeof error.code === "number" ? error.code : EXIT.failed) : 0;
      const missing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
      resolve({ code, out, err: err.toString("utf8"), missing });
    });
  });
}
