import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";

/** The last entry: it shows that the backup is complete. */
const endName = "end.json";

/** An entry while a backup is read. Its content must be read before the next one. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: Readable;
}

/** Writes a tar file, readable only by its owner, with a digest of all of its entries at the end. */
export class ArchiveWriter {
  readonly #pack = tar.pack();
  readonly #digest = createHash("sha256");
  readonly #written: Promise<void>;

  constructor(file: string) {
    const target = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
    this.#written = pipeline(this.#pack, target);
    this.#written.catch(() => {}); // The call that writes or closes gets the error.
  }

  /** Adds a file of exactly `bytes` bytes. Memory stays flat, however long it is. */
  async add(name: string, bytes: number, content: Buffer | Readable): Promise<void> {
    addHeader(this.#digest, name, bytes);
    const entry = this.#pack.entry({ name, size: bytes, mode: 0o600 });
    const added = (async () => {
      for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
        this.#digest.update(chunk);
        if (!entry.write(chunk)) await once(entry, "drain");
      }
      entry.end(null);
      await once(entry, "finish");
    })();
    // If the disk is full, the entry never gets drained.
    await Promise.race([added, this.#written]);
  }

  async close(): Promise<void> {
    const content = JSON.stringify({ sha256: this.#digest.digest("hex") });
    this.#pack.entry({ name: endName, mode: 0o600 }, content);
    this.#pack.finalize();
    await this.#written;
  }

  /** Stops writing after a failure. */
  abort(): void {
    this.#pack.destroy();
  }
}

/** The entries of a backup, in order. Throws after the last one if the file is incomplete or was changed. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract();
  const source = createReadStream(file);
  source.once("error", (error) => extract.destroy(error));
  source.pipe(extract);
  const digest = createHash("sha256");
  let end = "";
  for await (const entry of extract) {
    const { name, size = 0 } = entry.header;
    if (name === endName) {
      end = (await readAll(Readable.from(entry))).toString();
      continue;
    }
    addHeader(digest, name, size);
    const content = Readable.from(hashed(entry, digest));
    yield { name, content };
    content.resume();
  }
  if (end !== JSON.stringify({ sha256: digest.digest("hex") })) {
    throw new Error("the backup is incomplete or damaged");
  }
}

/** A whole entry, which must be short. */
export async function readAll(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* hashed(source: AsyncIterable<unknown>, digest: Hash): AsyncIterable<Buffer> {
  for await (const chunk of source) {
    if (!Buffer.isBuffer(chunk)) continue; // tar-stream reads buffers only.
    digest.update(chunk);
    yield chunk;
  }
}

function addHeader(digest: Hash, name: string, bytes: number): void {
  digest.update(`${name}\n${bytes}\n`);
}
