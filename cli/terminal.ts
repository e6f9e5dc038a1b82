/** Where a command reads and writes. Tests put their own in its place. */

export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether what goes to `out` is read by a person who sees colours. */
  readonly colour: boolean;
  /** Whether a person watches: then long work shows how far it is. */
  readonly watched: boolean;
  out(text: string): void;
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
    colour: env.FORCE_COLOR ? env.FORCE_COLOR !== "0" : process.stdout.isTTY === true && !env.NO_COLOR,
    watched: process.stderr.isTTY === true && !env.CI,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
export type Colour = keyof typeof CODES;

/** Gives a text a colour where the terminal shows colours. */
export function painter({ colour }: Pick<Terminal, "colour">): (text: string, ...colours: Colour[]) => string {
  if (!colour) return (text) => text;
  return (text, ...colours) => `\x1b[${colours.map((name) => CODES[name]).join(";")}m${text}\x1b[0m`;
}

/** One line that says how far long work is and is wiped when it is done; nothing where nobody watches. */
export function progress(terminal: Terminal): { say(text: string): void; done(): void } {
  if (!terminal.watched) return { say: () => undefined, done: () => undefined };
  let said = false;
  return {
    say: (text) => {
      said = true;
      terminal.err(`\r\x1b[2K${text}`);
    },
    done: () => {
      if (said) terminal.err("\r\x1b[2K");
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
      if (Date.now() < next) return;
      line.say(`${doing} ${count} of ${total}: ${plain(file.path)}`);
      next = Date.now() + PACE_MS;
    },
    end: line.done,
  };
}

/** Text from files and from the platform may hold control characters that would command the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Rows under headings, as wide as they need to be. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, "colour">,
): string {
  const paint = painter(terminal);
  const clean = rows.map((row) => row.map((cell) => shortened(plain(cell))));
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
