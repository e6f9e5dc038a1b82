/** Reduces screenshots to 256 colors, which halves their size; the packed ones are a fifth of the VSIX. */
import { readFileSync, writeFileSync } from "node:fs";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const COLORS = 256;

/** Writes the screenshot `from` to `to`. */
export function writeCompressedPng(from: string, to: string): void {
  writeFileSync(to, compressPng(readFileSync(from)));
}

/** Only for what browsers write: 8 bits a channel, not interlaced. Returns other pictures unchanged. */
export function compressPng(file: Buffer): Buffer {
  const chunks = chunksOf(file);
  const header = Buffer.from(chunks.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(13));
  const channels = { 2: 3, 6: 4 }[header[9] ?? 0];
  if (!channels || header[8] !== 8 || header[12] !== 0) return file;
  const width = header.readUInt32BE(0);
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const pixels = pixelsOf(data, width, channels);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const { palette, indexOf } = reduce(counts);
  const rows = Buffer.alloc((width + 1) * (pixels.length / width));
  pixels.forEach((pixel, at) => {
    rows[at + Math.floor(at / width) + 1] = indexOf.get(pixel) ?? 0;
  });
  header[9] = 3; // Colors are indices of the palette.
  const colors = Buffer.from(palette.flatMap((color) => channelsOf(color)));
  const parts = {
    IHDR: header,
    PLTE: colors,
    IDAT: deflateSync(rows, { level: 9, memLevel: 9 }),
    IEND: Buffer.alloc(0),
  };
  return Buffer.concat([file.subarray(0, 8), ...Object.entries(parts).map(([type, data]) => chunk(type, data))]);
}

/** Median cut: the box of colors with the largest weighted extent is halved until there are enough boxes. */
function reduce(counts: ReadonlyMap<number, number>): { palette: number[]; indexOf: Map<number, number> } {
  const boxes = [[...counts.keys()].sort((a, b) => a - b)];
  while (boxes.length < COLORS) {
    const extents = boxes.map((box) => widest(box).extent * Math.log2(2 + weight(box, counts)));
    const largest = extents.indexOf(Math.max(...extents));
    const box = boxes[largest] ?? [];
    if (box.length < 2) break;
    const { channel } = widest(box);
    box.sort((a, b) => (channelsOf(a)[channel] ?? 0) - (channelsOf(b)[channel] ?? 0) || a - b);
    boxes.splice(largest, 1, box.slice(0, box.length >> 1), box.slice(box.length >> 1));
  }
  // Each box gets its most frequent color, so that backgrounds keep their exact color.
  const palette = boxes.map((box) => box.reduce((a, b) => ((counts.get(b) ?? 0) > (counts.get(a) ?? 0) ? b : a)));
  return { palette, indexOf: new Map(boxes.flatMap((box, index) => box.map((color) => [color, index]))) };
}

function weight(box: readonly number[], counts: ReadonlyMap<number, number>): number {
  return box.reduce((sum, color) => sum + (counts.get(color) ?? 0), 0);
}

function widest(box: readonly number[]): { channel: number; extent: number } {
  const extents = [0, 1, 2].map((channel) => {
    const values = box.map((color) => channelsOf(color)[channel] ?? 0);
    return values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 255);
  });
  const extent = Math.max(...extents);
  return { channel: extents.indexOf(extent), extent };
}

function channelsOf(color: number): [number, number, number] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

/** Undoes the filters of the PNG specification; transparency is dropped, since screenshots have none. */
function pixelsOf(data: Buffer, width: number, channels: number): number[] {
  const bytes = width * channels;
  const pixels: number[] = [];
  let above = Buffer.alloc(bytes);
  for (let at = 0; at < data.length; at += bytes + 1) {
    const row = Buffer.from(data.subarray(at + 1, at + 1 + bytes));
    for (let x = 0; x < bytes; x++) {
      const left = row[x - channels] ?? 0;
      const up = above[x] ?? 0;
      row[x] = (row[x] ?? 0) + ([0, left, up, (left + up) >> 1][data[at] ?? 0] ?? paeth(left, up, above[x - channels]));
    }
    for (let x = 0; x < bytes; x += channels) pixels.push(row.readUIntBE(x, 3));
    above = row;
  }
  return pixels;
}

function paeth(left: number, up: number, corner = 0): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunksOf(file: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    chunks.push({ type: file.toString("latin1", at + 4, at + 8), data });
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
