import { readZipEntries, type ZipEntry } from "#components/preview/zip-entries.ts";
import { type DroppedFile, isHidden, maxBatchFiles } from "../form/dropped-files.ts";

/** Why an archive cannot be opened in the browser. The message is for the user. */
export class ArchiveError extends Error {}

/** The most bytes of all files of an archive: more does not fit into the memory of browsers. */
const maxBytes = 4_000_000_000;

const headerBytes = 30;

/**
 * The files of a ZIP, each of which is unpacked only when it is read. Throws `ArchiveError` for an
 * archive that is none, is encrypted, or has too much in it.
 */
export async function unzip(archive: File): Promise<DroppedFile[]> {
  const read = async (start: number, end: number) =>
    new Uint8Array(await archive.slice(start, end).arrayBuffer());
  const all = await readZipEntries(archive.size, read).catch(() => undefined);
  if (!all) throw new ArchiveError(`${archive.name} is not a ZIP file that can be opened here.`);
  const entries = all.filter(({ name }) => !isHidden(name));
  if (entries.length === 0) throw new ArchiveError(`${archive.name} contains no files.`);
  if (entries.length > maxBatchFiles) {
    throw new ArchiveError(
      `${archive.name} contains ${entries.length} files. At most ${maxBatchFiles} are processed at once.`,
    );
  }
  if (entries.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) {
    throw new ArchiveError(`${archive.name} is too large to be opened in the browser. Unpack it.`);
  }
  const files: DroppedFile[] = [];
  for (const entry of entries) files.push(await unpack(archive, entry));
  return files;
}

async function unpack(archive: File, entry: ZipEntry): Promise<DroppedFile> {
  if (entry.isEncrypted) {
    throw new ArchiveError(`${archive.name} has a password. Unpack it and choose its folder.`);
  }
  const header = archive.slice(entry.start, entry.start + headerBytes);
  const view = new DataView(await header.arrayBuffer());
  const extra = view.getUint16(26, true) + view.getUint16(28, true);
  const start = entry.start + headerBytes + extra;
  const packed = archive.slice(start, start + entry.packedBytes);
  const name = entry.name.split("/").at(-1) ?? entry.name;
  const content = await inflate(archive, packed, entry);
  return { path: entry.name, file: new File([content], name) };
}

async function inflate(archive: File, packed: Blob, { name, method, bytes }: ZipEntry) {
  if (method === 0) return packed;
  if (method !== 8) {
    throw new ArchiveError(`${archive.name} is packed in a way that browsers cannot open.`);
  }
  const unpacked = packed.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const chunks: BlobPart[] = [];
  let size = 0;
  try {
    for await (const chunk of readAll(unpacked)) {
      size += chunk.length;
      // An archive that says too little about its size could fill the memory.
      if (size > bytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new ArchiveError(`${name} in ${archive.name} is damaged.`);
  }
  if (size === bytes) return new Blob(chunks);
  throw new ArchiveError(`${name} in ${archive.name} is damaged.`);
}

/** The chunks of a stream. Not every browser can iterate over one. */
async function* readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
