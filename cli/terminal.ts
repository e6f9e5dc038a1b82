/**
 * The input and output of a command, which tests replace. Output contains text from others: files, file names, platform
 * responses. So control characters are always escaped, and no text can send commands to a terminal or a build server.
 * Our own colors carry an unpredictable mark, which is replaced at the end.
 */
import { randomBytes } from "node:crypto";
import { visible, visibleLine } from "../text";

export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether `out` shows colors. */
  readonly color: boolean;
  /** Whether to show progress of long operations. */
  readonly watched: boolean;
  /** Reports progress to a program. */
  readonly onProgress?: (done: number, total: number, words: string) => void;
  out(text: string): void;
  /** Writes data for another program unchanged. On a terminal it is escaped like `out`. */
  data(text: string): void;
  err(text: string): void;
  input(): Promise<string>;
}

export function processTerminal(): Terminal {
  // A reader such as `head` may close the pipe early, which isn't an error.
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

/** The unpredictable mark before our own control sequences. */
const MARK = randomBytes(16).toString("hex");

/** Starts a workflow command for GitHub Actions. */
export const WORKFLOW_COMMAND = `${MARK}::`;

/** A color, a cleared line, a carriage return, or a workflow command. */
const COMMAND = new RegExp(`^(?:${"\x1b"}\\[[\\d;]{0,20}[mK]|\r|::)`);

/** Escapes all control characters except marked ones. */
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

/**
 * Escapes text that a build server would run as a command: `::` at the start of a line, after whitespace of any kind, and
 * `##[` and `##word[` anywhere.
 */
function harmless(text: string, mayStartLine = true): string {
  const safe = visible(text).replace(/##(?=[a-z]{0,20}\[)/gi, "#\\u0023");
  return safe.replace(/^([^\S\n]*)::/gm, (found, space: string, at: number) =>
    at > 0 || mayStartLine ? `${space}\\u003a:` : found,
  );
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
export type Color = keyof typeof CODES;

/** Colors text if the terminal supports it. */
export function painter({ color }: Pick<Terminal, "color">): (text: string, ...colors: Color[]) => string {
  if (!color) return (text) => text;
  return (text, ...colors) => `${MARK}\x1b[${colors.map((name) => CODES[name]).join(";")}m${text}${MARK}\x1b[0m`;
}

const WIPE = `${MARK}\r${MARK}\x1b[2K`;

/** A progress line that is cleared at the end; hidden if nothing is watching. */
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

/** When progress is first shown, and how often it is updated. */
const PROGRESS_DELAY_MS = 300;
const PROGRESS_INTERVAL_MS = 100;

/** Iterates over files, and shows progress if that takes long. */
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

/** Like `counted`, for files that are processed in parallel. */
export function countedProgress(
  doing: string,
  total: number,
  terminal: Terminal,
): { done(file: { readonly path: string }): void; end(): void } {
  const line = progress(terminal);
  let next = Date.now() + PROGRESS_DELAY_MS;
  let count = 0;
  return {
    done: (file) => {
      count++;
      const isEdge = terminal.onProgress !== undefined && (count === 1 || count === total);
      if (Date.now() < next && !isEdge) return;
      const words = `${doing} ${count} of ${total}: ${visibleLine(file.path)}`;
      line.say(words);
      terminal.onProgress?.(count, total, words);
      next = Date.now() + PROGRESS_INTERVAL_MS;
    },
    end: line.done,
  };
}

/** Formats rows as a table with aligned columns. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, "color">,
): string {
  const paint = painter(terminal);
  const clean = rows.map((row) => row.map((cell) => shortened(visibleLine(cell))));
  // A call with as many arguments as the platform has rows could fail.
  const widths = headings.map((heading, i) =>
    clean.reduce((width, row) => Math.max(width, (row[i] ?? "").length), heading.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return `${[paint(line(headings), "bold"), ...clean.map(line)].join("\n")}\n`;
}

/** Cuts a long text, such as a cell of a table; JSON has the full text. */
export function shortened(text: string, most = 80): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** Prints platform responses: tables for people, JSON for programs. */
export interface FormatOptions {
  readonly format?: string;
}

/** Prints a list as a table; `columns` maps each heading to its cell. */
export function showRows<Item>(
  items: readonly Item[],
  { format }: FormatOptions,
  terminal: Terminal,
  none: string,
  columns: Readonly<Record<string, (item: Item) => unknown>>,
): void {
  if (format === "json") showJson(items, terminal);
  else if (items.length === 0) terminal.err(`${none}\n`);
  else {
    const rows = items.map((item) => Object.values(columns).map((cell) => cellText(cell(item))));
    terminal.out(table(Object.keys(columns), rows, terminal));
  }
}

/** Prints the fields of a record. */
export function showRecord(record: object, { format }: FormatOptions, terminal: Terminal): void {
  if (format === "json") {
    showJson(record, terminal);
    return;
  }
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const width = fields.reduce((most, [name]) => Math.max(most, name.length), 0);
  for (const [name, value] of fields)
    terminal.out(`${visibleLine(name).padEnd(width)}  ${visibleLine(cellText(value))}\n`);
}

export function showJson(value: unknown, terminal: Terminal): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

function cellText(value: unknown): string {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "—";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
