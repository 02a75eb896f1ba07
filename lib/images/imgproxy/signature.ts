import { createHmac, timingSafeEqual } from "node:crypto";

/** What signs URLs. */
export interface SigningPair {
  readonly key: Buffer;
  readonly salt: Buffer;
}

/** What stands in place of a signature in URLs without one. */
export const unsignedTexts = ["unsafe", "insecure"];

/** The signature of a path, which begins with a slash, as imgproxy's clients make it. */
export function signPath({ key, salt }: SigningPair, path: string): string {
  return createHmac("sha256", key).update(salt).update(path).digest("base64url");
}

/** Whether `signature` is that of `path`, which begins with a slash. As with imgproxy, Base64 has no padding. */
export function verifySignature(pair: SigningPair, signature: string, path: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(signature)) return false;
  return isEqual(
    Buffer.from(signature, "base64url"),
    Buffer.from(signPath(pair, path), "base64url"),
  );
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The signature of a path without its first slash, as thumbor's clients make it. The key is text. */
export function signThumborPath(key: string, path: string): string {
  return createHmac("sha1", key)
    .update(path)
    .digest("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Whether `signature` is thumbor's of `path`, without its first slash. */
export function verifyThumborSignature(key: string, signature: string, path: string): boolean {
  const digits = signature.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]+$/.test(digits)) return false;
  return isEqual(
    Buffer.from(digits, "base64url"),
    Buffer.from(signThumborPath(key, path), "base64url"),
  );
}
