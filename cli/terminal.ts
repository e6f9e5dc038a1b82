/**
 * Where a command reads and writes. Tests put their own in its place. What is written is made of words of others: files,
 * their names, answers of the platform. So nothing in it commands the terminal or a build server, whatever a command
 * forgot; colors are marked with a sign that only this program can make, and are put in afterwards.
 */
import { randomBytes } from "node:crypto";
import { visible, visibleLine } from "../text";

export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether what goes to `out` is read by a person who sees colors. */
  readonly color: boolean;
  /** Whether a person watches: then long work shows how far it is. */
  readonly watched: boolean;
  /** Where a program follows long work: how much of it is done. */
  readonly advanced?: (done: number, total: number, words: string) => void;
  out(text: string): void;
  /** A text that another program reads as it is: what was formatted. A person who looks at it gets it as `out`. */
  data(text: string): void;
  err(text: string): void;
  input(): Promise<string>;
}

export function processTerminal(): Terminal {
  // A reader such as `head` may have had enough; that is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    throw error;
  });
  const { env } = process;
  return {
    cwd: process.cwd(),
    env,
    color: env.FORCE_COLOR ? env.FORCE_COLOR !== "0" : process.stdout.isTTY === true && !env.NO_COLOR,
    watched: process.stderr.isTTY === true && !env.CI,
    out: screen((text) => void process.stdout.write(text)),
    data: process.stdout.isTTY
      ? screen((text) => void process.stdout.write(text))
      : (text) => void process.stdout.write(text),
    err: screen((text) => void process.stderr.write(text)),
    input: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

/** Before what is meant as a command; nobody else can know it. The two bundles of the command line share it. */
const shared = globalThis as { [place: symbol]: unknown };
const PLACE = Symbol.for("assistant-flow.mark");
shared[PLACE] ??= randomBytes(16).toString("hex");
const MARK = shared[PLACE] as string;

/** Begins a line that a build server on GitHub reads as a command. */
export const WORKFLOW_COMMAND = `${MARK}::`;

/** One color, the wiping of a line, its beginning, or a workflow command. */
const COMMAND = new RegExp(`^(?:${"\x1b"}\\[[\\d;]{0,20}[mK]|\r|::)`);

/** Everything unseen becomes visible, but what is marked. */
export function screen(write: (text: string) => void): (text: string) => void {
  return (text) => {
    const [first = "", ...marked] = text.split(MARK);
    let shown = harmless(first);
    for (const piece of marked) {
      const command = COMMAND.exec(piece)?.[0] ?? "";
      shown += command + harmless(piece.slice(command.length), command !== "::");
    }
    write(shown);
  };
}

/** Build servers take commands from lines that begin with `::`, and from `##[` and `##word[` anywhere. */
function harmless(text: string, mayStartLine = true): string {
  const safe = visible(text).replace(/##(?=[a-z]{0,20}\[)/gi, "#\\u0023");
  return safe.replace(/^([ \t]*)::/gm, (found, space: string, at: number) =>
    at > 0 || mayStartLine ? `${space}\\u003a:` : found,
  );
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
export type Color = keyof typeof CODES;

/** Gives a text a color where the terminal shows colors. */
export function painter({ color }: Pick<Terminal, "color">): (text: string, ...colors: Color[]) => string {
  if (!color) return (text) => text;
  return (text, ...colors) => `${MARK}\x1b[${colors.map((name) => CODES[name]).join(";")}m${text}${MARK}\x1b[0m`;
}

const WIPE = `${MARK}\r${MARK}\x1b[2K`;

/** One line that says how far long work is and is wiped when it is done; nothing where nobody watches. */
export function progress(terminal: Terminal): { say(text: string): void; done(): void } {
  if (!terminal.watched) return { say: () => undefined, done: () => undefined };
  let said = false;
  return {
    say: (text) => {
      said = true;
      terminal.err(`${WIPE}${text}`);
    },
    done: () => {
      if (said) terminal.err(WIPE);
    },
  };
}

/** When a person begins to wonder, and how often they are told then. */
const PATIENCE_MS = 300;
const PACE_MS = 100;

/** Goes through files and, where that takes long, says how far it is. */
export function* counted<File extends { readonly path: string }>(
  doing: string,
  files: readonly File[],
  terminal: Terminal,
): Generator<File> {
  const line = countedProgress(doing, files.length, terminal);
  try {
    for (const file of files) {
      yield file;
      line.done(file);
    }
  } finally {
    line.end();
  }
}

/** The same where files are done by several at once. */
export function countedProgress(
  doing: string,
  total: number,
  terminal: Terminal,
): { done(file: { readonly path: string }): void; end(): void } {
  const line = progress(terminal);
  let next = Date.now() + PATIENCE_MS;
  let count = 0;
  return {
    done: (file) => {
      count++;
      const isEdge = terminal.advanced !== undefined && (count === 1 || count === total);
      if (Date.now() < next && !isEdge) return;
      const words = `${doing} ${count} of ${total}: ${visibleLine(file.path)}`;
      line.say(words);
      terminal.advanced?.(count, total, words);
      next = Date.now() + PACE_MS;
    },
    end: line.done,
  };
}

/** Rows under headings, as wide as they need to be. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, "color">,
): string {
  const paint = painter(terminal);
  const clean = rows.map((row) => row.map((cell) => shortened(visibleLine(cell))));
  const widths = headings.map((heading, i) => Math.max(heading.length, ...clean.map((row) => (row[i] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return `${[paint(line(headings), "bold"), ...clean.map(line)].join("\n")}\n`;
}

/** A cell that is read for the rest of the row; programs get all of it as JSON. */
function shortened(text: string): string {
  const letters = [...text];
  return letters.length > 80 ? `${letters.slice(0, 79).join("")}…` : text;
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
