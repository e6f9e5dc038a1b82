/** Reads large files of one record per line, such as JSONL, without loading them as a whole. */
import { checkAllowed, checkOpened } from "./confined";
import { openRegular } from "./read";
import { namingFile } from "./refused";

export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Undefined if the line is longer than `MAX_LINE`. */
  readonly text: string | undefined;
}

const MAX_LINE = 20_000_000;

export async function* readLines(file: string): AsyncGenerator<Line, void, undefined> {
  await checkAllowed(file);
  const { handle } = await openRegular(file, (opened) => checkOpened(file, opened, undefined));
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(1 << 18);
    let parts: string[] = [];
    let length = 0;
    let number = 1;
    const add = (part: string) => {
      length += part.length;
      if (length <= MAX_LINE) parts.push(part);
      else parts = [];
    };
    const line = (): Line => {
      const text = length <= MAX_LINE ? parts.join("").replace(/\r$/, "") : undefined;
      parts = [];
      length = 0;
      return { number: number++, text };
    };
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null).catch(namingFile(file));
      const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 });
      let start = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
        add(text.slice(start, end));
        yield line();
        start = end + 1;
      }
      add(text.slice(start));
      if (bytesRead > 0) continue;
      if (length > 0) yield line();
      return;
    }
  } finally {
    await handle.close();
  }
}
