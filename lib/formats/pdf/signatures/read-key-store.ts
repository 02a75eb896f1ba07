import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import forge from "node-forge";
import { JobError } from "#lib/errors.ts";
import { isPlainError } from "#lib/media/damaged-data.ts";

/** Reads PKCS#12 files (RFC 7292), in a worker. */

export interface Signer {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
  /** The other certificates of the file. */
  readonly chain: readonly X509Certificate[];
}

/** Bits of an RSA modulus below which a signature can be forged. */
const minRsaBits = 2048;

/** RFC 7292, 4.2. */
const bagTypes = {
  certificate: "1.2.840.113549.1.12.10.1.3",
  keys: ["1.2.840.113549.1.12.10.1.1", "1.2.840.113549.1.12.10.1.2"],
};

/** Throws `JobError` if the password is wrong, or the file has no key that can sign at `time`. */
export function readKeyStore(bytes: Buffer, password: string, time: Date): Signer {
  const store = openStore(bytes, password);
  const bags = store.safeContents.flatMap((contents) => contents.safeBags);
  const certificates = bags.flatMap((bag) => readCertificate(bag) ?? []);
  const keys = bags.flatMap((bag) => readKey(bag) ?? []);
  if (keys.length === 0) {
    throw new JobError("empty", "The certificate file has no private key. Export it with its key.");
  }
  for (const key of keys) {
    const certificate = certificates.find((candidate) => candidate.checkPrivateKey(key));
    if (!certificate) continue;
    requireUsable(key, certificate, time);
    return { key, certificate, chain: certificates.filter((other) => other !== certificate) };
  }
  throw new JobError("empty", "The certificate file has no certificate for its private key.");
}

function openStore(bytes: Buffer, password: string): forge.pkcs12.Pkcs12Pfx {
  const parse = () => forge.asn1.fromDer(forge.util.createBuffer(bytes.toString("latin1")));
  let parsed: forge.asn1.Asn1;
  try {
    parsed = parse();
  } catch (cause) {
    if (!isPlainError(cause)) throw cause;
    throw new JobError("corrupt", "The certificate file is damaged or is not PKCS#12.", { cause });
  }
  try {
    return forge.pkcs12.pkcs12FromAsn1(parsed, false, password);
  } catch (cause) {
    const other = openWithUtf8(parse(), password);
    if (other) return other;
    const message = "The password is not the password of the certificate.";
    throw new JobError("encrypted", message, { cause });
  }
}

/**
 * Newer files derive the keys of their contents from the password in UTF-8, but the key of their checksum
 * from UTF-16, which node-forge has checked already.
 */
function openWithUtf8(
  store: forge.asn1.Asn1,
  password: string,
): forge.pkcs12.Pkcs12Pfx | undefined {
  const encoded = forge.util.encodeUtf8(password);
  if (encoded === password || !Array.isArray(store.value)) return undefined;
  try {
    const content = { ...store, value: store.value.slice(0, 2) };
    return forge.pkcs12.pkcs12FromAsn1(content as forge.asn1.Asn1, false, encoded);
  } catch {
    return undefined;
  }
}

const toBytes = (object: forge.asn1.Asn1) =>
  Buffer.from(forge.asn1.toDer(object).getBytes(), "latin1");

function readCertificate(bag: forge.pkcs12.Bag): X509Certificate | undefined {
  if (bag.type !== bagTypes.certificate) return undefined;
  // node-forge parses only certificates of RSA keys and gives the others as ASN.1.
  if (bag.cert) return new X509Certificate(toBytes(forge.pki.certificateToAsn1(bag.cert)));
  return bag.asn1 && new X509Certificate(toBytes(bag.asn1));
}

function readKey(bag: forge.pkcs12.Bag): KeyObject | undefined {
  const isKey = bagTypes.keys.includes(bag.type);
  if (!isKey) return undefined;
  const info = bag.key
    ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(bag.key))
    : bag.asn1;
  return info && createPrivateKey({ key: toBytes(info), format: "der", type: "pkcs8" });
}

function requireUsable(key: KeyObject, certificate: X509Certificate, time: Date): void {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== "rsa" && type !== "ec") {
    throw new JobError("unsupported_type", "The certificate's key must be an RSA or EC key.");
  }
  if (type === "rsa" && (details?.modulusLength ?? 0) < minRsaBits) {
    throw new JobError(
      "unsupported_type",
      `The certificate's key must have at least ${minRsaBits} bits.`,
    );
  }
  const day = (date: Date) => date.toISOString().slice(0, 10);
  if (certificate.validToDate < time) {
    const message = `The certificate expired on ${day(certificate.validToDate)}.`;
    throw new JobError("unsupported_type", message);
  }
  if (certificate.validFromDate > time) {
    const message = `The certificate is valid only from ${day(certificate.validFromDate)}.`;
    throw new JobError("unsupported_type", message);
  }
}

/** The common name of a certificate's subject or issuer, or else all of it in one line. */
export function nameOf(distinguishedName: string): string {
  const common = /^CN=(.*)$/m.exec(distinguishedName)?.[1];
  return common ?? distinguishedName.replaceAll("\n", ", ");
}
