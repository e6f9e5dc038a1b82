/** `assistant-flow diff`. */

import { stat } from "node:fs/promises";
import path from "node:path";
import { shownPath } from "../../files";
import { applyEdits, FlowDocument, type Graph, isFlowFile } from "../../flow";
import { applyGraph } from "../../flow/edit";
import { changesBetween, pictureMermaid, pictureOf, readWhole, withPlatformFields } from "../../flow/review";
import { visibleLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { readFlowFiles, readSource, STANDARD_INPUT } from "../files/flow-files";
import type { KeyOptions } from "../platform/cli-connection";
import { type ChangedFile, Repository } from "../review/git";
import { MERMAID_LIMITS, reviewsMarkdown } from "../review/markdown";
import { inCommit, onDisk, type Review, review } from "../review/review";
import { reviewText } from "../review/review-text";
import { showJson, type Terminal } from "../terminal";

interface DiffFlags extends KeyOptions {
  readonly format: string;
  readonly base?: string;
  readonly head?: string;
  readonly calls?: string;
}

export async function run({ args, options, terminal }: Input<DiffFlags>): Promise<number> {
  const notes: string[] = [];
  let reviews: Review[];
  try {
    reviews = await withCalls(await reviewsOf(args, options, terminal, notes), options.calls, terminal);
  } catch (error) {
    // A program that asked for JSON gets JSON, whatever went wrong.
    if (options.format === "json") {
      const { explain } = await import("../explain");
      const message = error instanceof Stop ? error.message : explain(error, terminal.env).message;
      showJson({ error: message, changes: [], files: [] }, terminal);
    }
    throw error;
  }
  const changed = reviews.filter(({ changes }) => changes.length > 0);
  await show(options.format, reviews, terminal);
  const links = reviews.flatMap(({ path: file, links }) => links.map((link) => `${visibleLine(`${file}: ${link}`)}\n`));
  for (const link of links) terminal.err(link);
  const isSame = changed.length === 0 && links.length === 0;
  if (options.format === "text" && isSame) terminal.err("No differences.\n");
  for (const note of notes) terminal.err(`${note}\n`);
  if (notes.length > 0) return EXIT.behind;
  return isSame ? EXIT.fine : EXIT.changes;
}

/** Adds the effect on recorded calls to the flow that changed. */
async function withCalls(reviews: Review[], file: string | undefined, terminal: Terminal): Promise<Review[]> {
  if (file === undefined) return reviews;
  const [only, more] = reviews.length > 1 ? reviews.filter(({ changes }) => changes.length > 0) : reviews;
  if (more) throw new Stop("Several flows changed. With --calls, pass the flow whose calls these are.", EXIT.usage);
  return only ? [{ ...only, from: only.from, to: only.to, calls: await only.callChanges(file, terminal) }] : [];
}

/** Compares two files, a file with the platform, or two revisions. */
async function reviewsOf(
  args: readonly string[],
  options: DiffFlags,
  terminal: Terminal,
  notes: string[],
): Promise<Review[]> {
  const [first, second] = args;
  const isFile = await Promise.all(args.map((name) => isThere(name, terminal.cwd)));
  if (options.base === undefined && options.head === undefined) {
    if (first !== undefined && second !== undefined && args.length === 2 && isFile[0] && isFile[1])
      return [await twoFiles(first, second, terminal)];
    if (first !== undefined && args.length === 1 && isFile[0])
      return [await withPlatform(first, options, terminal, notes)];
  }
  return betweenRevisions(args, isFile, options, terminal);
}

/** Diff tools pass the null device for a missing side. */
const NOTHING = ["/dev/null", "NUL", "nul"];

async function isThere(name: string, cwd: string): Promise<boolean> {
  if (name === STANDARD_INPUT || NOTHING.includes(name)) return true;
  return (await stat(path.resolve(cwd, name)).catch(() => undefined)) !== undefined;
}

async function twoFiles(old: string, now: string, terminal: Terminal): Promise<Review> {
  const before = await documentInFile(old, terminal);
  const after = await documentInFile(now, terminal, before);
  const at = (name: string) => path.resolve(terminal.cwd, NOTHING.includes(name) ? (name === old ? now : old) : name);
  return review(before, after, at(now), at(old), onDisk(terminal.cwd), true);
}

async function withPlatform(name: string, options: KeyOptions, terminal: Terminal, notes: string[]): Promise<Review> {
  const after = await documentInFile(name, terminal);
  // Loaded on demand: the platform's contract takes longer to load than most files take to compare.
  const { platformVersion } = await import("../review/platform");
  const { stored, normalized, behind } = await platformVersion(name, options, terminal);
  if (behind !== undefined) notes.push(behind);
  const absolute = path.resolve(terminal.cwd, name);
  const made = await review(documentOf(stored), after, absolute, absolute, onDisk(terminal.cwd));
  const own = changesBetween(normalized(made.to), made.to);
  // The platform's version has no assistant or revision that could differ.
  return { ...made, links: [], changes: withPlatformFields(made.changes, own) };
}

async function betweenRevisions(
  args: readonly string[],
  isFile: readonly boolean[],
  options: DiffFlags,
  terminal: Terminal,
): Promise<Review[]> {
  const notHere = args.find((_, at) => !isFile[at]);
  const repository = await Repository.at(terminal.cwd, notHere);
  const [first] = args;
  const rest = [...args];
  // An argument that isn't a file is a revision, a file that was removed, or a mistyped name.
  const isMissing = async (name: string) =>
    (await repository.tryCommit(name)) === undefined && (isFlowFile(name) || (await repository.has("HEAD", name)));
  const isRevision = first !== undefined && !isFile[0] && !(await isMissing(first));
  let base = options.base ?? (isRevision ? (rest.shift() as string) : "HEAD");
  let { head } = options;
  const range = /^([\s\S]*?)(\.{2,3})([\s\S]*)$/.exec(base);
  if (range && head === undefined) {
    [, base = "", , head = ""] = range;
    base = base || "HEAD";
    if (range[2] === "...") base = await repository.mergeBase(base, head || "HEAD");
    head = head || undefined;
  } else if (head === undefined && rest[0] !== undefined && !isFile[args.length - rest.length]) {
    // A second revision, unless it is a removed file.
    if ((await repository.tryCommit(rest[0])) !== undefined) head = rest.shift();
  }
  const from = await repository.commit(base);
  const to = head === undefined ? undefined : await repository.commit(head);
  for (const name of rest) {
    const isKnown =
      isFile[args.lastIndexOf(name)] ||
      (await repository.has(from, name)) ||
      (to !== undefined && (await repository.has(to, name)));
    const where = head === undefined ? base : `${base} or ${head}`;
    if (!isKnown) throw new Stop(`"${name}" is neither a file (here or in ${where}) nor a revision.`);
  }
  const files = await repository.changed(from, to, rest);
  const around = to === undefined ? onDisk(terminal.cwd) : inCommit(repository, to, terminal.cwd);
  const reviews: Review[] = [];
  for (const { before, after } of files) {
    const place = (file: string) => path.join(repository.top, file);
    const [old, now] = [place(before ?? (after as string)), place(after ?? (before as string))];
    const was = before === undefined ? "" : await repository.read(from, before);
    const is =
      after === undefined
        ? ""
        : to === undefined
          ? await readSource(place(after), terminal.cwd)
          : await repository.read(to, after);
    const name = (file: ChangedFile["before"], of: string) => `${shownPath(place(file ?? ""), terminal.cwd)} (${of})`;
    const nameNow = to === undefined ? shownPath(now, terminal.cwd) : name(after, head ?? "");
    const oldDocument = documentIn(was ?? "", name(before, base));
    const document = documentIn(is ?? "", after === undefined ? "" : nameNow, oldDocument);
    reviews.push(await review(oldDocument, document, now, old, around));
  }
  return reviews;
}

async function documentInFile(name: string, terminal: Terminal, like?: FlowDocument): Promise<FlowDocument> {
  if (NOTHING.includes(name)) return FlowDocument.read("");
  const [file, more] = await readFlowFiles([name], terminal);
  if (!file || more) throw new Stop(`${name}: expected one flow file.`, EXIT.usage);
  return documentIn(file.text, file.path, like);
}

function documentIn(text: string, name: string, like?: FlowDocument): FlowDocument {
  const read = readWhole(text, like);
  if (read instanceof FlowDocument) return read;
  throw new Stop(`${name} ${read.problem}`);
}

function documentOf(graph: Graph): FlowDocument {
  return FlowDocument.read(applyEdits("", applyGraph(FlowDocument.read(""), graph)));
}

async function show(format: string, reviews: readonly Review[], terminal: Terminal): Promise<void> {
  const changed = reviews.filter(({ changes }) => changes.length > 0);
  switch (format) {
    case "json":
      showJson(jsonOf(reviews), terminal);
      return;
    case "markdown":
      terminal.out(reviewsMarkdown(reviews));
      return;
    case "html":
      terminal.out((await import("../review/html")).reviewsHtml(reviews));
      return;
    case "mermaid":
    case "svg": {
      const [only, more] = changed;
      if (!only) return;
      if (more)
        throw new Stop(`Several flows changed. Pass one of them, or use --format markdown or html.`, EXIT.usage);
      terminal.out(await picture(format, only));
      return;
    }
    default:
      for (const each of changed) {
        const was = each.oldPath === undefined ? "" : ` (was ${each.oldPath})`;
        terminal.out(`${each === changed[0] ? "" : "\n"}${visibleLine(`${each.path}${was}`)}\n`);
        terminal.out(reviewText(each, terminal.color));
      }
  }
}

async function picture(format: "mermaid" | "svg", { from, to, changes }: Review): Promise<string> {
  if (format === "mermaid") return pictureMermaid(from, to, changes, MERMAID_LIMITS).text;
  const { PICTURE_LIMITS } = await import("../review/html");
  return (await import("../review/flow-svg")).pictureSvg(pictureOf(from, to, changes, PICTURE_LIMITS), to.entry);
}

/** For several flows, `changes` and `behavior` are concatenated, and `files` lists each flow separately. */
function jsonOf(reviews: readonly Review[]): object {
  const files = reviews.map(({ path: at, oldPath, changes, behavior }) => ({
    path: at,
    ...(oldPath === undefined ? {} : { old_path: oldPath }),
    changes,
    behavior,
  }));
  const [only] = files;
  const calls = reviews[0]?.calls;
  if (files.length === 1 && only)
    return { changes: only.changes, behavior: only.behavior, ...(calls ? { calls } : {}), files };
  const lists = [
    "reachable",
    "unreachable",
    "may_be_unset",
    "opened",
    "closed",
    "endings",
    "not_taken",
    "left_to_model",
    "unconditional",
    "edge_changes",
    "policies",
    "policy_changes",
    "tests",
    "test_changes",
  ] as const;
  return {
    changes: files.flatMap(({ path: file, changes }) => changes.map((change) => ({ file, ...change }))),
    behavior: Object.fromEntries(
      lists.map((list) => [list, files.flatMap(({ behavior }) => behavior[list] as unknown[])]),
    ),
    files,
  };
}
