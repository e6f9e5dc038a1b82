import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { compressPng } from "../../../scripts/png";

const signature = readFileSync("icon.png").subarray(0, 8);

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A picture of 3 by 5 pixels whose rows use each of the five filters. */
function picture(): Buffer {
  const header = Buffer.from([0, 0, 0, 3, 0, 0, 0, 5, 8, 2, 0, 0, 0]);
  const rows = [0, 1, 2, 3, 4].flatMap((filter) => [filter, 10, 20, 30, 1, 2, 3, 250, 251, 252]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function part(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, "latin1");
  return file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4));
}

test("a screenshot with few colors keeps every pixel", () => {
  const small = compressPng(picture());
  const palette = part(small, "PLTE");
  const rows = inflateSync(part(small, "IDAT"));
  const colors = Array.from({ length: 5 }, (_, row) =>
    [...rows.subarray(row * 4 + 1, row * 4 + 4)].map((index) => [...palette.subarray(index * 3, index * 3 + 3)]),
  );
  assert.deepEqual(colors.slice(0, 3), [
    [
      [10, 20, 30],
      [1, 2, 3],
      [250, 251, 252],
    ], // Not filtered.
    [
      [10, 20, 30],
      [11, 22, 33],
      [5, 17, 29],
    ], // Sums with the pixel before, modulo 256.
    [
      [20, 40, 60],
      [12, 24, 36],
      [255, 12, 25],
    ], // Sums with the pixel above.
  ]);
  assert.deepEqual(colors[3]?.[0], [20, 40, 60], "half of the pixel above is added");
  assert.deepEqual(colors[4]?.[0], [30, 60, 90], "the first pixel is predicted by the one above");
  assert.equal(compressPng(small), small, "a picture with a palette is left alone");
});
