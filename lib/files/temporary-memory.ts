/**
 * Memory of file contents that is freed before the garbage collector finds it. Node.js allocates new memory
 * for every chunk of a request and of a file. It is outside of the heap, but its size starts garbage
 * collections of the whole heap: with a large heap, they take longer than all other work on a large file.
 */
const temporary = new WeakSet<ArrayBufferLike>();

/**
 * Declares that only the stream that `chunk` is passed to uses its memory. What is to be kept of it must be
 * copied. A chunk of memory that it shares with others stays as it is.
 */
export function markTemporary(chunk: Buffer): Buffer {
  if (ownsMemory(chunk)) temporary.add(chunk.buffer);
  return chunk;
}

/** Frees the memory of a chunk that was written, if it is marked and the chunk is all of it. */
export function freeTemporary(chunk: Buffer): void {
  if (temporary.has(chunk.buffer)) freeMemory(chunk);
}

/**
 * Frees the memory of bytes that are read no more, if they are all of it. No write of them may be under way: also one
 * that failed may still read them.
 */
export function freeMemory(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (ownsMemory(bytes) && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function ownsMemory({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength === byteLength;
}
