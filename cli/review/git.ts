/**
 * Reads revisions, changed files and old file contents from Git. The configuration of a repository may come with an
 * archive and name programs for Git to run, so all of them are disabled, and nothing is fetched.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { isBelow, MAX_TEXT_SIZE } from "../../files";
import { isFlowFile } from "../../flow";
import { EXIT, Stop } from "../command";

/** A changed file, undefined on the side that doesn't have it. Paths are relative to the top of the repository. */
export interface ChangedFile {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export class Repository {
  private constructor(
    readonly top: string,
    private readonly cwd: string,
    private readonly limitMs: number,
  ) {}

  /** `notHere` is an argument that isn't a file, so it must be a revision. `limitMs` is for each call of Git. */
  static async at(cwd: string, notHere?: string, limitMs = GIT_MS): Promise<Repository> {
    const { code, out, missing } = await git(cwd, ["rev-parse", "--show-toplevel"], {}, limitMs);
    if (missing) throw new Stop("Git isn't installed, or isn't on the PATH.");
    if (code !== 0 && notHere !== undefined)
      throw new Stop(`"${notHere}" is neither a file nor a revision: this folder isn't in a Git repository.`);
    if (code !== 0) throw new Stop("This folder isn't in a Git repository.");
    const top = out.toString("utf8").trimEnd();
    // `core.worktree` may point to another folder.
    if (!isBelow(await realpath(cwd), [await realpath(top)]) || !existsSync(path.join(top, ".git")))
      throw new Stop(`The working tree of this repository is ${top}, which doesn't contain this folder.`);
    return new Repository(top, cwd, limitMs);
  }

  /** Sets a value in the repository's local configuration. */
  async configure(key: string, value: string): Promise<void> {
    const { code, err } = await this.#git(["config", "--local", key, value]);
    if (code !== 0) throw new Stop(`Couldn't configure Git: ${err.split("\n")[0]}`);
  }

