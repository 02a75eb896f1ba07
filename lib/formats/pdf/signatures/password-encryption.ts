import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import { Integer, OctetString, Sequence } from "asn1js";
import { type AlgorithmIdentifier, PBES2Params, PBKDF2Params } from "pkijs";
import { JobError } from "#lib/errors.ts";
import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { decodeAs } from "./decode.ts";
import { decryptRc2 } from "./rc2.ts";

/** Decrypts the contents of PKCS#12 files, with the algorithms that programs have written. */

/**
 * Decrypts data. Returns undefined if the password is wrong. Throws `JobError` for an algorithm
 * that is not supported.
 */
export function decryptWithPassword(
  algorithm: AlgorithmIdentifier,
  data: Buffer,
  password: string,
): Buffer | undefined {
  const decrypt = algorithm.algorithmId === "1.2.840.113549.1.5.13" ? decryptPbes2 : decryptPkcs12;
  return decrypt(algorithm, data, password);
}

const unsupported = () =>
  new JobError("unsupported_type", "The encryption of the certificate file is not supported.");

const pbkdf2Hashes: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.8": "sha224",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
};

/** The ciphers of PBES2 and the bytes of their keys. */
const pbes2Ciphers: Readonly<Record<string, readonly [name: string, keyBytes: number]>> = {
  "2.16.840.1.101.3.4.1.2": ["aes-128-cbc", 16],
  "2.16.840.1.101.3.4.1.22": ["aes-192-cbc", 24],
  "2.16.840.1.101.3.4.1.42": ["aes-256-cbc", 32],
  "1.2.840.113549.3.7": ["des-ede3-cbc", 24],
};

/** PBES2 (RFC 8018, 6.2). Most programs encode the password in UTF-8, some in Latin-1. */
function decryptPbes2({ algorithmParams }: AlgorithmIdentifier, data: Buffer, password: string) {
  const { keyDerivationFunc, encryptionScheme } = decodeAs(PBES2Params, algorithmParams);
  const [cipher, keyBytes] = pbes2Ciphers[encryptionScheme.algorithmId] ?? [];
  if (!cipher || !keyBytes || keyDerivationFunc.algorithmId !== "1.2.840.113549.1.5.12") {
    throw unsupported();
  }
  const { salt, iterationCount, prf } = decodeAs(PBKDF2Params, keyDerivationFunc.algorithmParams);
  const hash = pbkdf2Hashes[prf?.algorithmId ?? "1.2.840.113549.2.7"];
  if (!hash) throw unsupported();
  const iv = encryptionScheme.algorithmParams;
  const isComplete = salt instanceof OctetString && iv instanceof OctetString;
  if (!isComplete || !(iterationCount > 0)) throw new DamagedDataError("no salt");
  for (const encoding of ["utf8", "latin1"] as const) {
    const encoded = Buffer.from(password, encoding);
    const key = pbkdf2Sync(encoded, Buffer.from(salt.getValue()), iterationCount, keyBytes, hash);
    const plain = decryptCbc(cipher, key, Buffer.from(iv.getValue()), data);
    if (plain) return plain;
  }
  return undefined;
}

/** The ciphers of RFC 7292, appendix C, without those of RC4, and the bytes of their keys. */
const pkcs12Ciphers: Readonly<Record<string, readonly [name: string, keyBytes: number]>> = {
  "1.2.840.113549.1.12.1.3": ["des-ede3-cbc", 24],
  "1.2.840.113549.1.12.1.4": ["des-ede-cbc", 16],
  "1.2.840.113549.1.12.1.5": ["rc2", 16],
  "1.2.840.113549.1.12.1.6": ["rc2", 5],
};

function decryptPkcs12(algorithm: AlgorithmIdentifier, data: Buffer, password: string) {
  const [cipher, keyBytes] = pkcs12Ciphers[algorithm.algorithmId] ?? [];
  if (!cipher || !keyBytes) throw unsupported();
  const parameters = algorithm.algorithmParams;
  const [salt, iterations] = parameters instanceof Sequence ? parameters.valueBlock.value : [];
  if (!(salt instanceof OctetString) || !(iterations instanceof Integer)) {
    throw new DamagedDataError("no salt");
  }
  const source = {
    password,
    salt: Buffer.from(salt.getValue()),
    hash: "sha1",
    iterations: iterations.valueBlock.valueDec,
  };
  const key = derivePkcs12Key({ ...source, purpose: "encryption", bytes: keyBytes });
  const iv = derivePkcs12Key({ ...source, purpose: "iv", bytes: 8 });
  return cipher === "rc2" ? decryptRc2(key, iv, data) : decryptCbc(cipher, key, iv, data);
}

function decryptCbc(cipher: string, key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  if (iv.length !== (cipher.startsWith("aes") ? 16 : 8)) throw new DamagedDataError("no vector");
  const decipher = createDecipheriv(cipher, key, iv);
  try {
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    // The length or the padding is wrong, as with a wrong key.
    if (/^ERR_OSSL_(WRONG_FINAL_BLOCK_LENGTH|BAD_DECRYPT)$/.test(code)) return undefined;
    throw error;
  }
}

/** The numbers of the purposes (RFC 7292, B.3). */
const purposes = { encryption: 1, iv: 2, mac: 3 } as const;

interface KeySource {
  readonly password: string;
  readonly salt: Buffer;
  readonly iterations: number;
  /** A name of Node. */
  readonly hash: string;
  readonly purpose: keyof typeof purposes;
  readonly bytes: number;
}

/** The key derivation of RFC 7292, B.2. */
export function derivePkcs12Key(source: KeySource): Buffer {
  const { password, salt, iterations, hash, purpose, bytes } = source;
  if (!(iterations > 0)) throw new DamagedDataError("no iterations");
  const blockBytes = /384|512/.test(hash) ? 128 : 64;
  const fill = (value: Buffer) =>
    Buffer.alloc(Math.ceil(value.length / blockBytes) * blockBytes, value);
  // UTF-16, big-endian, with a zero at its end.
  const encoded = Buffer.from(`${password}\0`, "utf16le").swap16();
  const input = Buffer.concat([salt.length > 0 ? fill(salt) : salt, fill(encoded)]);
  const start = Buffer.alloc(blockBytes, purposes[purpose]);
  const parts: Buffer[] = [];
  for (let length = 0; length < bytes; ) {
    let digest = createHash(hash).update(start).update(input).digest();
    for (let round = 1; round < iterations; round++) {
      digest = createHash(hash).update(digest).digest();
    }
    parts.push(digest);
    length += digest.length;
    const added = Buffer.alloc(blockBytes, digest);
    for (let at = 0; at < input.length; at += blockBytes) {
      addTo(input.subarray(at, at + blockBytes), added);
    }
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

/** Adds another number and 1; both are big-endian, and what does not fit is dropped. */
function addTo(number: Buffer, other: Buffer): void {
  let carry = 1;
  for (let index = number.length - 1; index >= 0; index--) {
    carry += (number[index] ?? 0) + (other[index] ?? 0);
    number[index] = carry & 0xff;
    carry >>= 8;
  }
}
