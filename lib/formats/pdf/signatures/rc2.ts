/**
 * Decryption with RC2 (RFC 2268) in CBC mode, which protects the certificates in old PKCS#12 files.
 * OpenSSL has it only in a provider that Node does not load.
 */

/** A permutation of all bytes, from the digits of pi (RFC 2268, 2). */
const piTable = Buffer.from(
  [
    "d978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2",
    "179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82",
    "54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626",
    "6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7",
    "08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec",
    "c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731",
    "2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9",
    "0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad",
  ].join(""),
  "hex",
);

/** The 64 words of the expanded key; all bits of `key` are effective. */
function expandKey(key: Buffer): Uint16Array {
  const bytes = Buffer.alloc(128);
  key.copy(bytes);
  const table = (index: number) => piTable[index & 0xff] ?? 0;
  const at = (index: number) => bytes[index] ?? 0;
  for (let index = key.length; index < 128; index++) {
    bytes[index] = table(at(index - 1) + at(index - key.length));
  }
  bytes[128 - key.length] = table(at(128 - key.length));
  for (let index = 127 - key.length; index >= 0; index--) {
    bytes[index] = table(at(index + 1) ^ at(index + key.length));
  }
  return Uint16Array.from({ length: 64 }, (_, index) => bytes.readUInt16LE(2 * index));
}

/** How far each of the four words is rotated in a mixing round. */
const rotations = [1, 2, 3, 5] as const;

function decryptBlock(block: Buffer, key: Uint16Array): Buffer {
  const words = Uint16Array.from({ length: 4 }, (_, index) => block.readUInt16LE(2 * index));
  const word = (index: number) => words[(index + 4) % 4] ?? 0;
  for (let round = 15; round >= 0; round--) {
    for (let index = 3; index >= 0; index--) {
      const turn = rotations[index] ?? 0;
      const turned = (word(index) >>> turn) | (word(index) << (16 - turn));
      const mixed = (word(index - 1) & word(index - 2)) + (~word(index - 1) & word(index - 3));
      words[index] = turned - (key[4 * round + index] ?? 0) - mixed;
    }
    if (round !== 5 && round !== 11) continue;
    for (let index = 3; index >= 0; index--) {
      words[index] = word(index) - (key[word(index - 1) & 63] ?? 0);
    }
  }
  const plain = Buffer.alloc(8);
  for (const [index, value] of words.entries()) plain.writeUInt16LE(value, 2 * index);
  return plain;
}

/**
 * Decrypts data. Returns undefined if the result does not have the padding of PKCS#7, such as with
 * a wrong key.
 */
export function decryptRc2(key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  if (data.length === 0 || data.length % 8 !== 0) return undefined;
  const expanded = expandKey(key);
  const plain = Buffer.alloc(data.length);
  let previous = iv;
  for (let start = 0; start < data.length; start += 8) {
    const block = data.subarray(start, start + 8);
    for (const [index, byte] of decryptBlock(block, expanded).entries()) {
      plain[start + index] = byte ^ (previous[index] ?? 0);
    }
    previous = block;
  }
  const padding = plain.at(-1) ?? 0;
  const isPadded =
    padding >= 1 && padding <= 8 && plain.subarray(-padding).every((b) => b === padding);
  return isPadded ? plain.subarray(0, -padding) : undefined;
}