  /** Resolves a revision to a commit. */
  async commit(revision: string): Promise<string> {
    const found = await this.tryCommit(revision);
    if (found !== undefined) return found;
    if (revision === "HEAD") throw new Stop("This repository has no commits yet, so there is nothing to compare with.");
    const shallow = (await this.#git(["rev-parse", "--is-shallow-repository"])).out.toString().trim() === "true";
    const why = shallow
      ? "This clone is shallow: run `git fetch --unshallow`, or check out the full history (fetch-depth: 0)."
      : "If it is on a remote, run `git fetch`. `git branch --all` lists branches.";
    throw new Stop(`Revision "${revision}" doesn't exist. ${why}`);
  }

  async tryCommit(revision: string): Promise<string | undefined> {
    if (revision === "" || revision.startsWith("-") || /[\0\n]/.test(revision)) return undefined;
    const { code, out } = await this.#git(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
    return code === 0 ? out.toString().trim() : undefined;
  }

  async mergeBase(a: string, b: string): Promise<string> {
    const { code, out } = await this.#git(["merge-base", await this.commit(a), await this.commit(b)]);
    if (code !== 0)
      throw new Stop(`"${a}" and "${b}" have no common history. In a shallow clone, run \`git fetch --unshallow\`.`);
    return out.toString().trim();
  }

  /** The flows that changed between two commits, or between a commit and the working tree. */
  async changed(base: string, head: string | undefined, paths: readonly string[]): Promise<ChangedFile[]> {
    const named = paths.length > 0 ? paths : [":/*.flow.yaml", ":/*.flow.yml"];
    // Submodules are ignored, because Git would read their configuration to compare them.
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
    const { code, out, err } = await this.#git(args, await this.#withoutFilters());
    if (code !== 0) throw new Stop(`Couldn't compare revisions: ${err.split("\n")[0]}`);
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
      for (const file of (await this.#git(untracked)).out.toString("utf8").split("\0"))
        if (file !== "") changed.push({ before: undefined, after: file });
    }
    // If a file was renamed to or from a flow name, only the flow side counts.
    const flowOr = (file: string | undefined) => (file !== undefined && isFlowFile(file) ? file : undefined);
    return changed
      .map(({ before, after }) => ({ before: flowOr(before), after: flowOr(after) }))
      .filter(({ before, after }) => before !== undefined || after !== undefined)
      .sort((a, b) => ((a.after ?? a.before ?? "") < (b.after ?? b.before ?? "") ? -1 : 1));
  }

  /** Reads a file from a commit; undefined if the commit doesn't have it. */
  async read(commit: string, file: string): Promise<string | undefined> {
    const { code, out } = await this.#git(["cat-file", "blob", `${commit}:${file}`], {}, this.top);
    if (code === 0) return out.toString("utf8");
    const { out: listed } = await this.#git(["ls-tree", "-z", commit, "--", file], {}, this.top);
    if (/^\d+ blob /.test(listed.toString()))
      throw new Stop(
        `This partial clone doesn't contain the old version of "${file}". Run \`git show ${commit.slice(0, 12)}:${file}\` to fetch it.`,
      );
    return undefined;
  }

  /** Whether a commit contains a file or folder; `name` is relative to the working folder. */
  async has(commit: string, name: string): Promise<boolean> {
    const { code, out } = await this.#git(["ls-tree", "-z", commit, "--", name.replace(/(?<!\/)\/+$/, "")]);
    return code === 0 && out.length > 0;
  }

  async list(commit: string): Promise<string[]> {
    const { out } = await this.#git(["ls-tree", "-r", "-z", "--name-only", commit], {}, this.top);
    return out.toString("utf8").split("\0").filter(Boolean);
  }

  /**
   * Disables Git filters, which are programs that Git runs to see whether a file differs. Filter names are arbitrary, so
   * each configured filter is disabled explicitly. Files are compared by their bytes, as we read them.
   */
  async #withoutFilters(): Promise<Variables> {
    const { out } = await this.#git(["config", "-z", "--name-only", "--get-regexp", "^filter\\."]);
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
    // Appended to the variables of the user's environment. Variables are used because a name may contain characters that
    // a command-line option can't.
    const first = Number(process.env.GIT_CONFIG_COUNT ?? 0);
    return Object.fromEntries([
      ["GIT_CONFIG_COUNT", String(first + off.length)],
      ...off.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${first + index}`, key],
        [`GIT_CONFIG_VALUE_${first + index}`, value],
      ]),
    ]);
  }

  #git(args: readonly string[], more: Variables = {}, cwd = this.cwd): Promise<Ran> {
    return git(cwd, args, more, this.limitMs);
  }
}

interface Ran {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
  readonly missing: boolean;
}

type Variables = Readonly<Record<string, string>>;

/** Fetching missing objects of a partial clone would run programs that its configuration names. */
const NO_FETCH: Variables = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };

/** Git blocks forever on a named pipe in place of one of its files. */
const GIT_MS = 60_000;

function git(cwd: string, args: readonly string[], more: Variables, limitMs: number): Promise<Ran> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"];
  const quiet = [...safe, "-c", "core.quotePath=false", "--no-pager", "--literal-pathspecs"];
  const own = args.some((arg) => arg.startsWith(":/")) ? quiet.slice(0, -1) : quiet;
  const options = {
    // Windows looks for `git.exe` in the working folder first, and a repository may contain one. So Git gets the folder.
    cwd: path.dirname(process.execPath),
    encoding: "buffer",
    maxBuffer: 4 * MAX_TEXT_SIZE,
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", ...NO_FETCH, ...more },
  } as const;
  return new Promise((resolve, reject) => {
    execFile("git", ["-C", path.resolve(cwd), ...own, ...args], options, (error, out, err) => {
      if (error?.killed && error.signal === "SIGKILL")
        return reject(new Stop("Git was stopped after one minute. The repository may contain a named pipe."));
      const code = error ? (typeof error.code === "number" ? error.code : EXIT.failed) : 0;
      const missing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
      resolve({ code, out, err: err.toString("utf8"), missing });
    });
  });
}
