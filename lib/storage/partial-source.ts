import { RequestError } from "#lib/errors.ts";

const smallBytes = 4096;

/** Chunks that wait to be written together. */
export class ChunkQueue {
  #chunks: Buffer[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Returns all chunks, and empties the queue. Many small ones are joined: each would be a write of its own. */
  take(): Buffer[] {
    const isSmall = this.#bytes < this.#chunks.length * smallBytes;
    const chunks = isSmall ? [Buffer.concat(this.#chunks)] : this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }
}

/** The chunks of a source, and of the one that exceeds `maxBytes` its beginning. Then throws `too_large`. */
export async function* limitBytes(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of source) {
    if (chunk.length <= left) {
      left -= chunk.length;
      yield chunk;
      continue;
    }
    if (left > 0) yield Buffer.from(chunk.subarray(0, left));
    const message = `The body has more than the ${maxBytes} bytes that are missing.`;
    throw new RequestError("too_large", message);
  }
}
