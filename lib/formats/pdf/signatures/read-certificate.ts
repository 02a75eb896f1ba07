import { type KeyObject, X509Certificate } from "node:crypto";
import { Certificate } from "pkijs";
import { decode } from "./decode.ts";

/** A certificate (RFC 5280) as Node has it, which checks its signature, and with its extensions. */
export interface ParsedCertificate {
  readonly node: X509Certificate;
  readonly fields: Certificate;
}

/**
 * Reads a certificate. Returns undefined if OpenSSL cannot read it. Throws `DamagedDataError` if
 * its structure is not valid.
 */
export function readCertificate(bytes: Uint8Array): ParsedCertificate | undefined {
  const fields = decode(Certificate, bytes);
  try {
    return { node: new X509Certificate(bytes), fields };
  } catch (error) {
    if (isOpensslError(error)) return undefined;
    throw error;
  }
}

/** Whether OpenSSL has rejected a key, a certificate or a signature. */
export function isOpensslError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("ERR_OSSL_") || code.startsWith("ERR_CRYPTO_");
}

/** The public key of a certificate; undefined for a kind of key that OpenSSL does not support. */
export function publicKeyOf({ node }: ParsedCertificate): KeyObject | undefined {
  try {
    return node.publicKey;
  } catch (error) {
    if (isOpensslError(error)) return undefined;
    throw error;
  }
}

/** The value of an extension; undefined if the certificate has none of this kind. */
export function readExtension<Value>(
  { fields }: ParsedCertificate,
  id: string,
  Kind: new () => Value,
): Value | undefined {
  const value = fields.extensions?.find(({ extnID }) => extnID === id)?.parsedValue;
  return value instanceof Kind ? value : undefined;
}

/** The common name of a certificate's subject or issuer, or else all of it in one line. */
export function nameOf(distinguishedName: string): string {
  // Several attributes in one part of the name have a plus sign between them.
  const common = /(?:^| \+ )CN=(.*?)(?: \+ [\w.]+=|$)/m.exec(distinguishedName)?.[1];
  return common ?? distinguishedName.replaceAll("\n", ", ");
}
