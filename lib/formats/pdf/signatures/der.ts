/** Encodes ASN.1 as DER (ITU-T X.690): each function returns one encoded value. */

function encode(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = Buffer.from(
    length
      .toString(16)
      .padStart(2, "0")
      .replace(/^(.(..)*)$/, "0$1"),
    "hex",
  );
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content]);
}

export const sequence = (...items: Uint8Array[]) => encode(0x30, Buffer.concat(items));

/** The elements of a set are in the order of their encoding. */
export const setOf = (...items: Uint8Array[]) =>
  encode(0x31, Buffer.concat(items.toSorted((left, right) => Buffer.compare(left, right))));

export const octets = (bytes: Uint8Array) => encode(0x04, bytes);

export const nothing = () => encode(0x05, Buffer.alloc(0));

/** A small number, 0 to 127. */
export const integer = (value: number) => encode(0x02, Buffer.from([value]));

/** A value in a context tag, which replaces nothing. */
export const explicit = (tag: number, content: Uint8Array) => encode(0xa0 | tag, content);

/** The encoding of a set or sequence with another tag. */
export function retag(encoded: Buffer, tag: number): Buffer {
  const copy = Buffer.from(encoded);
  copy[0] = tag;
  return copy;
}

/** An object identifier such as `1.2.840.113549.1.7.2`. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const groups = [part & 0x7f];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) {
      groups.unshift(0x80 | (left & 0x7f));
    }
    return groups;
  });
  return encode(0x06, Buffer.from(bytes));
}

export const objectIds = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timestampToken: "1.2.840.113549.1.9.16.2.14",
  timestampInfo: "1.2.840.113549.1.9.16.1.4",
  sha256: "2.16.840.1.101.3.4.2.1",
  rsa: "1.2.840.113549.1.1.1",
  rsaPss: "1.2.840.113549.1.1.10",
  ecdsaSha256: "1.2.840.10045.4.3.2",
} as const;
