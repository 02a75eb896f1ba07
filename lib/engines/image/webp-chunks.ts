import { type FileHandle, open } from "node:fs/promises";

/** The chunks of a WebP file (WebP container specification), where libvips does not look at them. */

interface Chunk {
  readonly name: string;
  /** Of its header, from the file's start. */
  readonly offset: number;
  /** Of what it holds, without header and padding. */
  readonly size: number;
}

/** A file of real cameras and tools has a handful of chunks before its first picture. */
const mostChunks = 64;

/** Whether the first picture is a `VP8L` chunk. Of an animation, it lies in the first frame's chunk. */
export async function isLosslessWebp(path: string): Promise<boolean> {
  return withFile(path, "r", async (file) => {
    let count = 0;
    for await (const { name } of chunksOf(file, { enterFrames: true })) {
      if (name === "VP8 " || ++count > mostChunks) return false;
      if (name === "VP8L") return true;
    }
    return false;
  });
}

/** What JPEG has before EXIF's own TIFF header, and WebP has not. */
const jpegPrefix = Buffer.from("Exif\0\0", "latin1");

/** Takes away what libvips writes before EXIF in a WebP too, which strict readers refuse. */
export async function bareExif(path: string): Promise<void> {
  await withFile(path, "r+", async (file) => {
    for await (const { name, offset, size } of chunksOf(file)) {
      if (name === "EXIF") return cutPrefix(file, offset, size);
    }
  });
}

async function cutPrefix(file: FileHandle, offset: number, size: number): Promise<void> {
  const length = (await file.stat()).size;
  const tail = await readAt(file, offset, length - offset);
  if (!tail.subarray(8, 8 + jpegPrefix.length).equals(jpegPrefix)) return;
  tail.writeUInt32LE(size - jpegPrefix.length, 4);
  const shorter = Buffer.concat([tail.subarray(0, 8), tail.subarray(8 + jpegPrefix.length)]);
  await file.write(shorter, 0, shorter.length, offset);
  await file.truncate(offset + shorter.length);
  const riffSize = Buffer.alloc(4);
  riffSize.writeUInt32LE(offset + shorter.length - 8);
  await file.write(riffSize, 0, 4, 4);
}

/** In the file's order; `enterFrames`: an animation's frame, then what is in it, behind its position. */
async function* chunksOf(file: FileHandle, { enterFrames = false } = {}): AsyncGenerator<Chunk> {
  for (let offset = 12; ; ) {
    const header = await readAt(file, offset, 8);
    if (header.length < 8) return;
    const [name, size] = [header.toString("latin1", 0, 4), header.readUInt32LE(4)];
    yield { name, offset, size };
    offset += enterFrames && name === "ANMF" ? 8 + 16 : 8 + size + (size % 2);
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

async function withFile<Result>(
  path: string,
  flags: "r" | "r+",
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
