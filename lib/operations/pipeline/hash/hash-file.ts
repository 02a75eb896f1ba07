import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { streamRegular } from "#lib/files/regular-files.ts";

export const algorithms = [
  "md5",
  "sha1",
  "sha256",
  "sha384",
  "sha512",
  "sha3-256",
  "sha3-512",
  "blake2b",
  "blake2s",
  "crc32",
] as const;

export type Algorithm = (typeof algorithms)[number];

/** The names of OpenSSL, where they differ. */
const opensslNames: Partial<Record<Algorithm, string>> = {
  blake2b: "blake2b512",
  blake2s: "blake2s256",
};

interface Checksum {
  update(chunk: Buffer): void;
  /** Returns the checksum in lowercase hex. */
  digest(): string;
}

function startChecksum(algorithm: Algorithm): Checksum {
  if (algorithm === "crc32") {
    let value = 0;
    return {
      update: (chunk) => {
        value = crc32(chunk, value);
      },
      digest: () => value.toString(16).padStart(8, "0"),
    };
  }
  const hash = createHash(opensslNames[algorithm] ?? algorithm);
  return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest("hex") };
}

/** Reads the file at `path` once, in pieces, for all of `wanted`. `onBytes` gets the size of each piece. */
export async function hashFile(
  path: string,
  wanted: readonly Algorithm[],
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Partial<Record<Algorithm, string>>> {
  const checksums = wanted.map((algorithm) => [algorithm, startChecksum(algorithm)] as const);
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const [, checksum] of checksums) checksum.update(chunk);
      onBytes(chunk.length);
      done();
    },
  });
  await pipeline(streamRegular(path, { highWaterMark: 2 ** 19 }), sink, { signal });
  return Object.fromEntries(checksums.map(([name, checksum]) => [name, checksum.digest()]));
}
