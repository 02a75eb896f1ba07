import { describe, expect, it } from "vitest";
import { type Box, findBox, readBoxes, walkBoxes } from "#lib/formats/iso-boxes/iso-boxes.ts";
import { writeBox } from "#tests/samples/container-bytes.ts";

const sourceOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
});

/** A box header that declares `size`, with `content` after it. */
function boxOfSize(type: string, size: number, content = Buffer.alloc(0)): Buffer {
  const box = writeBox(type, content);
  box.writeUInt32BE(size);
  return box;
}

function largeBox(type: string, size: bigint, content: Buffer): Buffer {
  const sizeBytes = Buffer.alloc(8);
  sizeBytes.writeBigUInt64BE(size);
  return boxOfSize(type, 1, Buffer.concat([sizeBytes, content]));
}

const read = (bytes: Buffer) => readBoxes(sourceOf(bytes), 0, bytes.length);

async function walk(bytes: Buffer, end = bytes.length) {
  const boxes: Box[] = [];
  for await (const box of walkBoxes(sourceOf(bytes), 0, end)) boxes.push(box);
  return boxes;
}

describe("readBoxes", () => {
  it("reads 32-bit sizes, 64-bit sizes and a last box that extends to the end", async () => {
    const bytes = Buffer.concat([
      writeBox("ftyp", Buffer.alloc(4)),
      largeBox("wide", 20n, Buffer.alloc(4)),
      boxOfSize("mdat", 0, Buffer.alloc(10)),
    ]);
    expect(await read(bytes)).toEqual([
      { type: "ftyp", offset: 0, content: 8, end: 12 },
      { type: "wide", offset: 12, content: 28, end: 32 },
      { type: "mdat", offset: 32, content: 40, end: 50 },
    ]);
  });

  it("ignores four zero bytes after the last box", async () => {
    const bytes = Buffer.concat([writeBox("udta", Buffer.alloc(0)), Buffer.alloc(4)]);
    expect(await read(bytes)).toHaveLength(1);
  });

  it("cuts media data at the end of the file", async () => {
    const [box] = await read(boxOfSize("mdat", 1000, Buffer.alloc(10)));
    expect(box).toMatchObject({ type: "mdat", end: 18 });
  });

  it.each([
    ["a box that is longer than its parent", boxOfSize("moov", 1000, Buffer.alloc(10))],
    ["a box that is shorter than its header", boxOfSize("moov", 4, Buffer.alloc(10))],
    ["a 64-bit size that is cut off", boxOfSize("mdat", 1)],
  ])("rejects %s", async (_, bytes) => {
    await expect(read(bytes)).rejects.toBeInstanceOf(RangeError);
  });

  it("finds a box by its path", async () => {
    const bytes = writeBox("mdia", writeBox("minf", writeBox("stbl", Buffer.alloc(0))));
    const source = sourceOf(bytes);
    const boxes = await read(bytes);
    expect(await findBox(source, boxes, ["mdia", "minf", "stbl"])).toMatchObject({ offset: 16 });
    expect(await findBox(source, boxes, ["mdia", "hdlr"])).toBeUndefined();
  });
});

describe("walkBoxes", () => {
  it("yields sizes as declared, and stops after an impossible one", async () => {
    const long = boxOfSize("moov", 1000, Buffer.alloc(10));
    expect(await walk(long)).toMatchObject([{ type: "moov", end: 1000 }]);
    const short = Buffer.concat([boxOfSize("moov", 4), writeBox("mdat", Buffer.alloc(0))]);
    expect(await walk(short)).toMatchObject([{ type: "moov", content: 8, end: 4 }]);
  });

  it("stops where the source ends", async () => {
    const bytes = writeBox("ftyp", Buffer.alloc(4));
    expect(await walk(bytes, Number.POSITIVE_INFINITY)).toHaveLength(1);
  });
});
